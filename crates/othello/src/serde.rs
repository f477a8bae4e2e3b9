//! Feature `serde`: squares and moves as text (`f5`, `pass`), scores in discs and evals in hundredths
//! of a disc as numbers, positions as their two words.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde::ser::{Serialize, Serializer};

use crate::moves::Move;
use crate::position::Position;
use crate::score::{Eval, Score};
use crate::square::Square;

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(Square, Move);

macro_rules! as_number {
    ($($type:ty: $number:ident, $new:expr, $expected:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_i32(self.$number())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let number = i32::deserialize(deserializer)?;
                let found = Unexpected::Signed(number.into());
                $new(number).ok_or_else(|| D::Error::invalid_value(found, &$expected))
            }
        }
    )*};
}

fn exact_eval(centidiscs: i32) -> Option<Eval> {
    Some(Eval::from_centidiscs(centidiscs)).filter(|eval| eval.centidiscs() == centidiscs)
}

as_number! {
    Score: discs, Score::new, "discs from -64 to 64";
    Eval: centidiscs, exact_eval, "hundredths of a disc from -6400 to 6400";
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Position")]
struct Words {
    player: u64,
    opponent: u64,
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Words { player: self.player().bits(), opponent: self.opponent().bits() }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let Words { player, opponent } = Words::deserialize(deserializer)?;
        Position::new(player.into(), opponent.into()).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Color, Eval, Move, Position, Score, Square};

    fn json<T: serde::Serialize>(value: T) -> String {
        serde_json::to_string(&value).expect("a plain value")
    }

    #[test]
    fn values_have_a_plain_json_form_and_read_back() {
        assert_eq!(json((Square::F5, Move::Pass, Color::Black)), r#"["f5","pass","black"]"#);
        assert_eq!(json((Score::MIN, Eval::from_centidiscs(150))), "[-64,150]");
        let text = json((Move::Place(Square::A1), Score::MAX, Position::START));
        let read = serde_json::from_str(&text).expect("a written value");
        assert_eq!((Move::Place(Square::A1), Score::MAX, Position::START), read);
    }

    #[test]
    fn values_out_of_range_are_errors() {
        assert!(serde_json::from_str::<Score>("65").is_err());
        assert!(serde_json::from_str::<Eval>("-6401").is_err());
        assert!(serde_json::from_str::<Square>("\"i9\"").is_err());
        let overlap = r#"{"player":1,"opponent":1}"#;
        assert!(serde_json::from_str::<Position>(overlap).is_err());
    }
}
