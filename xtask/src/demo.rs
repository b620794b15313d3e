pub fn run() -> crate::tools::Result {
    Ok(())
}
