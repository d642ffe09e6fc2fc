//! Runs stages, several at once where they allow it: most keep one core busy for half of their time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::error::Result;
use crate::progress;
use crate::tally::{Outcome, Tally};

/// Stages that run at once.
const AT_ONCE: usize = 2;

/// A part of a run.
pub struct Stage<R> {
    /// What it is called.
    pub name: &'static str,
    /// Does it.
    pub run: fn(&R) -> Result<Tally>,
    /// Stages that must have passed, where they run too.
    pub needs: &'static [&'static str],
    /// Why it is left out; empty where it runs.
    pub left_out: &'static str,
    /// Nothing runs beside it: it measures time, or keeps all cores busy.
    pub is_alone: bool,
}

struct Board<'a, R> {
    waiting: Vec<&'a Stage<R>>,
    running: Vec<&'a Stage<R>>,
    outcomes: Vec<Outcome>,
}

/// What a thread does next.
enum Next<'a, R> {
    Run(&'a Stage<R>),
    /// Another stage has to end first.
    Wait,
    End,
}

impl<'a, R> Board<'a, R> {
    fn next(&mut self) -> Next<'a, R> {
        if self.waiting.is_empty() {
            return Next::End;
        }
        if self.running.iter().any(|stage| stage.is_alone) {
            return Next::Wait;
        }
        let is_free = |stage: &&'a Stage<R>| {
            let is_open =
                |name: &str| self.waiting.iter().chain(&self.running).any(|other| other.name == name);
            !stage.needs.iter().any(|name| is_open(name)) && (!stage.is_alone || self.running.is_empty())
        };
        let Some(at) = self.waiting.iter().position(is_free) else { return Next::Wait };
        let stage = self.waiting.remove(at);
        self.running.push(stage);
        Next::Run(stage)
    }

    /// The first stage that this one needs and that did not pass, where it ran.
    fn broken(&self, stage: &Stage<R>) -> Option<&'static str> {
        let broken = |name: &str| {
            let outcome = self.outcomes.iter().find(|outcome| outcome.name == name);
            outcome.is_some_and(|outcome| outcome.tally.passed == 0 || outcome.tally.failed > 0)
        };
        stage.needs.iter().copied().find(|name| broken(name))
    }
}

/// Runs the stages, in their order as far as they allow it. What came out of them is in the order in which they ended.
pub fn run<R: Sync>(stages: &[Stage<R>], with: &R) -> Vec<Outcome> {
    let board =
        Mutex::new(Board { waiting: stages.iter().collect(), running: Vec::new(), outcomes: Vec::new() });
    let ended = Condvar::new();
    let lock = || -> MutexGuard<'_, Board<'_, R>> { board.lock().unwrap_or_else(PoisonError::into_inner) };
    let work = || loop {
        let mut held = lock();
        let stage = loop {
            match held.next() {
                Next::Run(stage) => break stage,
                Next::Wait => held = ended.wait(held).unwrap_or_else(PoisonError::into_inner),
                Next::End => return,
            }
        };
        let broken = held.broken(stage);
        drop(held);
        let outcome = outcome(stage, broken, with);
        let mut held = lock();
        held.running.retain(|other| other.name != stage.name);
        held.outcomes.push(outcome);
        print(&held.outcomes, stages.len());
        ended.notify_all();
    };
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    board.into_inner().unwrap_or_else(PoisonError::into_inner).outcomes
}

fn outcome<R>(stage: &Stage<R>, broken: Option<&str>, with: &R) -> Outcome {
    let started = Instant::now();
    let tally = match (broken, stage.left_out) {
        (Some(needed), _) => {
            Tally::skipped(format!("stage {}", stage.name), format!("stage {needed} failed"))
        }
        (None, "") => {
            progress::clear();
            println!("{} begins", stage.name);
            // What runs alone says a line for every case.
            let _job = (!stage.is_alone).then(|| progress::job(stage.name));
            (stage.run)(with).unwrap_or_else(|error| Tally::failed(error.to_string()))
        }
        (None, reason) => Tally::skipped(format!("stage {}", stage.name), reason),
    };
    Outcome { name: stage.name, tally, seconds: started.elapsed().as_secs_f64() }
}

/// What became of the stage that ended last.
fn print(outcomes: &[Outcome], of: usize) {
    let Some(Outcome { name, tally, seconds }) = outcomes.last() else { return };
    progress::clear();
    for line in tally.notes.iter().map(String::as_str).chain(tally.failures.iter().map(|f| f.what.as_str())) {
        println!("  {line}");
    }
    let Tally { passed, failed, skipped, .. } = tally;
    let count = outcomes.len();
    println!(
        "{name} ({count} of {of}): {passed} passed, {failed} failed, {skipped} skipped in {seconds:.0} s"
    );
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    /// How many stages run, how many ran at once, and how many beside one that wants to be alone.
    #[derive(Default)]
    struct Seen {
        now: AtomicUsize,
        most: AtomicUsize,
        beside_alone: AtomicUsize,
    }

    fn work(seen: &Seen) -> Result<Tally> {
        let now = seen.now.fetch_add(1, Ordering::SeqCst) + 1;
        seen.most.fetch_max(now, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(20));
        seen.now.fetch_sub(1, Ordering::SeqCst);
        Ok(Tally::one())
    }

    fn alone(seen: &Seen) -> Result<Tally> {
        let beside = || seen.now.load(Ordering::SeqCst);
        seen.beside_alone.fetch_add(beside(), Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(20));
        seen.beside_alone.fetch_add(beside(), Ordering::SeqCst);
        Ok(Tally::one())
    }

    fn stage(name: &'static str, run: fn(&Seen) -> Result<Tally>) -> Stage<Seen> {
        Stage { name, run, needs: &[], left_out: "", is_alone: false }
    }

    #[test]
    fn stages_run_beside_each_other_but_for_those_that_want_to_be_alone() {
        let alone = Stage { is_alone: true, ..stage("alone", alone) };
        let stages = [stage("a", work), alone, stage("b", work), stage("c", work)];
        let seen = Seen::default();
        let outcomes = run(&stages, &seen);
        assert_eq!(outcomes.iter().map(|outcome| outcome.tally.passed).sum::<u64>(), 4);
        assert_eq!(seen.most.load(Ordering::SeqCst), AT_ONCE);
        assert_eq!(seen.beside_alone.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_stage_waits_for_what_it_needs_and_is_skipped_where_that_failed() {
        let needs: &[&str] = &["broken", "absent"];
        let after = Stage { needs, ..stage("after", work) };
        let stages = [after, stage("broken", |_| Ok(Tally::failed("it"))), stage("sound", work)];
        let outcomes = run(&stages, &Seen::default());
        let of =
            |name: &str| outcomes.iter().find(|o| o.name == name).map(|o| (o.tally.passed, o.tally.skipped));
        assert_eq!((of("sound"), of("after")), (Some((1, 0)), Some((0, 1))));
    }
}
