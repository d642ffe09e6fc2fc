//! One line per thing: what was there, what was done, what is worth knowing.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::progress;

static SHOW_HAD: AtomicBool = AtomicBool::new(false);
static ASIDE: AtomicBool = AtomicBool::new(false);

/// Whether things that were there already are worth a line (in `setup`, not where it is a mere first step).
pub fn show_had(show: bool) {
    SHOW_HAD.store(show, Ordering::Relaxed);
}

/// Whether to say it where errors go, because a program reads what is printed.
pub fn aside(aside: bool) {
    ASIDE.store(aside, Ordering::Relaxed);
}

fn say(kind: &str, what: &str, detail: &str) {
    let line = format!("  {kind:<5} {what:<9} {detail}");
    progress::clear();
    if ASIDE.load(Ordering::Relaxed) { eprintln!("{line}") } else { println!("{line}") }
}

/// It was there.
pub fn had(what: &str, detail: &str) {
    if SHOW_HAD.load(Ordering::Relaxed) {
        say("ok", what, detail);
    }
}

/// It was made or installed.
pub fn did(what: &str, detail: &str) {
    say("did", what, detail);
}

/// Something that is not as it could be, or a way round.
pub fn note(what: &str, detail: &str) {
    say("note", what, detail);
}
