//! Work on several threads, where the caller wants that.

/// Does two things, on two threads where the caller has them.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 {
        return rayon::join(first, second);
    }
    (first(), second())
}
