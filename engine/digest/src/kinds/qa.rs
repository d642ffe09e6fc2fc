//! A question and its answers, as on sites where answers are voted on.

use super::kind::{Kind, sign};
use super::shape::Shape;
use super::thread::{ANSWERS, HELPED, has_answers, second_speaker};
use crate::compose::Composer;
use crate::labels::is_question;

pub(super) static KIND: Kind = Kind { name: "qa", evidence, compose };

fn evidence(shape: &Shape) -> f32 {
    2.0 * sign(shape.is_typed(&["qapage"]))
        + 1.9 * sign(has_answers(shape))
        + 0.6 * sign(is_question(&shape.title))
        + 0.5 * sign(shape.begins("asked; accepted answer; gefragt; preguntado"))
        + 0.3 * sign(shape.people > 1)
        + 0.2 * sign(shape.codes > 0)
        - 0.9 * sign(shape.questions > 3)
        - 0.6 * sign(shape.reporting > 0.1)
}

fn compose(composer: &mut Composer<'_>) {
    let end = composer
        .sections()
        .iter()
        .find(|section| super::forms::has_any_word(&composer.text(section.heading).to_lowercase(), ANSWERS))
        .map(|section| section.heading);
    let all = composer.all();
    let (asked, answered) = match end.or_else(|| second_speaker(composer)) {
        Some(at) => (0..at, at..all.end),
        None => (0..all.end / 3, all.end / 3..all.end),
    };
    // The title is the question.
    if !composer.title_line(&[])
        && let Some(lead) = composer.find_lead(&asked)
    {
        composer.say(lead);
    }
    // The first answer is the accepted or the best one.
    let end = third_speaker(composer, answered.start).unwrap_or(answered.end);
    let first = composer.sentences(&(answered.start..end));
    let cues = composer.cued(&(answered.start..end), HELPED);
    for at in first.first().copied().into_iter().chain(cues.into_iter().take(1)) {
        composer.say(at);
    }
    if let Some(best) = composer.best(&first) {
        composer.say(best);
    }
    if let Some(best) = composer.best(&composer.sentences(&(end..answered.end))) {
        composer.say(best);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}

/// Where the one who answers first has ended.
fn third_speaker(composer: &Composer<'_>, start: usize) -> Option<usize> {
    let speakers = &composer.digest.speakers;
    let first = (start..composer.all().end).find_map(|block| speakers.of(block))?;
    (start..composer.all().end).find(|&block| speakers.of(block).is_some_and(|one| one != first))
}
