//! Answered questions: the answers. A question alone says nothing.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::labels::is_question;
use crate::order::sorted;
use crate::terms::contained;

pub(super) static KIND: Kind = Kind { name: "faq", evidence, compose };

const NAMES: &str = "faq; frequently asked; common questions; questions and answers; your questions; häufige fragen; häufig gestellte fragen; fragen und antworten; questions fréquentes; \
    foire aux questions; preguntas frecuentes; domande frequenti; perguntas frequentes; veelgestelde vragen; najczęściej zadawane; często zadawane; pytania i odpowiedzi; \
    вопросы и ответы; часто задаваемые; الأسئلة الشائعة; よくある質問; 자주 묻는 질문; 常见问题; 常見問題; अक्सर पूछे";
/// Answers that are read.
const ANSWERS_MAX: usize = 200;

fn evidence(shape: &Shape) -> f32 {
    let share = Shape::share(shape.questions, shape.headings);
    1.5 * sign(shape.is_titled(NAMES))
        + 1.2 * sign(shape.is_typed(&["faqpage"]) && shape.questions > 1)
        + 2.2 * share * sign(shape.questions > 2)
        + 0.5 * sign(shape.questions > 5)
        - 0.8 * sign(shape.people > 2)
        - 0.8 * sign(shape.has.ingredients)
}

/// An answer: the question's block, its first sentence that says something, and how much it matters.
struct Answer {
    question: usize,
    sentence: usize,
    worth: f32,
}

fn compose(composer: &mut Composer<'_>) {
    let answers = answers(composer);
    let lines = composer.room();
    if answers.len() <= lines {
        answers.iter().for_each(|answer| whole(composer, answer));
        composer.fill(composer.room());
        return composer.in_page_order(0);
    }
    // Two short answers share a line.
    let mut chosen: Vec<&Answer> = answers.iter().collect();
    chosen = sorted(&chosen, |answer| answer.worth);
    chosen.truncate(lines * 2);
    chosen = sorted(&chosen, |answer| -(answer.question as f32));
    let mut rest = chosen.into_iter().peekable();
    while composer.room() > 0 {
        let Some(answer) = rest.next() else { break };
        let mut draft = Draft::default();
        composer.put_sentence(&mut draft, "", answer.sentence, LINE_WORDS_MAX);
        let room = LINE_WORDS_MAX.saturating_sub(draft.words());
        if draft.words() * 2 <= LINE_WORDS_MAX + 4
            && let Some(next) = rest.peek()
            && composer.put_sentence(&mut draft, " · ", next.sentence, room)
        {
            rest.next();
        }
        composer.add(draft);
    }
    composer.fill(composer.room());
}

/// "question? answer", where both have the room.
fn whole(composer: &mut Composer<'_>, answer: &Answer) {
    let mut draft = Draft::default();
    composer.put_label(&mut draft, answer.question);
    let room = LINE_WORDS_MAX.saturating_sub(draft.words());
    if room < 10 || !composer.put_sentence(&mut draft, " ", answer.sentence, room) {
        draft = Draft::default();
        composer.put_sentence(&mut draft, "", answer.sentence, LINE_WORDS_MAX);
    }
    composer.add(draft);
}

fn answers(composer: &Composer<'_>) -> Vec<Answer> {
    let digest = composer.digest;
    let title = digest.terms.count(digest.title()).0;
    let mut answers = Vec::new();
    for section in
        composer.sections().iter().filter(|one| is_question(composer.text(one.heading))).take(ANSWERS_MAX)
    {
        let parts = &digest.outline.parts;
        let sentences = section.body.clone().flat_map(|block| parts[block].sentences.clone());
        let says = |at: &usize| {
            let one = &digest.sentences()[*at];
            one.words >= 5 && one.row.is_none() && !is_question(&one.text) && digest.rank_of(*at).is_some()
        };
        let mut first = sentences.take(6).filter(says);
        let Some(sentence) = first.clone().find(|&at| composer.stands(at)).or_else(|| first.next()) else {
            continue;
        };
        let one = &digest.sentences()[sentence];
        let asked = digest.terms.count(composer.text(section.heading)).0;
        let worth = composer.score(sentence) * 0.5
            + contained(&title, &asked) * 2.0
            + 0.6 * sign(one.text.chars().any(char::is_numeric))
            + 0.5 * contained(&asked, &digest.terms.counts[sentence])
            - 0.6 * sign(one.words > 28);
        answers.push(Answer { question: section.heading, sentence, worth });
    }
    answers
}
