//! The engine's constants as parameters: chosen by name, set in a thread.

use std::fmt::Write;

use crate::tune::spsa::Parameter;
use umigame_engine::{Constant, Effect, constants};
use umigame_othello::text::shown;

/// Reason why constants cannot be chosen.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConstantError(String);

/// Makes an error that quotes a word, with the reason.
fn wrong(word: &str, why: &str) -> ConstantError {
    ConstantError(format!("{}: {why}", shown(word)))
}

/// Constants to tune, with a parameter for each.
#[derive(Clone, Debug)]
pub struct TunedConstants {
    constants: Vec<&'static Constant>,
    parameters: Vec<Parameter>,
}

impl TunedConstants {
    /// Chooses constants. Each word is some part of a path (`midgame::null_window::LMR_MIN_DEPTH`,
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
                return Err(wrong(word, "expected the name of one constant"));
            };
            let parameter = parameter(constant);
            let Parameter { min, max, is_whole, .. } = parameter;
            let fits = |it: &f64| (min..=max).contains(it) && (!is_whole || it.fract() == 0.0);
            let value = value.trim().parse().ok().filter(fits);
            let start = value.ok_or_else(|| {
                let kind = if is_whole { "a whole number" } else { "a number" };
                wrong(word, &format!("expected NAME=VALUE with {kind} from {min} to {max}"))
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
            ([], _) => Err(ConstantError(format!(
                "{} changes cuts or reductions, so fewer nodes do not make it better: tune it with \
                 umigame-lab tune accuracy or tune games",
                first.name()
            ))),
            ([one], Some(range)) => self.add(one, narrowed(parameter(one), range)?),
            (_, Some(_)) => Err(wrong(word, "a range needs the name of one constant")),
            (several, None) => several.iter().try_for_each(|it| self.add(it, parameter(it))),
        }
    }

    fn add(
        &mut self,
        constant: &'static Constant,
        parameter: Parameter,
    ) -> Result<(), ConstantError> {
        if self.parameters.iter().any(|it| it.name == parameter.name) {
            return Err(wrong(&parameter.name, "named twice"));
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
    if meant.is_empty() {
        let why = "no constant or module of this name; umigame-lab tune list shows all";
        return Err(wrong(name, why));
    }
    Ok(meant)
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
        None => {
            let kind = if is_whole { "whole numbers" } else { "numbers" };
            let why = format!(
                "expected {kind} MIN..MAX with {min} <= MIN <= {start} <= MAX <= {max}, MIN < MAX"
            );
            Err(wrong(&format!("{}={range}", parameter.name), &why))
        }
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
