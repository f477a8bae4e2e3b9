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
    match Book::write(&path) {
        Err(error) => assert!(matches!(error, BookError::ReadOnly(_)), "{error}"),
        Ok(_) => umigame_othello::testing::skip("this user may write read-only files"),
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
