//! Watches a search: shows how far it is when it takes long, and ends it when the user asks for that.

use std::time::{Duration, Instant};

use arena_packer::packing::{Progress, Watch};
use indicatif::{ProgressBar, ProgressStyle};

use crate::signals::Interrupt;

/// A search that ends before that shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Beside a search, for as long as it runs.
pub(crate) struct Observer {
    interrupt: Interrupt,
    start: Instant,
    steps: Option<u64>,
    bar: Option<ProgressBar>,
    interrupted: bool,
}

impl Observer {
    /// From now on, for a search that may take so many steps.
    pub(crate) fn start(steps: Option<u64>) -> nix::Result<Observer> {
        let interrupt = Interrupt::hold()?;
        Ok(Observer { interrupt, start: Instant::now(), steps, bar: None, interrupted: false })
    }

    /// Ends; true if the user ended the search.
    pub(crate) fn end(self) -> bool {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.interrupted
    }

    fn show(&mut self, progress: &Progress) {
        let Progress { steps, height, lower_bound } = progress;
        let bar = self.bar.get_or_insert_with(|| new_bar(self.steps, self.start));
        bar.set_message(format!("height {}, lower bound {}", height.0, lower_bound.0));
        bar.set_position(*steps);
    }
}

impl Watch for Observer {
    fn go_on(&mut self, progress: &Progress) -> bool {
        if self.start.elapsed() >= PATIENCE {
            self.show(progress);
        }
        self.interrupted |= self.interrupt.has_come();
        !self.interrupted
    }
}

/// Nothing is drawn where standard error is not a terminal.
fn new_bar(steps: Option<u64>, start: Instant) -> ProgressBar {
    let (bar, template) = match steps {
        Some(steps) => (ProgressBar::new(steps), "{elapsed_precise} {wide_bar} {pos}/{len} steps, {msg}"),
        None => (ProgressBar::no_length(), "{elapsed_precise} {spinner} {pos} steps, {msg}"),
    };
    // A template of ours that cannot be read would only look different.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_elapsed(start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    use arena_packer::Bytes;
    use nix::sys::signal::{Signal, raise};

    #[test]
    fn a_signal_ends_the_search_and_not_the_program() {
        let progress = Progress { steps: 1, height: Bytes(2), lower_bound: Bytes(1) };
        let mut observer = Observer::start(None).unwrap();
        assert!(observer.go_on(&progress));
        raise(Signal::SIGINT).unwrap();
        assert!(!observer.go_on(&progress));
        assert!(!observer.go_on(&progress));
        assert!(observer.end());
        assert!(!Observer::start(Some(7)).unwrap().end());
    }
}
