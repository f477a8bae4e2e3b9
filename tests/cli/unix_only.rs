//! Tests that only Unix or Linux can run, on the other systems: each says why it is skipped.

#![cfg(not(unix))]

use umigame_othello::testing::skip;

/// Makes a skipped test for each name, with the file that holds the test.
macro_rules! skipped {
    ($($file:literal: $($name:ident),+: $reason:literal;)*) => {
        $($(#[test]
        fn $name() {
            skip(concat!($file, ": ", $reason));
        })+)*
    };
}

skipped! {
    "play_terminal.rs":
        a_line_can_be_edited_and_called_back,
        a_search_is_announced_and_quit_ctrl_d_and_ctrl_c_end_it:
        "no pseudo-terminal";
    "processor.rs": a_processor_of_2008_gets_one_line_of_error: "qemu-user runs programs of Linux";
    "processor.rs":
        it_starts_where_files_may_have_a_megabyte_only,
        illegal_instructions_are_ignored_where_the_parent_ignores_them:
        "limits and signals are those of Unix";
    "analyze.rs": file_names_may_have_any_bytes: "file names are text";
    "convert.rs": a_full_disk_ends_with_1_and_a_device_stays_a_device: "no /dev/full";
    "crates/lab/tests/commands.rs": a_closed_pipe_exits_with_0_and_a_full_device_with_1: "no shell";
    "crates/lab/src/files.rs":
        a_link_stays_a_link_and_the_file_behind_it_keeps_its_permissions,
        a_new_file_has_the_permissions_of_any_new_file,
        a_device_stays_a_device_and_takes_the_bytes:
        "links, modes and devices are those of Unix";
}
