//! Threads: the problem, its cause, what helped, and who confirmed it.

use super::kind::{Kind, sign};
use super::shape::Shape;
use super::thread::{HELPED, has_answers, second_speaker};
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "forum", evidence, compose };

fn evidence(shape: &Shape) -> f32 {
    1.6 * sign(shape.is_typed(&["discussionforum"]))
        + 1.2 * sign(shape.people > 2)
        + 0.5 * sign(shape.said > 5)
        + 0.9 * sign(shape.begins("forum; thread; reply; replies; posts; joined; board; antworten; beiträge; foro; topic; 论坛; 掲示板"))
        + 1.5 * shape.first_person.min(0.4)
        - 1.5 * sign(has_answers(shape))
        - 0.8 * sign(shape.people == 0)
        - 0.6 * sign(shape.reporting > 0.15)
        - 0.6 * sign(shape.has.ingredients)
        - 0.4 * sign(shape.headings > 10)
}

fn compose(composer: &mut Composer<'_>) {
    let all = composer.all();
    let split = second_speaker(composer).unwrap_or(all.end.min(3));
    if let Some(lead) = composer.find_lead(&(0..split)) {
        composer.say(lead);
    }
    let later = split..all.end;
    let helped = composer.cued(&later, HELPED);
    let last = helped.iter().copied().max();
    for at in helped.into_iter().take(2) {
        composer.say(at);
    }
    if let Some(last) = last {
        composer.say(last);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
