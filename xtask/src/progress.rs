//! What is under way, so that nobody waits before a silent terminal: the jobs that run, how many are done, for how long.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a log that nobody can rewrite gets a line.
const LOG_EVERY: Duration = Duration::from_secs(15);
const TICK: Duration = Duration::from_millis(200);
/// Takes away the line under the cursor.
const CLEAR: &str = "\r\x1b[2K";

struct Board {
    total: usize,
    done: usize,
    running: Vec<(usize, &'static str, String)>,
    next: usize,
    /// A line stands under the cursor and must go before anything else is printed.
    drawn: bool,
}

static BOARD: Mutex<Board> =
    Mutex::new(Board { total: 0, done: 0, running: Vec::new(), next: 0, drawn: false });

fn board() -> MutexGuard<'static, Board> {
    BOARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the progress of so many jobs until it is dropped.
pub struct Shown {
    stop: Arc<AtomicBool>,
    ticker: Option<JoinHandle<()>>,
}

/// Begins to show the progress of `total` jobs; 0 where nobody knows how many there will be.
pub fn show(total: usize) -> Shown {
    *board() = Board { total, done: 0, running: Vec::new(), next: 0, drawn: false };
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let ticker = std::thread::spawn(move || tick(&stopped));
    Shown { stop, ticker: Some(ticker) }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(ticker) = self.ticker.take() {
            // A ticker that panicked has nothing left to show.
            let _ = ticker.join();
        }
        clear();
    }
}

/// A job, under way until it is dropped.
pub struct Job(usize);

/// Begins a job.
pub fn job(name: &'static str) -> Job {
    let mut board = board();
    board.next += 1;
    let id = board.next;
    board.running.push((id, name, String::new()));
    Job(id)
}

impl Job {
    /// What the job is at.
    pub fn detail(&self, text: String) {
        if let Some((_, _, detail)) = board().running.iter_mut().find(|(id, ..)| *id == self.0) {
            *detail = text;
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut board = board();
        board.running.retain(|(id, ..)| *id != self.0);
        board.done += 1;
    }
}

/// Takes the line of progress away, before something else is printed.
pub fn clear() {
    if std::mem::take(&mut board().drawn) {
        eprint!("{CLEAR}");
    }
}

fn tick(stop: &AtomicBool) {
    let terminal = std::io::stderr().is_terminal();
    let started = Instant::now();
    let mut logged = started;
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(TICK);
        let mut board = board();
        let Some(line) = line(&board, started.elapsed()) else { continue };
        if terminal {
            eprint!("{CLEAR}{line}");
            // A line that could not be drawn is drawn a moment later.
            let _ = std::io::stderr().flush();
            board.drawn = true;
        } else if logged.elapsed() >= LOG_EVERY {
            logged = Instant::now();
            eprintln!("{line}");
        }
    }
}

/// Such as `  1:05  2 of 6 done; wasm: 43 crates, npm`; nothing where no job runs.
fn line(board: &Board, elapsed: Duration) -> Option<String> {
    if board.running.is_empty() {
        return None;
    }
    let seconds = elapsed.as_secs();
    let done =
        if board.total == 0 { String::new() } else { format!("{} of {} done; ", board.done, board.total) };
    let mut line = format!("  {}:{:02}  {done}", seconds / 60, seconds % 60);
    for (at, (_, name, detail)) in board.running.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let colon = if detail.is_empty() { "" } else { ": " };
        // Writing to a string does not fail.
        let _ = write!(line, "{comma}{name}{colon}{detail}");
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_runs_and_for_how_long() {
        let running = vec![(1, "wasm", "43 crates".to_owned()), (2, "npm", String::new())];
        let board = Board { total: 6, done: 2, running, next: 2, drawn: false };
        let text = line(&board, Duration::from_secs(65));
        assert_eq!(text.as_deref(), Some("  1:05  2 of 6 done; wasm: 43 crates, npm"));
        let unknown = Board { total: 0, running: vec![(1, "npm", String::new())], ..board };
        assert_eq!(line(&unknown, Duration::from_secs(5)).as_deref(), Some("  0:05  npm"));
        assert_eq!(line(&Board { running: Vec::new(), ..unknown }, Duration::ZERO), None);
    }
}
