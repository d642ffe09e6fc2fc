//! One line per thing: what was there, what was done, what is worth knowing.

use std::sync::atomic::{AtomicBool, Ordering};

static SHOW_HAD: AtomicBool = AtomicBool::new(false);

/// Whether things that were there already are worth a line (in `setup`, not where it is a mere first step).
pub fn show_had(show: bool) {
    SHOW_HAD.store(show, Ordering::Relaxed);
}

/// It was there.
pub fn had(what: &str, detail: &str) {
    if SHOW_HAD.load(Ordering::Relaxed) {
        println!("  ok    {what:<9} {detail}");
    }
}

/// It was made or installed.
pub fn did(what: &str, detail: &str) {
    println!("  did   {what:<9} {detail}");
}

/// Something that is not as it could be, or a way round.
pub fn note(what: &str, detail: &str) {
    println!("  note  {what:<9} {detail}");
}
