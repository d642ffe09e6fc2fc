//! Encyclopedias: what the subject is, then the main parts of the article.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::order::sorted;

pub(super) static KIND: Kind = Kind { name: "encyclopedia", evidence, compose };

fn evidence(shape: &Shape) -> f32 {
    0.9 * sign(shape.defines)
        + 0.8 * sign(shape.has.references)
        + 0.9 * sign(shape.has.see_also)
        + 0.9 * sign(shape.begins("encyclopedia; wikipedia; enzyklopädie; encyclopédie; enciclopedia; enciclopédia; encyclopedie; encyklopedia; энциклопед; 百科; 事典"))
        + 0.4 * sign(shape.first_person < 0.03 && shape.second_person < 0.05)
        + 0.2 * sign(shape.rows > 3)
        - 0.8 * sign(shape.codes > 3)
        - 0.5 * sign(shape.has.summary)
        - 0.8 * sign(shape.prices > 2)
        - 2.0 * shape.reporting.min(0.2)
}

fn compose(composer: &mut Composer<'_>) {
    // The text before the first heading that is not the title says the most.
    let end = composer
        .sections()
        .iter()
        .find(|section| section.level > 1)
        .map_or(usize::MAX, |section| section.heading);
    let intro = 0..end.min(composer.all().end);
    let sentences = composer.sentences(&intro);
    match composer.find_lead(&intro) {
        Some(lead) => composer.say(lead),
        None => composer.lead(),
    };
    let mut best = sentences;
    best = sorted(&best, |&at| composer.score(at));
    let of_intro = composer.room().div_ceil(2);
    for at in best.into_iter().filter(|at| !composer.is_said(*at)).take(of_intro).collect::<Vec<_>>() {
        composer.say(at);
    }
    composer.spread(composer.room());
    composer.fill(composer.room());
    composer.in_page_order(1);
}
