//! Chapters of books: the idea, its rules, the conclusion.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::CONCLUSION;

pub(super) static KIND: Kind = Kind { name: "book-chapter", evidence, compose };

const NAMES: &str = "chapter; kapitel; chapitre; capítulo; capitolo; hoofdstuk; rozdział; глава; فصل; 第一章; 第二章; 第三章; 章";

fn evidence(shape: &Shape) -> f32 {
    1.3 * sign(shape.is_titled(NAMES))
        + 0.4 * sign(shape.begins("chapter; kapitel; chapitre; capítulo; capitolo; rozdział; глава"))
        + 0.4 * sign(shape.headings_text.contains("chapter"))
        + 0.4 * sign(shape.words > 1_200)
        + 0.2 * sign(shape.headings > 3)
        - 0.6 * sign(shape.rows > 20)
        - 2.0 * sign(Shape::share(shape.questions, shape.headings) > 0.4)
        - 2.0 * (shape.binding - 0.2).max(0.0)
        - 1.0 * sign(shape.members > 8)
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    let conclusion = composer.section(CONCLUSION).filter(|_| composer.room() > 2);
    let concluded = conclusion.and_then(|section| composer.best(&composer.sentences(&section.whole)));
    composer.spread(composer.room().saturating_sub(1 + usize::from(concluded.is_some())));
    if let Some(at) = concluded {
        composer.say(at);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
