//! How the engine plays, in words.

use umigame_engine::Level;

use crate::session::Session;

/// Returns the level, the bounds and the errors of the engine's play in words.
pub(super) fn limits_text(session: &Session) -> String {
    let options = session.options();
    let (limits, weakness) = (&options.limits, options.weakness);
    let named = weakness.and_then(|weakness| weakness.level());
    let mut words = match (named, limits.depth, limits.level) {
        (Some(level), ..) => vec![format!("level {}", level.name())],
        (None, Some(depth), _) => vec![format!("depth {depth}")],
        (None, None, Some(level)) => vec![format!("level {}", level.number())],
        (None, None, None) => Vec::new(),
    };
    words.extend(limits.move_time.map(|time| format!("{time:?} a move")));
    words.extend(options.game_time.map(|time| format!("{time:?} a game")));
    words.extend(limits.nodes.map(|nodes| format!("{nodes} nodes a move")));
    if words.is_empty() {
        words.push(format!("level {}", Level::DEFAULT.number()));
    }
    if let Some(weakness) = weakness {
        let bounded = weakness.max_error().filter(|_| named.is_none());
        words.extend(bounded.map(|discs| format!("at most {discs} discs lost in a move")));
        words.push(format!("seed {}", session.seed()));
    }
    words.join(", ")
}
