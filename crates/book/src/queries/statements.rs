//! The statements, apart from those that only SQLite knows plain enough for a
//! PostgreSQL-compatible server: no types and functions of SQLite's own,
//! parameters as `$1`, upserts with `ON CONFLICT`. All of [`portable`]'s were
//! run on PostgreSQL 15 with the rows and the results of a book in SQLite.

/// What SQLite alone understands; a server has its own ways.
pub(super) mod sqlite {
    /// Sorted by its key on disk, as a PostgreSQL table is after `CLUSTER`.
    pub const ORDERED: &str = "WITHOUT ROWID";

    /// Readers go on while one writes; a commit survives a kill, and the file
    /// survives a power cut.
    pub const OPENING: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -65536; PRAGMA journal_size_limit = 67108864;";

    pub const ONLY_READ: &str = "PRAGMA query_only = ON";

    /// The one writer takes its place before it reads, and the next one waits:
    /// on a server `BEGIN`, and a lock of the tables.
    pub const BEGIN: &str = "BEGIN IMMEDIATE";

    pub const COUNT_TABLES: &str = "SELECT COUNT(*) FROM sqlite_schema";
    pub const COUNT_ABOUT: &str = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'about'";

    /// Another number after a commit of another connection.
    pub const DATA_VERSION: &str = "PRAGMA data_version";
    pub const INTEGRITY: &str = "PRAGMA integrity_check(20)";
}

/// What every server understands.
pub(super) mod portable {
    pub const COMMIT: &str = "COMMIT";
    pub const ROLLBACK: &str = "ROLLBACK";

    pub const TABLES: [&str; 4] = [
        "CREATE TABLE about (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)",
        "CREATE TABLE game (high BIGINT NOT NULL, low BIGINT NOT NULL,
            first TEXT NOT NULL, moves TEXT NOT NULL, black TEXT NOT NULL, white TEXT NOT NULL,
            place TEXT NOT NULL, date TEXT NOT NULL, result SMALLINT, PRIMARY KEY (high, low))",
        "CREATE TABLE position (empties SMALLINT NOT NULL, player BIGINT NOT NULL,
            opponent BIGINT NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL,
            draws INTEGER NOT NULL, losses INTEGER NOT NULL, total BIGINT NOT NULL,
            best SMALLINT, worst SMALLINT, next SMALLINT,
            searched SMALLINT, depth SMALLINT, percent SMALLINT, answer SMALLINT,
            value SMALLINT, trust SMALLINT, PRIMARY KEY (empties, player, opponent))",
        "CREATE TABLE move (empties SMALLINT NOT NULL, player BIGINT NOT NULL,
            opponent BIGINT NOT NULL, square SMALLINT NOT NULL, games INTEGER NOT NULL,
            wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER NOT NULL,
            total BIGINT NOT NULL, best SMALLINT, worst SMALLINT,
            PRIMARY KEY (empties, player, opponent, square))",
    ];

    pub const SET_ABOUT: &str = "INSERT INTO about (name, content) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET content = excluded.content";
    pub const GET_ABOUT: &str = "SELECT content FROM about WHERE name = $1";

    pub const ADD_GAME: &str = "INSERT INTO game
        (high, low, first, moves, black, white, place, date, result)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (high, low) DO NOTHING";
    pub const GAMES_AFTER: &str =
        "SELECT high, low, first, moves, black, white, place, date, result
        FROM game WHERE (high, low) > ($1, $2) ORDER BY high, low LIMIT $3";
    pub const COUNT_GAMES: &str = "SELECT COUNT(*) FROM game";

    pub const COUNT_POSITIONS: &str = "SELECT COUNT(*), COUNT(searched),
        COALESCE(SUM(CASE WHEN trust = 3 THEN 1 ELSE 0 END), 0) FROM position";
    pub const GET_POSITION: &str =
        "SELECT player, opponent, games, wins, draws, losses, total, best, worst,
        next, searched, depth, percent, answer, value, trust
        FROM position WHERE empties = $1 AND player = $2 AND opponent = $3";
    pub const LAYER: &str =
        "SELECT player, opponent, games, wins, draws, losses, total, best, worst,
        next, searched, depth, percent, answer, value, trust
        FROM position WHERE empties = $1 ORDER BY player, opponent";
    pub const SEARCHED: &str =
        "SELECT player, opponent, games, wins, draws, losses, total, best, worst,
        next, searched, depth, percent, answer, value, trust
        FROM position WHERE empties = $1 AND searched IS NOT NULL ORDER BY player, opponent";
    pub const PUT_POSITION: &str = "INSERT INTO position
        (empties, player, opponent, games, wins, draws, losses, total, best, worst,
         next, searched, depth, percent, answer, value, trust)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        ON CONFLICT (empties, player, opponent) DO UPDATE SET
        games = excluded.games, wins = excluded.wins, draws = excluded.draws,
        losses = excluded.losses, total = excluded.total, best = excluded.best,
        worst = excluded.worst, next = excluded.next, searched = excluded.searched,
        depth = excluded.depth, percent = excluded.percent, answer = excluded.answer,
        value = excluded.value, trust = excluded.trust";

    pub const GET_MOVES: &str =
        "SELECT player, opponent, square, games, wins, draws, losses, total, best,
        worst FROM move WHERE empties = $1 AND player = $2 AND opponent = $3 ORDER BY square";
    pub const LAYER_MOVES: &str =
        "SELECT player, opponent, square, games, wins, draws, losses, total, best,
        worst FROM move WHERE empties = $1 ORDER BY player, opponent, square";
    pub const DROP_MOVES: &str =
        "DELETE FROM move WHERE empties = $1 AND player = $2 AND opponent = $3";
    pub const PUT_MOVE: &str = "INSERT INTO move
        (empties, player, opponent, square, games, wins, draws, losses, total, best, worst)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    pub const COUNT_STRAY_MOVES: &str = "SELECT COUNT(*) FROM move WHERE NOT EXISTS (SELECT 1
        FROM position WHERE position.empties = move.empties AND position.player = move.player
        AND position.opponent = move.opponent AND position.next = -1)";
}

#[cfg(test)]
mod tests {
    /// Words of SQLite in what is to be portable would be found on a server,
    /// and too late.
    #[test]
    fn what_is_to_be_portable_has_no_word_of_sqlite_alone() {
        let source = include_str!("statements.rs");
        let (_, portable) = source.split_once("mod portable {").expect("it is there");
        let (portable, _) = portable.split_once("#[cfg(test)]").expect("this test is");
        assert!(portable.matches("pub const").count() >= 17);
        for word in ["PRAGMA", "sqlite", "ROWID", "IMMEDIATE", "OR REPLACE", "OR IGNORE"] {
            assert!(!portable.contains(word), "{word}");
        }
        for word in ["AUTOINCREMENT", "IFNULL", "BLOB", "GLOB", "?", "||", "`"] {
            assert!(!portable.contains(word), "{word}");
        }
    }
}
