//! Opening files: books, read-only books, and files that are not books.

use super::*;

#[test]
fn files_that_are_not_books_are_refused_by_name() {
    let (folder, path) = folder();
    let refusal = |path: &Path| Book::read(path).expect_err("not a book").to_string();
    assert!(refusal(&path).contains("no such book"), "{}", refusal(&path));
    std::fs::write(&path, "a text that is longer than the header of a database").expect("writable");
    assert!(refusal(&path).contains("not a book"), "{}", refusal(&path));
    std::fs::write(&path, "").expect("writable");
    assert!(refusal(&path).contains("not a book"), "{}", refusal(&path));
    std::fs::write(&path, "x").expect("writable");
    assert!(Book::create(&path, None).is_err_and(|error| error.to_string().contains("not a book")));
    assert_eq!(std::fs::read(&path).expect("a file"), b"x");
    let newer = folder.path().join("newer.sqlite");
    let book = Book::create(&newer, None).expect("a new book");
    book.database.set_metadata("version", "7").expect("writable");
    drop(book);
    assert!(refusal(&newer).contains("version 7"), "{}", refusal(&newer));
    assert!(Book::create(&newer, None).is_err());
}

#[test]
fn a_read_only_book_is_read_and_not_written() {
    let (_folder, path) = folder();
    Book::create(&path, None).expect("a new book").add(&random_games(5, 1)).expect("writable");
    let mut permissions = std::fs::metadata(&path).expect("a file").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).expect("permissions can be set");
    // The superuser may write files that are read-only for everybody else.
    let may_write = std::fs::OpenOptions::new().write(true).open(&path).is_ok();
    match Book::write(&path) {
        Err(error) => assert!(!may_write && matches!(error, BookError::ReadOnly(_)), "{error}"),
        Ok(_) => assert!(may_write),
    }
    let mut book = Book::read(&path).expect("a book");
    assert_eq!(book.counts().expect("readable").games, 5);
    let error = book.add(&random_games(9, 1)).expect_err("opened for reading");
    assert!(matches!(error, BookError::ReadOnly(_)), "{error}");
}

#[test]
fn closing_a_book_leaves_no_files_beside_it() {
    let (folder, path) = folder();
    Book::create(&path, None).expect("a new book").add(&random_games(5, 1)).expect("writable");
    Book::read(&path).expect("a book").counts().expect("readable");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// Makes a book of version 1 with one game, by its own SQL.
fn make_version_1(path: &Path) {
    Book::create(path, Some(40)).expect("a new book").add(&random_games(1, 1)).expect("writable");
    let connection = rusqlite::Connection::open(path).expect("a database");
    connection
        .execute_batch(
            "CREATE TABLE about (name TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL)
                WITHOUT ROWID;
             INSERT INTO about (name, content) VALUES ('version', '1'), ('plies', '40');
             DROP TABLE metadata;",
        )
        .expect("writable");
}

fn tables(path: &Path) -> Vec<String> {
    let connection = rusqlite::Connection::open(path).expect("a database");
    let mut select = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .expect("SQL");
    let names = select.query_map([], |row| row.get(0)).expect("readable");
    names.collect::<Result<_, _>>().expect("text")
}

#[test]
fn a_book_of_version_1_is_read_as_it_is_and_renamed_when_written() {
    let (_folder, path) = folder();
    make_version_1(&path);
    let book = Book::read(&path).expect("a book");
    assert_eq!((book.max_ply(), book.counts().expect("readable").games), (40, 1));
    drop(book);
    assert_eq!(tables(&path), ["about", "game", "move", "position"]);
    let mut book = Book::write(&path).expect("a book");
    assert_eq!(book.max_ply(), 40);
    book.add(&random_games(2, 2)).expect("writable");
    assert_no_faults(&mut book);
    drop(book);
    assert_eq!(tables(&path), ["game", "metadata", "move", "position"]);
    let book = Book::read(&path).expect("a book");
    assert_eq!((book.max_ply(), book.counts().expect("readable").games), (40, 3));
    assert_eq!(book.database.metadata("version").expect("readable").as_deref(), Some("2"));
}

#[test]
fn a_reader_keeps_reading_while_a_book_of_version_1_is_renamed() {
    let (_folder, path) = folder();
    make_version_1(&path);
    let reader = Book::read(&path).expect("a book");
    Book::create(&path, None).expect("a book").add(&random_games(2, 2)).expect("writable");
    assert_eq!(reader.counts().expect("readable").games, 3);
}
