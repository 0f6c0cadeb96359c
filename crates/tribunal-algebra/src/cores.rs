//! On how many cores large pieces are worked on.

use faer::Par;

/// All cores, unless the caller is one of several threads that are at work already: they would take each other's pieces up
/// while they wait, and hold the memory of many at once.
pub(crate) fn free_cores() -> Par {
    if rayon::current_thread_index().is_some() { Par::Seq } else { Par::rayon(0) }
}
