//! Work on several threads, where the caller wants that.

/// True where the caller has more than one thread.
pub(crate) fn has_threads() -> bool {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return true;
    }
    false
}

/// Does two things, on two threads where the caller has them.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if has_threads() {
        return rayon::join(first, second);
    }
    (first(), second())
}
