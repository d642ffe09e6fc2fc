//! Chapters of books: the idea, its rules, the conclusion.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::CONCLUSION;

pub(super) static KIND: Kind = Kind {
    name: "book-chapter",
    wants: "what the chapter claims, its rules or main ideas, an example with numbers, and its conclusion",
    evidence,
    compose,
};

const NAMES: &str = "chapter; kapitel; chapitre; capítulo; capitolo; hoofdstuk; rozdział; глава; فصل; 第一章; 第二章; 第三章; 章";

const ELSEWHERE: &str = "last chapter; last two chapters; previous chapter; next chapter; this chapter; last section; vorigen kapitel; nächsten kapitel; diesem kapitel; capítulo anterior; este capítulo; \
    chapitre précédent; ce chapitre; capitolo precedente; questo capitolo; poprzednim rozdziale; в прошлой главе; этой главе; 上一章; 本章; 前章; 이 장에서";

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.03, "at first", true);
    signs.add(0.99, "title", shape.is_titled(NAMES));
    signs.add(
        0.71,
        "beginning",
        shape.opens("chapter; kapitel; chapitre; capítulo; capitolo; rozdział; глава"),
    );
    signs.add(1.2, "earlier and later chapters", shape.begins(ELSEWHERE));
    signs.add(0.36, "chapters as headings", shape.heads("chapter"));
    signs.add(0.39, "long", shape.words > 1_200);
    signs.add(0.24, "headings", shape.headings > 3);
    signs.add(0.48, "exercises", shape.heads("exercises; problems; summary; zusammenfassung; übungen; ejercicios; exercices; esercizi; exercícios; упражнения; 习题; 小结; 練習問題; 연습문제"));
    signs.add(0.85, "speaks as we", shape.first_person.min(0.3));
    signs.add(-0.60, "rows", shape.rows > 20);
    signs.add(-2.0, "questions", Shape::share(shape.questions, shape.headings) > 0.4);
    signs.add(-2.1, "binding words", (shape.binding - 0.2).max(0.0));
    signs.add(-1.0, "members", shape.members > 8);
    signs.add(-0.82, "several people", shape.people > 1);
    signs.add(-0.26, "clauses", shape.clauses > 3);
    signs.add(-1.5, "speech", shape.speech > 0.25);
    signs.add(-1.5, "reports", shape.reporting.min(0.3));
}

fn compose(composer: &mut Composer<'_>) {
    composer.about();
    composer.outline_line();
    composer.rules_line();
    let conclusion = composer.section(CONCLUSION).filter(|_| composer.room() > 2);
    let concluded = conclusion.and_then(|section| composer.best(&composer.sentences(&section.whole)));
    composer.spread(composer.room().saturating_sub(1 + usize::from(concluded.is_some())));
    if let Some(at) = concluded {
        composer.say(at);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
