//! Progress on a terminal, when the work takes longer than a second; elsewhere a line when learning takes minutes.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tribunal::Progress;

use crate::long_work::LongWork;
use crate::messages::{is_read_by_a_person, say};

/// Shorter work needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// On anything but a terminal learning is told of after so long.
const MINUTES: Duration = Duration::from_secs(60);

/// A bar that appears once patience runs out; on anything but a terminal it never does.
pub(crate) struct WorkBar {
    started: Instant,
    patience: Duration,
    bar: Option<ProgressBar>,
    /// What the bar shows.
    shown: Mutex<Option<Work>>,
    /// The learners that are at work, by their places.
    learners: Vec<String>,
    /// Who tells of learning where there is no bar.
    long_work: Option<LongWork>,
}

#[derive(Clone, Copy, PartialEq)]
enum Work {
    Reading,
    Drawing,
    Fitting,
    Crossing,
    Studying,
    Generating,
}

impl WorkBar {
    pub(crate) fn new(quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let long_work = (!quiet && !is_read_by_a_person()).then(|| LongWork::new(MINUTES, say));
        let mut bar = Self::on(target, PATIENCE);
        bar.long_work = long_work;
        bar
    }

    /// The same with the names of learners.
    pub(crate) fn naming(mut self, learners: Vec<String>) -> Self {
        self.learners = learners;
        self
    }

    fn on(target: ProgressDrawTarget, patience: Duration) -> Self {
        let bar = (!target.is_hidden()).then(|| ProgressBar::with_draw_target(Some(0), target));
        let (started, shown) = (Instant::now(), Mutex::new(None));
        Self { started, patience, bar, shown, learners: Vec::new(), long_work: None }
    }

    /// Shows how far the work is.
    pub(crate) fn show(&self, progress: Progress) {
        match progress {
            Progress::Fitting { rows } => {
                let name = self.name(0);
                self.tell(&name, || format!("learning {name} from {rows} rows"));
                return self.wait_for(Work::Fitting, rows, 0);
            }
            Progress::Crossing { entrant, entrants, done, total } => {
                let (name, n_done) = (self.name(entrant - 1), (entrant - 1) * total + done);
                self.tell(&name, || format!("trying {name}, {n_done} of {} splits done", entrants * total));
                return self.wait_for(Work::Crossing, entrants * total, n_done);
            }
            Progress::Studying { learner, done, total } => {
                let name = self.name(learner);
                self.tell(&name, || {
                    format!("trying {name}, {} % of the study done", 100 * done / total.max(1))
                });
                return self.wait_for(Work::Studying, total, done);
            }
            _ => {}
        }
        let Some(bar) = self.bar.as_ref().filter(|_| self.started.elapsed() >= self.patience) else { return };
        match progress {
            Progress::Reading(read) => {
                self.turn_to(Work::Reading, bar, read.total_bytes);
                bar.set_message(format!("{} rows", read.rows));
                bar.set_position(read.bytes);
            }
            Progress::Drawing { done, total } => {
                self.turn_to(Work::Drawing, bar, total);
                bar.set_position(done);
            }
            Progress::Generating { done, total } => {
                self.turn_to(Work::Generating, bar, total);
                bar.set_position(done);
            }
            _ => {}
        }
    }

    /// The name of a learner, by its place.
    fn name(&self, place: u64) -> String {
        self.learners.get(place as usize).map_or(String::new(), |name| tribunal::printable(name).into_owned())
    }

    /// Says who is at work, on the bar or where there is none.
    fn tell(&self, name: &str, work: impl Fn() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_owned());
        }
        if let Some(long_work) = &self.long_work {
            long_work.begin(work());
        }
    }

    /// Learning tells of its beginning only, so the clock keeps the bar alive.
    fn wait_for(&self, work: Work, length: u64, position: u64) {
        let Some(bar) = &self.bar else { return };
        if self.turn_to(work, bar, length) && is_thread_to_be_had() {
            bar.enable_steady_tick(self.patience.max(Duration::from_millis(10)));
        }
        if self.started.elapsed() >= self.patience {
            bar.set_position(position);
        }
    }

    /// Dresses the bar for another kind of work, and says whether it is another.
    fn turn_to(&self, work: Work, bar: &ProgressBar, length: u64) -> bool {
        let Ok(mut shown) = self.shown.lock() else { return false };
        if shown.replace(work) == Some(work) {
            return false;
        }
        let template = match work {
            Work::Reading => "reading {bar:30} {bytes}/{total_bytes} {msg} {eta} left",
            Work::Drawing => "drawing cases again {bar:30} {pos}/{len} {eta} left",
            Work::Fitting => "learning {msg} from {len} rows, for {elapsed}",
            Work::Crossing => "trying {msg} {bar:30} {pos}/{len} splits, for {elapsed}",
            Work::Studying => "{percent} % {bar:30} {msg}, for {elapsed}, about {eta} left",
            Work::Generating => "making claims {bar:30} {percent} % {eta} left",
        };
        bar.reset();
        bar.set_length(length);
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        true
    }
}

/// Whether the system gives one more thread: the clock of a bar is one, and panics where there is none.
fn is_thread_to_be_had() -> bool {
    thread::Builder::new().spawn(|| ()).is_ok_and(|thread| thread.join().is_ok())
}

impl Drop for WorkBar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    fn bar(patience: Duration) -> (WorkBar, InMemoryTerm) {
        let terminal = InMemoryTerm::new(4, 80);
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(terminal.clone()), 255);
        (WorkBar::on(target, patience), terminal)
    }

    #[test]
    fn the_bar_follows_the_work_and_leaves_nothing_behind() {
        let (bar, terminal) = bar(Duration::ZERO);
        let read = |bytes, rows| {
            let drawn = Progress::Reading(tribunal_io::Progress { rows, bytes, total_bytes: 2048 });
            bar.show(drawn);
        };
        read(512, 10);
        std::thread::sleep(Duration::from_millis(20));
        read(1024, 20);
        assert!(terminal.contents().contains("reading") && terminal.contents().contains("20 rows"));
        std::thread::sleep(Duration::from_millis(20));
        bar.show(Progress::Drawing { done: 50, total: 200 });
        assert!(terminal.contents().contains("drawing cases again"), "{}", terminal.contents());
        std::thread::sleep(Duration::from_millis(20));
        bar.show(Progress::Generating { done: 30, total: 120 });
        assert!(terminal.contents().contains("making claims") && terminal.contents().contains("25 %"));
        let bar = bar.naming(vec!["svm".into(), "nb".into()]);
        bar.show(Progress::Fitting { rows: 1399 });
        std::thread::sleep(Duration::from_millis(50));
        assert!(terminal.contents().contains("learning svm from 1399 rows"), "{}", terminal.contents());
        bar.show(Progress::Crossing { entrant: 2, entrants: 3, done: 4, total: 10 });
        std::thread::sleep(Duration::from_millis(50));
        let shown = terminal.contents();
        assert!(shown.contains("trying nb") && shown.contains("14/30 splits"), "{shown}");
        let bar = bar.naming(vec!["nb".into(), "lssvm:rbf".into()]);
        bar.show(Progress::Studying { learner: 1, done: 30, total: 120 });
        std::thread::sleep(Duration::from_millis(50));
        let shown = terminal.contents();
        assert!(shown.contains("25 %") && shown.contains("lssvm:rbf"), "{shown}");
        drop(bar);
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn short_work_shows_nothing() {
        let (bar, terminal) = bar(Duration::from_secs(60));
        bar.show(Progress::Drawing { done: 1, total: 2 });
        assert_eq!(terminal.contents(), "");
        bar.show(Progress::Fitting { rows: 12 });
        bar.show(Progress::Crossing { entrant: 1, entrants: 1, done: 4, total: 10 });
        drop(bar);
        assert_eq!(terminal.contents(), "");
    }
}
