//! What questions with answers and other threads share: who says what, the reply that helped, and the lines of both kinds.

use std::ops::Range;

use super::forms::has_any_word;
use super::kind::sign;
use super::shape::Shape;
use crate::compose::Composer;
use crate::labels::is_numbered;
use crate::order::sorted;
use crate::page::BlockKind;
use crate::words::{count_words, lower};

/// Headings over answers.
const ANSWERS: &str = "answers; answer; antworten; antwort; réponses; respuestas; risposte; respostas; antwoorden; odpowiedzi; ответы; ответов; الإجابات; 回答; 个回答; 답변; उत्तर";
/// Words of replies that name a cause or a cure.
const CURES: &str = "because; the cause; caused by; the problem is; the problem was; the reason; it is; that is; isn't; is not; replace; replaced; instead; update; upgrade; use; set; add; run;     clean; turn; switch; weil; ursache; liegt an; lag an; ersetzt; verwende; nimm; stelle; parce que; cause; utilise; remplace; utiliser; porque; causa; usa; reemplaza; cambia; perché; usare;     sostituire; use; troque; omdat; gebruik; vervang; ponieważ; użyj; потому что; причина; используй; замен; 因为; 原因; 改; 使用; 原因は; 使って; なので; 때문; 원인";
/// Words of those whom it helped.
const HELPED: &str = "fixed; worked; works; that was it; turned out; sorted; confirmed; no longer; not a single; went away; gelöst; geholfen; funktioniert; läuft; résolu; marche; fonctionne; solucionado; \
    funciona; resuelto; risolto; funziona; resolvido; opgelost; werkt; rozwiązane; działa; решено; помогло; заработало; 解决; 可以了; 解決; 해결";
/// Words that thank, or close the thread.
const THANKS: &str = "thanks; thank you; cheers; marking this; accepted; danke; merci; gracias; grazie; obrigado; obrigada; bedankt; dzięki; спасибо; 谢谢; ありがとう; 감사; شكرا; धन्यवाद";
/// Words that a reply needs to be one.
const REPLY_WORDS_MIN: usize = 12;
const TURNS_MAX: usize = 400;
const TITLE_WORDS_MIN: usize = 5;
/// So many steps of a reply tell what to do.
const STEPS_MIN: usize = 2;
const STEPS_MAX: usize = 12;
/// What votes add to a reply's worth at most.
const VOTED_MAX: f32 = 4.0;
/// What is read of the later words of who asked.
const SAID_BYTES_MAX: usize = 64 << 10;

/// Whether a heading counts answers: "3 Answers".
pub(super) fn has_answers(shape: &Shape) -> bool {
    let counts = |line: &str| line.split_whitespace().count() <= 3 && has_any_word(line, ANSWERS);
    shape.headings < 24 && shape.headings_text.lines().any(counts)
}

/// Blocks that follow each other and are by one person, or of one post; nobody's where the page does not say whose.
struct Turn {
    speaker: Option<usize>,
    votes: Option<i32>,
    accepted: bool,
    range: Range<usize>,
}

fn turns(composer: &Composer<'_>) -> Vec<Turn> {
    let speakers = &composer.digest.speakers;
    let parts = &composer.digest.outline.parts;
    let mut turns: Vec<Turn> = Vec::new();
    for (block, part) in parts.iter().enumerate() {
        let is_text = part.kind.is_ranked();
        let is_answers =
            part.kind == BlockKind::Heading && has_any_word(&lower(composer.text(block)), ANSWERS);
        let speaker = speakers.of(block);
        match turns.last_mut() {
            Some(turn)
                if !is_answers && (!is_text || (turn.speaker, turn.votes) == (speaker, part.votes)) =>
            {
                turn.range.end = block + 1;
            }
            _ => turns.push(Turn {
                speaker,
                votes: part.votes,
                accepted: part.accepted,
                range: block..block + 1,
            }),
        }
        if turns.len() >= TURNS_MAX {
            break;
        }
    }
    turns
}

/// The question, the reply that helped, what came of it, and the next best reply.
pub(super) fn compose(composer: &mut Composer<'_>) {
    let turns = turns(composer);
    let Some((asked, replies)) = split(composer, &turns) else {
        composer.about();
        return composer.fill(composer.room());
    };
    // A title of some words tells the problem; a short one is a name.
    let tells =
        composer.title_block().is_some_and(|block| count_words(composer.text(block)) >= TITLE_WORDS_MIN);
    match composer.find_lead(&asked.range).filter(|_| tells) {
        Some(lead) => composer.titled(lead),
        None => composer.about_within(&asked.range),
    };
    let thanks = said_later(composer, asked, replies);
    let order = sorted(&replies.iter().collect::<Vec<_>>(), |turn| worth(composer, turn, asked, &thanks));
    let Some(best) = order.first() else { return composer.fill(composer.room()) };
    if !on_subject(composer, &best.range) {
        opening(composer, best);
    }
    let steps = steps(composer, &best.range);
    if steps.len() < STEPS_MIN {
        for at in composer.cued(&best.range, CURES).into_iter().take(1) {
            composer.say(at);
        }
    }
    composer.join(None, &steps, 1, "; ");
    if let Some(at) = outcome(composer, asked, replies) {
        composer.say(at);
    }
    if let Some(next) = order.iter().skip(1).find(|turn| turn.speaker != asked.speaker) {
        opening(composer, next);
    }
    if let Some(at) = composer.best(&composer.sentences(&best.range)) {
        composer.say(at);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}

/// The steps of a reply: what it numbers or lists.
fn steps(composer: &Composer<'_>, range: &Range<usize>) -> Vec<usize> {
    let speakers = &composer.digest.speakers;
    let by = speakers.of(range.start);
    let counts = |&block: &usize| {
        let part = &composer.digest.outline.parts[block];
        let is_item = part.kind == BlockKind::ListItem
            || (part.kind == BlockKind::Paragraph && is_numbered(composer.text(block)));
        let says = part
            .sentences
            .clone()
            .any(|at| composer.digest.rank_of(at).is_some_and(|rank| !composer.digest.words.is_poor[rank]));
        is_item && says && speakers.of(block) == by
    };
    range.clone().filter(counts).take(STEPS_MAX).collect()
}

/// What came of it: of what the one who asked says last, the sentence that says the most about it.
fn outcome(composer: &Composer<'_>, asked: &Turn, replies: &[Turn]) -> Option<usize> {
    let own = replies.iter().rev().filter(|turn| turn.speaker == asked.speaker && turn.speaker.is_some());
    let told = |turn: &Turn| {
        let sentences = composer.sentences(&turn.range);
        let tells: Vec<usize> =
            sentences.into_iter().filter(|&at| outcome_worth(composer, at) > 0.0).collect();
        sorted(&tells, |&at| outcome_worth(composer, at)).first().copied()
    };
    own.take(2).find_map(told)
}

/// It says that something helped, counts or measures, or names the problem.
fn outcome_worth(composer: &Composer<'_>, at: usize) -> f32 {
    let text = lower(&composer.digest.sentences()[at].text);
    let has = |words: &str| sign(has_any_word(&text, words));
    sign(text.chars().any(char::is_numeric)) + 0.8 * has(HELPED) + 2.0 * composer.titled_share(at)
        - 2.0 * has(THANKS)
}

/// The turn that asks, and those behind it.
fn split<'t>(composer: &Composer<'_>, turns: &'t [Turn]) -> Option<(&'t Turn, &'t [Turn])> {
    let says = |turn: &&Turn| !composer.sentences(&turn.range).is_empty();
    let first = turns.iter().position(|turn| says(&turn))?;
    (first + 1 < turns.len()).then(|| (&turns[first], &turns[first + 1..]))
}

/// What the one who asked says later, in lower case: its beginning, which every reply's author is looked for in.
fn said_later(composer: &Composer<'_>, asked: &Turn, replies: &[Turn]) -> String {
    let own = replies.iter().filter(|turn| turn.speaker == asked.speaker);
    let mut said = String::new();
    for block in own.flat_map(|turn| turn.range.clone()) {
        if said.len() > SAID_BYTES_MAX {
            break;
        }
        said.push_str(&lower(composer.text(block)));
        said.push('\n');
    }
    said
}

/// How well a reply helps: it names causes and cures, is the first of the answers, and the one who asked names or thanks its author.
fn worth(composer: &Composer<'_>, turn: &Turn, asked: &Turn, thanks: &str) -> f32 {
    let words: usize = composer.digest.outline.parts[turn.range.clone()].iter().map(|part| part.words).sum();
    let is_own = turn.speaker.is_some() && turn.speaker == asked.speaker;
    if words < REPLY_WORDS_MIN || is_own || turn.votes.is_some_and(|votes| votes < 0) {
        return -1.0;
    }
    let voted = (turn.votes.unwrap_or(0).max(0) as f32 + 1.0).ln();
    let cured = composer.cued(&turn.range, CURES).len().min(6) as f32;
    let starts = composer.text(turn.range.start);
    let is_first = has_any_word(&lower(starts), ANSWERS) && count_words(starts) <= 3;
    let name = composer.digest.speakers.name(turn.range.start).map(lower).unwrap_or_default();
    let called = name.split(|c: char| !c.is_alphanumeric()).find(|word| word.chars().count() > 2);
    let is_named = called.is_some_and(|called| has_any_word(thanks, called));
    0.5 * cured
        + voted.min(VOTED_MAX)
        + if turn.accepted { 3.0 } else { 0.0 }
        + (words as f32 / 40.0).min(2.0)
        + if is_first { 2.5 } else { 0.0 }
        + if is_named { 2.0 } else { 0.0 }
}

/// Adds the sentence of some blocks that says the most about what the title names.
fn on_subject(composer: &mut Composer<'_>, range: &Range<usize>) -> bool {
    let mut sentences = composer.sentences(range);
    sentences.retain(|&at| composer.titled_share(at) > 0.0);
    let worth = |&at: &usize| 3.0 * composer.titled_share(at) + 0.5 * composer.score(at);
    let best = sorted(&sentences, worth).first().copied();
    best.is_some_and(|at| composer.say(at))
}

/// Adds the first sentence of a reply that says something.
fn opening(composer: &mut Composer<'_>, turn: &Turn) {
    if let Some(first) = composer.first(&turn.range) {
        composer.say(first);
    }
}
