//! Lines for whoever reads standard error from a file or another program: that work goes on which has taken minutes.
//!
//! A terminal has a bar. Elsewhere nothing is said of work that is done within a minute, and of longer work ever more rarely:
//! after one minute, two, four, and so on.

use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is being done, until it is over.
#[derive(Default)]
struct State {
    work: String,
    is_over: bool,
}

/// Says now and then what is being done; stops when it is dropped.
pub(crate) struct LongWork {
    state: Arc<(Mutex<State>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl LongWork {
    /// Says its first line after `patience`.
    pub(crate) fn new(patience: Duration, say: impl Fn(&str) + Send + 'static) -> Self {
        let state: Arc<(Mutex<State>, Condvar)> = Arc::default();
        let shared = Arc::clone(&state);
        // Without a thread there is nobody to say anything, which is no reason to fail.
        let repeat = move || tell_now_and_then(&shared, patience, say);
        let thread = thread::Builder::new().name("long-work".into()).spawn(repeat).ok();
        LongWork { state, thread }
    }

    /// What is being done from now on.
    pub(crate) fn begin(&self, work: String) {
        if let Ok(mut state) = self.state.0.lock() {
            state.work = work;
        }
    }
}

impl Drop for LongWork {
    fn drop(&mut self) {
        if let Ok(mut state) = self.state.0.lock() {
            state.is_over = true;
        }
        self.state.1.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn tell_now_and_then((state, ended): &(Mutex<State>, Condvar), patience: Duration, say: impl Fn(&str)) {
    let (begun, mut next) = (Instant::now(), patience);
    while let Ok(state) = state.lock() {
        let left = next.saturating_sub(begun.elapsed());
        let Ok((state, waited)) = ended.wait_timeout_while(state, left, |state| !state.is_over) else {
            return;
        };
        if state.is_over {
            return;
        }
        if waited.timed_out() && !state.work.is_empty() {
            say(&format!("still at work after {}: {}", in_words(begun.elapsed()), state.work));
        }
        next = next.max(begun.elapsed()) * 2;
    }
}

fn in_words(elapsed: Duration) -> String {
    match (elapsed.as_secs_f64() / 60.0).round() as u64 {
        0 | 1 => "a minute".to_owned(),
        minutes @ 2..=120 => format!("{minutes} minutes"),
        minutes => format!("{} hours", minutes / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Lines = Arc<Mutex<Vec<String>>>;

    fn long_work(patience: Duration, lines: &Lines) -> LongWork {
        let lines = Arc::clone(lines);
        LongWork::new(patience, move |line| lines.lock().expect("lines").push(line.to_owned()))
    }

    #[test]
    fn long_work_is_told_ever_more_rarely() {
        let lines = Lines::default();
        let work = long_work(Duration::from_millis(20), &lines);
        work.begin("learning svm from 20000 rows".into());
        thread::sleep(Duration::from_millis(500));
        drop(work);
        let said = lines.lock().expect("lines");
        assert_eq!(
            said.first().map(String::as_str),
            Some("still at work after a minute: learning svm from 20000 rows")
        );
        // After 20, 40, 80, 160 and 320 milliseconds, where the machine has the time.
        assert!((1..=5).contains(&said.len()), "{said:?}");
    }

    #[test]
    fn short_work_is_not_told_and_waits_for_nobody() {
        let (lines, begun) = (Lines::default(), Instant::now());
        let work = long_work(Duration::from_secs(3600), &lines);
        work.begin("learning".into());
        drop(work);
        assert!(lines.lock().expect("lines").is_empty());
        assert!(begun.elapsed() < Duration::from_secs(1800));
    }

    #[test]
    fn times_are_told_in_words() {
        let words = |seconds: u64| in_words(Duration::from_secs(seconds));
        assert_eq!(
            [60, 121, 7199, 7260, 40_000].map(words),
            ["a minute", "2 minutes", "120 minutes", "2 hours", "11 hours"]
        );
    }
}
