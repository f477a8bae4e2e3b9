//! An evaluation shared by several engines.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use derive_more::Debug;

use crate::evaluation::Evaluation;

type Unpack = Box<dyn FnOnce() -> Evaluation + Send>;

/// A cheaply cloned handle to an [`Evaluation`], which is unpacked when it is first used.
///
/// Unpacking the embedded weights takes tens of milliseconds; an engine made from a handle is
/// there at once.
#[derive(Clone, Debug)]
#[debug("SharedEvaluation")]
pub struct SharedEvaluation(Arc<LazyLock<Evaluation, Unpack>>);

/// The embedded weights; `weights/README.md` records how they were made.
#[cfg(feature = "embedded")]
static EMBEDDED_FILE: &[u8] = include_bytes!("../weights/umigame.weights");

/// One copy of the embedded weights serves all engines of a process.
#[cfg(feature = "embedded")]
static EMBEDDED: LazyLock<SharedEvaluation> = LazyLock::new(|| {
    SharedEvaluation::lazy(Box::new(|| {
        Evaluation::from_bytes(EMBEDDED_FILE).expect("a test unpacks the embedded weights")
    }))
});

#[cfg(feature = "embedded")]
impl Evaluation {
    /// Returns the evaluation of the weights in the binary, not yet unpacked.
    pub fn embedded() -> SharedEvaluation {
        EMBEDDED.clone()
    }

    /// Returns the bytes of the weights file in the binary.
    pub fn embedded_file() -> &'static [u8] {
        EMBEDDED_FILE
    }
}

impl SharedEvaluation {
    fn lazy(unpack: Unpack) -> SharedEvaluation {
        SharedEvaluation(Arc::new(LazyLock::new(unpack)))
    }

    /// Unpacks the weights now, so that the first search does not wait for them.
    pub fn prepare(&self) {
        LazyLock::force(&self.0);
    }
}

impl Deref for SharedEvaluation {
    type Target = Evaluation;

    fn deref(&self) -> &Evaluation {
        &self.0
    }
}

impl From<Evaluation> for SharedEvaluation {
    fn from(evaluation: Evaluation) -> SharedEvaluation {
        let shared = SharedEvaluation::lazy(Box::new(move || evaluation));
        shared.prepare();
        shared
    }
}
