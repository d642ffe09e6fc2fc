//! Encyclopedias: what the subject is, then the main parts of the article.

use super::kind::{Kind, Signs, sign};
use super::shape::Shape;
use crate::compose::{Composer, Draft};
use crate::order::sorted;

pub(super) static KIND: Kind = Kind {
    name: "encyclopedia",
    wants: "what or who the subject is, when and where, what it is known for, its most important figures, and how it ended or stands today",
    evidence,
    compose,
};

const PARTS: &str = "etymology; distribution; habitat; taxonomy; early life; biography; geography; demographics; occurrence; properties; merkmale; verbreitung; lebensweise; gefährdung; geschichte; leben; werk; \
    géographie; histoire; biographie; toponymie; historia; geografía; biografía; etimología; storia; geografia; biografia; história; geschiedenis; история; география; биография; гидрология; \
    生涯; 概要; 沿革; 来歴; 历史; 地理; 生平; 역사; 생애; التاريخ; जीवन; इतिहास";

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(0.03, "at first", true);
    signs.add(0.80, "defines its subject", shape.defines);
    signs.add(1.7, "opens with its title", shape.opens_with_title);
    signs.add(1.0, "years of a life", shape.lifespan);
    signs.add(0.61, "references", shape.has.references);
    signs.add(0.82, "see also", shape.has.see_also);
    signs.add(1.1, "beginning", shape.begins("encyclopedia; wikipedia; enzyklopädie; encyclopédie; enciclopedia; enciclopédia; encyclopedie; encyklopedia; энциклопед; 百科; 事典"));
    signs.add(0.53, "nobody is addressed", shape.first_person < 0.03 && shape.second_person < 0.05);
    signs.add(1.3, "parts of an article", shape.heads(PARTS));
    signs.add(0.22, "rows", shape.rows > 3);
    signs.add(-0.85, "code", shape.codes > 1);
    signs.add(-0.80, "abstract", shape.has.r#abstract);
    signs.add(-0.53, "prices", shape.prices + shape.priced_rows > 3);
    signs.add(-1.9, "reports", shape.reporting.min(0.2));
    signs.add(-1.5, "binding words", shape.binding.min(0.4));
    signs.add(-0.81, "several people", shape.people > 1);
    signs.add(-1.0, "members or options", shape.members > 3 || shape.options > 2);
    signs.add(-0.80, "questions", shape.questions > 2);
    signs.add(-0.82, "many rows", shape.rows > 12 && shape.words < 400);
    signs.add(-3.2, "addresses the reader", (shape.second_person - 0.05).clamp(0.0, 0.3));
    signs.add(-3.3, "first person", (shape.first_person - 0.05).clamp(0.0, 0.3));
    signs.add(-2.2, "instructions", shape.commands.min(0.3));
    signs.add(-0.71, "days", shape.days > 0.2);
}

/// What a sentence of the first paragraph is worth more, and one that begins with a pronoun for the subject.
const FIRST: f32 = 1.2;
const NAMED: f32 = 1.2;
/// Of a page without headings all is introduction: so much of it is read.
const INTRO_SENTENCES_MAX: usize = 200;
/// An introduction of so many sentences sums up all of the article, or most of it.
const INTRO_LONG: usize = 8;
const INTRO_MIDDLE: usize = 4;

fn compose(composer: &mut Composer<'_>) {
    // The text before the first heading that is not the title says the most.
    let end = composer
        .sections()
        .iter()
        .find(|section| section.level > 1)
        .map_or(usize::MAX, |section| section.heading);
    let intro = 0..end.min(composer.all().end);
    let sentences = composer.sentences(&intro);
    if !composer.lead_within(&intro) {
        composer.about();
    }
    let parts = &composer.digest.outline.parts;
    let all = intro.flat_map(|block| parts[block].sentences.clone()).take(INTRO_SENTENCES_MAX);
    let mut lines: Vec<(usize, Option<Draft>)> = sentences.into_iter().map(|at| (at, None)).collect();
    lines.extend(all.filter_map(|at| Some((at, Some(composer.named(at)?)))));
    let known = lines.len();
    // The first paragraph says what the rest tells at length.
    let first = composer.lines.first().map(|line| composer.digest.sentences()[line.sentence].block);
    let worth = |(at, draft): &(usize, Option<Draft>)| {
        let is_first = Some(composer.digest.sentences()[*at].block) == first;
        composer.score(*at) + NAMED * sign(draft.is_some()) + FIRST * sign(is_first)
    };
    let order = sorted(&lines, worth);
    // A long introduction sums the article up; of a short one the parts tell the rest.
    let room = composer.room();
    let of_intro = match known {
        INTRO_LONG.. => room,
        INTRO_MIDDLE.. => room.saturating_sub(1),
        _ => room.div_ceil(2),
    };
    let wanted = composer.lines.len() + of_intro;
    for (at, draft) in order {
        if composer.lines.len() >= wanted {
            break;
        }
        match draft {
            _ if composer.is_said(at) => false,
            Some(draft) => composer.add(draft),
            None => composer.say(at),
        };
    }
    composer.spread(composer.room());
    composer.fill(composer.room());
    composer.in_page_order(1);
}
