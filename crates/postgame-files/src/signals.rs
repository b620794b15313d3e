//! Signals that would end the program without a word.

use std::io;

/// Lets writes over the limit on the size of files (`ulimit -f`) fail with an error. By default the system ends the
/// program there, in the middle of its work.
///
/// # Errors
/// The system's.
pub fn report_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        // Any handler does; nobody looks at the flag.
        let flag = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag)?;
    }
    Ok(())
}
