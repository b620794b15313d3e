//! Changes a count in the first container of a Satisfactory save: `cargo run --example container -- old.sav new.sav`.

use std::error::Error;
use std::fs;
use std::io::Write;

use postgame::{ReadOptions, Recording};

/// The count of the first stack. The path goes from the container to its inventory, which is another object.
const COUNT: &str = "mStorageInventory.mInventoryStacks[0].NumItems";

/// Sets the count to 42 and writes the save; everything else stays as it was.
pub fn run(path: &str, to: &str, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let (mut recording, _) = postgame::read(&fs::read(path)?, &ReadOptions::default())?;
    let Recording::Satisfactory(save) = &mut recording else {
        return Err("not a Satisfactory save".into());
    };
    let body = save.body.as_mut().ok_or("the save has no contents")?;
    let container = body.of_class("Build_StorageContainerMk1_C").next();
    let container = container.ok_or("the save has no container")?;
    let before = body.get(container, COUNT)?.int();
    body.set(container, COUNT, 42)?;
    fs::write(to, recording.write()?)?;
    writeln!(output, "{before:?} items before, 42 now")?;
    Ok(())
}

// The tests have this file as a module, which has no main.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (from, to) = (arguments.next(), arguments.next());
    let (from, to) = from.zip(to).ok_or("usage: container FROM TO")?;
    run(&from, &to, &mut std::io::stdout().lock())
}
