//! Prints `docs/tables.md`: for `cargo xtask gen`.

#![allow(clippy::print_stdout)]

fn main() {
    print!("{}", postgame_tables::docs::page());
}
