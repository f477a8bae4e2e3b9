//! The engine's constants as parameters: chosen by name, set in a thread.

use std::fmt::Write;

use crate::tune::spsa::Parameter;
use umigame_engine::{Constant, Effect, constants};
use umigame_othello::text::shown;

/// Constants cannot be chosen.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConstantError {
    /// No constant or module has the name.
    #[error("{0}: no constant or module of this name; umigame-lab tune list shows all")]
    Unknown(String),
    /// The range is not two numbers in order around the default, within those of the constant, and
    /// whole if the constant is.
    #[error(
        "{range}: expected {kind} MIN..MAX with {min} <= MIN <= {default} <= MAX <= {max}, MIN < MAX"
    )]
    Range {
        /// The numbers expected.
        kind: &'static str,
        /// The range as given.
        range: String,
        /// Least value of the constant.
        min: String,
        /// Its default.
        default: String,
        /// Its greatest value.
        max: String,
    },
    /// A range stands behind a name that means several constants.
    #[error("{0}: a range needs the name of one constant")]
    SeveralRanges(String),
    /// A word is not a constant with a value of its range, whole if the constant is.
    #[error("{word}: expected NAME=VALUE with {kind} from {min} to {max}")]
    Value {
        /// The kind of number expected.
        kind: &'static str,
        /// The word as given.
        word: String,
        /// Least value of the constant.
        min: String,
        /// Its greatest value.
        max: String,
    },
    /// A value stands behind a name that means several constants.
    #[error("{0}: expected the name of one constant")]
    SeveralValues(String),
    /// A constant is named twice.
    #[error("{0}: named twice")]
    Twice(String),
    /// The constant trades accuracy for nodes.
    #[error(
        "{0} changes cuts or reductions, so fewer nodes do not make it better: tune it with \
         umigame-lab tune accuracy or tune games"
    )]
    Accuracy(String),
}

/// Constants to tune, with a parameter for each.
#[derive(Clone, Debug)]
pub struct TunedConstants {
    constants: Vec<&'static Constant>,
    parameters: Vec<Parameter>,
}

impl TunedConstants {
    /// Chooses constants. Each word is some part of a path (`midgame::LMR_MIN_DEPTH`,
    /// `LMR_MIN_DEPTH`, or `midgame`) and means all constants with it; one constant may have a
    /// narrower range (`LMR_MIN_DEPTH=4..8`). Without words, all constants of [`Effect::Order`].
    ///
    /// # Errors
    /// An unknown name, a bad range, or, with `only_order`, a constant that changes accuracy.
    pub fn choose(words: &[String], only_order: bool) -> Result<TunedConstants, ConstantError> {
        let mut tuned = TunedConstants { constants: Vec::new(), parameters: Vec::new() };
        if words.is_empty() {
            for constant in constants().filter(|it| it.effect == Effect::Order) {
                tuned.add(constant, parameter(constant))?;
            }
        }
        for word in words {
            tuned.add_word(word, only_order)?;
        }
        Ok(tuned)
    }

    /// Chooses constants by words such as `LMR_MIN_DEPTH=4`, each with a value. The values are the
    /// parameters' starts.
    ///
    /// # Errors
    /// A word that is not one constant's name and a value in its range, or a constant named twice.
    pub fn with_values(words: &[String]) -> Result<TunedConstants, ConstantError> {
        let mut tuned = TunedConstants { constants: Vec::new(), parameters: Vec::new() };
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let [constant] = meant(name)?[..] else {
                return Err(ConstantError::SeveralValues(shown(word)));
            };
            let parameter = parameter(constant);
            let Parameter { min, max, is_whole, .. } = parameter;
            let fits = |it: &f64| (min..=max).contains(it) && (!is_whole || it.fract() == 0.0);
            let value = value.trim().parse().ok().filter(fits);
            let start = value.ok_or_else(|| ConstantError::Value {
                kind: if is_whole { "a whole number" } else { "a number" },
                word: shown(word),
                min: min.to_string(),
                max: max.to_string(),
            })?;
            tuned.add(constant, Parameter { start, ..parameter })?;
        }
        Ok(tuned)
    }

    /// The default values.
    pub fn defaults(&self) -> Vec<f64> {
        self.constants.iter().map(|constant| constant.default).collect()
    }

    /// The start values.
    pub fn starts(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Sets the values for searches of the calling thread.
    pub(super) fn set(&self, values: &[f64]) {
        for (constant, value) in self.constants.iter().zip(values) {
            constant.set(*value);
        }
    }

    fn add_word(&mut self, word: &str, only_order: bool) -> Result<(), ConstantError> {
        let (name, range) = word.split_once('=').map_or((word, None), |(a, b)| (a, Some(b)));
        let mut meant = meant(name)?;
        let first = meant[0];
        if only_order {
            meant.retain(|it| it.effect == Effect::Order);
        }
        match (&meant[..], range) {
            ([], _) => Err(ConstantError::Accuracy(first.name().to_owned())),
            ([one], Some(range)) => self.add(one, narrowed(parameter(one), range)?),
            (_, Some(_)) => Err(ConstantError::SeveralRanges(shown(word))),
            (several, None) => several.iter().try_for_each(|it| self.add(it, parameter(it))),
        }
    }

    fn add(
        &mut self,
        constant: &'static Constant,
        parameter: Parameter,
    ) -> Result<(), ConstantError> {
        if self.parameters.iter().any(|it| it.name == parameter.name) {
            return Err(ConstantError::Twice(parameter.name));
        }
        self.constants.push(constant);
        self.parameters.push(parameter);
        Ok(())
    }
}

/// Returns the constants with `name` as a part of their path; at least one.
fn meant(name: &str) -> Result<Vec<&'static Constant>, ConstantError> {
    let part = format!("::{name}::");
    let is_meant = |it: &&Constant| format!("::{}::", it.name()).contains(&part);
    let meant: Vec<_> = constants().filter(is_meant).collect();
    if meant.is_empty() { Err(ConstantError::Unknown(shown(name))) } else { Ok(meant) }
}

fn parameter(constant: &Constant) -> Parameter {
    Parameter {
        name: constant.name().to_owned(),
        start: constant.default,
        min: constant.min,
        max: constant.max,
        step: constant.step,
        is_whole: constant.is_whole,
    }
}

/// Returns the parameter with the range `MIN..MAX`.
fn narrowed(parameter: Parameter, range: &str) -> Result<Parameter, ConstantError> {
    let ends = range.split_once("..").and_then(|(min, max)| {
        Some((min.trim().parse::<f64>().ok()?, max.trim().parse::<f64>().ok()?))
    });
    let Parameter { start, min, max, is_whole, .. } = parameter;
    let is_narrower = |(low, high): &(f64, f64)| {
        let fits = |end: &f64| !is_whole || end.fract() == 0.0;
        min <= *low
            && *low <= start
            && start <= *high
            && *high <= max
            && low < high
            && fits(low)
            && fits(high)
    };
    match ends.filter(is_narrower) {
        Some((low, high)) => Ok(Parameter { min: low, max: high, ..parameter }),
        None => Err(ConstantError::Range {
            kind: if is_whole { "whole numbers" } else { "numbers" },
            range: format!("{}={}", parameter.name, shown(range)),
            min: min.to_string(),
            default: start.to_string(),
            max: max.to_string(),
        }),
    }
}

/// Returns the table of all constants.
pub fn constant_table() -> String {
    let mut text = format!(
        "{:58} {:>8} {:>7} {:>7} {:>6}  changes\n",
        "# constant", "default", "min", "max", "step"
    );
    for constant in constants() {
        let Constant { default, min, max, step, .. } = constant;
        let changes = match constant.effect {
            Effect::Order => "order",
            Effect::Accuracy => "accuracy",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:58} {default:8} {min:7} {max:7} {step:6}  {changes}",
            constant.name()
        );
    }
    text
}
