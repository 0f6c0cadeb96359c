//! Work done in parallel and delivered in order.
//!
//! The calling thread takes the next job (reading a block, say), hands it to rayon and delivers finished
//! results in the order of their jobs. A bounded number are under way, so memory does not grow with the
//! file, and the first failure in order of jobs is the one reported, whichever thread failed first.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// Runs `work` on each of `jobs` in parallel and gives the results to `deliver` in order.
///
/// # Errors
/// Stops at the first error of `deliver` and returns it.
pub(crate) fn in_order<J, T, E>(
    jobs: impl Iterator<Item = J>,
    work: impl Fn(J) -> T + Sync,
    mut deliver: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E>
where
    J: Send,
    T: Send,
{
    // One more than can run: what waits to be delivered takes memory, and fresh memory is slow.
    let window = rayon::current_num_threads() + 1;
    let work = &work;
    rayon::in_place_scope(|scope| {
        let mut under_way = VecDeque::with_capacity(window);
        for job in jobs {
            if under_way.len() == window {
                under_way.pop_front().and_then(wait).map_or(Ok(()), &mut deliver)?;
            }
            let (done, result) = sync_channel(1);
            scope.spawn(move |_| {
                // The receiver is gone when an earlier result stopped the run: nobody waits for this one.
                let _ = done.send(work(job));
            });
            under_way.push_back(result);
        }
        under_way.into_iter().filter_map(wait).try_for_each(&mut deliver)
    })
}

/// The result, or `None` when its job panicked, which the scope passes on.
fn wait<T>(result: Receiver<T>) -> Option<T> {
    loop {
        match result.try_recv() {
            Ok(value) => return Some(value),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        // Inside a rayon pool this thread must work while it waits, or a pool of one would stand still.
        match rayon::yield_now() {
            None => return result.recv().ok(),
            Some(rayon::Yield::Executed) => {}
            Some(rayon::Yield::Idle) => std::thread::yield_now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(threads: usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let squares = pool.install(|| {
            let mut squares = Vec::new();
            in_order::<_, _, ()>(
                0..1000,
                |n| n * n,
                |square| {
                    squares.push(square);
                    Ok(())
                },
            )
            .map(|()| squares)
        });
        assert_eq!(squares, Ok((0..1000).map(|n| n * n).collect()));
    }

    #[test]
    fn results_come_in_order_with_any_number_of_threads() {
        [1, 2, 7].into_iter().for_each(check);
    }

    #[test]
    fn the_first_failure_in_order_wins() {
        let failing = |n: u32| if n % 10 == 3 { Err(n) } else { Ok(n) };
        let mut delivered = 0;
        let outcome = in_order(0..100, failing, |result| {
            delivered += 1;
            result.map(drop)
        });
        assert_eq!((outcome, delivered), (Err(3), 4));
    }
}
