//! Manual pages of commands and files: what it does, then the options that the page itself speaks of most.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::headings::{DESCRIPTION, MAN_NAME};

pub(super) static KIND: Kind = Kind {
    name: "man-page",
    wants: "what the command does, how it works, and its most important options with what each does",
    evidence,
    compose,
};
/// Options of a line.
const OPTIONS_MAX: usize = 3;

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.14, "at first", true);
    signs.add(3.3, "NAME and SYNOPSIS", shape.has.name && (shape.has.synopsis || shape.has.description));
    signs.add(1.00, "SYNOPSIS and OPTIONS", shape.has.synopsis && (shape.has.options || shape.options > 2));
    signs.add(1.4, "section in the title", is_numbered_title(&shape.title_cased));
    signs.add(0.80, "options", shape.options > 3);
    signs.add(0.68, "title", shape.is_titled("manual page; man page; manpage; linux man"));
    signs.add(-0.82, "several people", shape.people > 1);
}

/// "tar(1)", "fstab (5)".
fn is_numbered_title(title: &str) -> bool {
    title.split_once('(').is_some_and(|(_, rest)| {
        rest.chars().next().is_some_and(|c| c.is_ascii_digit()) && rest.chars().take(4).any(|c| c == ')')
    })
}

fn compose(composer: &mut Composer<'_>) {
    if let Some(name) = composer.section(MAN_NAME) {
        let mut draft = Draft::default();
        if let Some(block) = name.body.clone().find(|&block| !composer.text(block).is_empty()) {
            composer.put(&mut draft, "", block, LINE_WORDS_MAX);
        }
        composer.add(draft);
    }
    if let Some(section) = composer.section(DESCRIPTION) {
        let first = composer.find_lead(&section.body);
        if !first.is_some_and(|at| composer.say(at)) {
            composer.lead();
        }
    } else {
        composer.lead();
    }
    let is_option = |text: &str| text.trim_start().starts_with(['-', '+']) && text.len() < 120;
    let mut glossed = composer.glossed(&is_option);
    if glossed.len() < 2 {
        glossed = composer.glossed(&|text: &str| {
            text.split_whitespace().count() <= 4
                && !text.chars().all(|c| c.is_uppercase() || !c.is_alphabetic())
        });
    }
    let lines = composer.room();
    let each = glossed.len().div_ceil(lines.max(1)).clamp(1, OPTIONS_MAX);
    composer.gloss_lines(&glossed, lines, each);
    composer.fill(composer.room());
}
