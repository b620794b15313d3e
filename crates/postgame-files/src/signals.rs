//! Signals that would end the program without a message.

use std::io;

/// Makes writes beyond the limit on the size of files (`ulimit -f`) fail with an error. By default the system ends the
/// program instead.
///
/// # Errors
/// When the system refuses the handler.
pub fn report_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;

        // Any handler will do; the flag is never read.
        let flag = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag)?;
    }
    Ok(())
}
