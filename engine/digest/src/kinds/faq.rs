//! Answered questions: the answers. A question alone says nothing.

use super::kind::{Kind, Signs, sign};
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::labels::is_question;
use crate::order::sorted;
use crate::outline::Section;
use crate::page::BlockKind;
use crate::terms::contained;
use crate::words::{behind_phrase, count_words, head, lower};

pub(super) static KIND: Kind = Kind {
    name: "faq",
    wants: "the answers that matter the most, each as a statement with its numbers, prices and dates",
    evidence,
    compose,
};

const NAMES: &str = "faq; frequently asked; common questions; questions and answers; your questions; häufige fragen; häufig gestellte fragen; fragen und antworten; questions fréquentes; \
    foire aux questions; preguntas frecuentes; domande frequenti; perguntas frequentes; veelgestelde vragen; najczęściej zadawane; często zadawane; pytania i odpowiedzi; \
    вопросы и ответы; часто задаваемые; الأسئلة الشائعة; よくある質問; よくあるご質問; najczęstsze pytania; questions answered; people ask; 問答; 자주 묻는 질문; 常见问题; 常見問題; अक्सर पूछे";
/// Answers that are read.
const ANSWERS_MAX: usize = 200;
const ROWS_MAX: usize = 12;
/// What the first answer is worth more: pages answer first what most ask.
const FIRST: f32 = 1.0;
/// Words of each row of a table that answers, and of each item of a list.
const ROW_WORDS: usize = 8;
const ITEM_WORDS: usize = 12;
/// Words of an item that says something, and of a question that has room before a list.
const ITEM_WORDS_MIN: usize = 4;
const LABEL_WORDS_MAX: usize = 8;

fn evidence(shape: &Shape, signs: &mut Signs) {
    let share = Shape::share(shape.questions, shape.headings);
    signs.add(-0.17, "at first", true);
    signs.add(2.1, "title", shape.is_titled(NAMES));
    signs.add(0.37, "heading", shape.heads(NAMES) && shape.questions > 1);
    signs.add(1.2, "type of schema.org", shape.is_typed(&["faqpage"]) && shape.questions > 1);
    signs.add(0.95, "share of questions", share * sign(shape.questions > 2));
    signs.add(0.33, "questions", shape.questions > 5);
    signs.add(
        1.3,
        "blocks that ask",
        Shape::share(shape.asks * 2, shape.paragraphs + shape.items).min(1.0)
            * sign(shape.asks > 3 && shape.people < 2),
    );
    signs.add(-1.00, "is sold", shape.sells && !shape.is_titled(NAMES));
    signs.add(-0.80, "several people", shape.people > 2);
    signs.add(-0.80, "ingredients", shape.has.ingredients);
}

/// Answers that begin with one of these say nothing without their question.
const YES_NO: &str = "yes; no; nope; not; only; ja; nein; jein; oui; non; sí; no; sì; sim; não; nee; tak; nie; да; нет; так; ні; jo; nej; نعم; لا; हाँ; हां; नहीं; はい; いいえ; 네; 아니요; 아니오; 是的; 不是; 可以; 不";

/// An answer: the question's block, its first sentence that says something, the rows that it begins with or the items that it is made of,
/// and how much it matters.
struct Answer {
    question: usize,
    sentence: usize,
    rows: Vec<usize>,
    items: Vec<usize>,
    /// It begins with a yes or a no.
    is_short: bool,
    worth: f32,
}

impl Answer {
    fn stands_alone(&self) -> bool {
        self.rows.is_empty() && self.items.is_empty() && !self.is_short
    }
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
        if !answer.stands_alone() {
            whole(composer, answer);
            continue;
        }
        let mut draft = Draft::default();
        composer.put_sentence(&mut draft, "", answer.sentence, LINE_WORDS_MAX);
        let room = LINE_WORDS_MAX.saturating_sub(draft.words());
        if draft.words() * 2 <= LINE_WORDS_MAX + 4
            && let Some(next) = rest.peek()
            && next.stands_alone()
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
    if !answer.rows.is_empty()
        && let Some(draft) = composer.list(Some(answer.question), &answer.rows, ROW_WORDS, "; ")
    {
        composer.add(draft);
        return;
    }
    let is_brief = count_words(composer.text(answer.question)) <= LABEL_WORDS_MAX;
    let label = Some(answer.question).filter(|_| is_brief);
    if let Some(draft) = composer.list(label, &answer.items, ITEM_WORDS, "; ") {
        composer.add(draft);
        return;
    }
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
        let (rows, items) = (rows(composer, section), items(composer, section));
        let mut first = sentences.clone().take(6).filter(says);
        let said = first.clone().find(|&at| composer.stands(at)).or_else(|| first.next());
        let of_rows = || sentences.clone().next().filter(|_| !rows.is_empty());
        let Some(sentence) = said.or_else(of_rows) else { continue };
        let one = &digest.sentences()[sentence];
        let asked = digest.terms.count(composer.text(section.heading)).0;
        let worth = composer.score(sentence) * 0.5
            + contained(&title, &asked) * 2.0
            + 0.6 * sign(one.text.chars().any(char::is_numeric))
            + 0.5 * contained(&asked, &digest.terms.counts[sentence])
            + FIRST / (1.0 + answers.len() as f32 / 2.0)
            - 0.6 * sign(one.words > LINE_WORDS_MAX);
        let begins = lower(head(&one.text, 16));
        let is_short = YES_NO.split("; ").any(|word| behind_phrase(&begins, word).is_some());
        answers.push(Answer { question: section.heading, sentence, rows, items, is_short, worth });
    }
    answers
}

/// The rows that an answer begins with, without the names of their columns.
fn rows(composer: &Composer<'_>, section: &Section) -> Vec<usize> {
    let is_row = |block: &usize| composer.digest.outline.parts[*block].kind == BlockKind::Table;
    let mut rows: Vec<usize> = section.body.clone().take_while(is_row).take(ROWS_MAX).collect();
    if rows.len() > 2 && !composer.text(rows[0]).chars().any(char::is_numeric) {
        rows.remove(0);
    }
    rows
}

/// The items of an answer that is a list: they have most of its words. What stands before them only announces them.
fn items(composer: &Composer<'_>, section: &Section) -> Vec<usize> {
    let parts = &composer.digest.outline.parts;
    let says = |block: usize| {
        parts[block].words >= ITEM_WORDS_MIN
            && parts[block].sentences.clone().next().is_some_and(|at| composer.stands(at))
    };
    let mut items = composer.items(&section.body);
    items.retain(|&block| says(block));
    let listed: usize = items.iter().map(|&block| parts[block].words).sum();
    let is_list = items.len() > 1 && listed * 2 > composer.words_in(&section.body);
    if is_list { items } else { Vec::new() }
}
