//! Manual pages of commands and files: what it does, then the options that the page itself speaks of most.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::headings::{DESCRIPTION, MAN_NAME};

pub(super) static KIND: Kind = Kind { name: "man-page", evidence, compose };

fn evidence(shape: &Shape) -> f32 {
    2.2 * sign(shape.has.name && (shape.has.synopsis || shape.has.description))
        + 1.0 * sign(shape.has.synopsis && (shape.has.options || shape.options > 2))
        + 1.2 * sign(is_numbered_title(&shape.title))
        + 0.8 * sign(shape.options > 3)
        + 0.6 * sign(shape.is_titled("manual page; man page; manpage; linux man"))
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
        let first = composer.first(&section.whole);
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
    let each = if glossed.len() > lines { 2 } else { 1 };
    composer.gloss_lines(&glossed, lines, each);
    composer.fill(composer.room());
}
