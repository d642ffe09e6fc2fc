//! What short texts and beginnings of pages look like, for telling kinds apart.

use crate::labels::{folded, has_copula, is_asked};
use crate::words::{Script, head, script_of};
use crate::{Sentence, count_words};

/// Letters of a cue from which on it may have an ending of its own, how long that is, and from which on it may be any part of a word.
const BENT_CHARS_MIN: usize = 5;
const ENDING_CHARS_MAX: usize = 2;
const PART_CHARS_MIN: usize = 8;
/// Characters of a sentence in which its subject and its verb are looked for.
const DEFINITION_CHARS_MAX: usize = 200;
/// Characters of a name or a time beside a post.
const STAMP_WORDS_MAX: usize = 9;

/// Whether a lower-case text has one of these cues, separated by semicolons. A short one has to be a whole word; one of five letters may
/// have an ending, one of eight may stand inside of a word, as in compounds. Scripts without spaces have no words.
pub(super) fn finds(text: &str, cues: &str) -> bool {
    cues.split(';').map(str::trim).filter(|cue| !cue.is_empty()).any(|cue| {
        let chars = cue.chars().count();
        let is_word =
            |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && script_of(c) == Script::Spaced);
        text.match_indices(cue).any(|(at, _)| {
            let starts = !is_word(cue.chars().next()) || !is_word(text[..at].chars().next_back());
            let ends = !is_word(cue.chars().next_back()) || !is_word(text[at + cue.len()..].chars().next());
            let letters = text[at + cue.len()..].chars().take_while(|c| is_word(Some(*c)));
            let bends =
                chars >= BENT_CHARS_MIN && letters.take(ENDING_CHARS_MAX + 1).count() <= ENDING_CHARS_MAX;
            (starts && (ends || bends)) || chars >= PART_CHARS_MIN
        })
    })
}

pub(super) fn has_price(text: &str) -> bool {
    const SIGNS: [char; 8] = ['$', '€', '£', '¥', '₹', '₽', '₩', '￥'];
    const UNITS: [&str; 10] = ["EUR", "USD", "GBP", "zł", "CHF", "円", "元", "원", "Euro", "euros"];
    let digits_near = |at: usize| {
        let before = text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit());
        let after = text[at..].chars().nth(1).is_some_and(|c| c.is_ascii_digit() || c == ' ');
        before || after
    };
    text.char_indices().any(|(at, c)| SIGNS.contains(&c) && digits_near(at))
        || UNITS.iter().any(|unit| {
            text.find(unit).is_some_and(|at| text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit()))
        })
}

/// Whether one of the first sentences says what the subject of the title is: "Peat is ...".
pub(super) fn defines(title: &str, sentences: &[Sentence]) -> bool {
    let first =
        |text: &str| folded(text).split_whitespace().find(|word| word.chars().count() > 2).map(str::to_owned);
    let Some(subject) = first(title) else { return false };
    sentences.iter().filter(|one| one.noise.is_none()).take(5).any(|sentence| {
        let text = folded(head(&sentence.text, 160));
        text.contains(&subject) && has_copula(&text)
    })
}

/// Whether the first sentence begins with the title and goes on as an article of an encyclopedia does: "Saltglass is a ...",
/// "Der Sumpfschreiber (Calamornis) ist ...", "Каменка — река".
pub(super) fn opens_with_title(title: &str, sentences: &[Sentence]) -> bool {
    let end = title.find(['(', '（', '|', '–', '—', ':']).unwrap_or(title.len());
    // Chinese and Japanese put a blank between the parts of a name in one place and not in the other.
    let is_han = title.chars().any(|c| script_of(c) == Script::Han);
    let tight = |text: &str| if is_han { text.split_whitespace().collect() } else { folded(text) };
    let subject = tight(&folded(&title[..end]));
    let subject = subject.trim();
    let words = count_words(subject);
    if subject.is_empty() || words > 6 {
        return false;
    }
    sentences.iter().filter(|one| one.noise.is_none() && one.row.is_none()).take(2).any(|sentence| {
        let text = head(&sentence.text, DEFINITION_CHARS_MAX);
        let spoken = tight(&folded(text));
        let first = subject.split(' ').next().unwrap_or_default();
        let Some(start) = spoken.find(first).filter(|at| *at <= 12) else { return false };
        // "Leonor Amália Vasques Taborda": a name may be longer there than in the title.
        let mut end = start;
        for word in subject.split(' ') {
            let Some(at) = spoken[end..].find(word).filter(|at| *at <= 24) else { return false };
            end += at + word.len();
        }
        let rest = &spoken[end..];
        has_copula(rest) || text.contains(" — ") || (text.contains(['（', '(']) && text.contains('、'))
    })
}

/// Whether a text has the years of a life: "(3 March 1908 - 14 November 1991)".
pub(super) fn has_lifespan(text: &str) -> bool {
    let text = head(text, 300);
    let Some(at) = text.find(['(', '（']) else { return false };
    let Some(end) = text[at..].find([')', '）']) else { return false };
    let inside = &text[at..at + end];
    let years = inside
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| run.len() == 4 && run.starts_with(['1', '2']));
    years.count() == 2 && inside.contains(['-', '–', '—', '~', '〜'])
}

/// Whether a short block names the type of a field, as references of interfaces do: "weight_g integer required".
pub(super) fn is_field(text: &str) -> bool {
    const TYPES: &str = "string;integer;boolean;object;array;float;int;bool;number;str;enum;required;optional;null;datetime;uint32;usize";
    count_words(text) <= 7
        && folded(text).split_whitespace().any(|word| TYPES.split(';').any(|name| name == word))
}

/// Whether a text asks: by its mark, or as Japanese does.
pub(super) fn asks(text: &str) -> bool {
    let text = text.trim_end();
    is_asked(text) || text.ends_with("か。") || text.ends_with("か")
}

/// Whether a block names the writer of a post that is quoted: "Petra_K wrote:".
pub(super) fn quotes_post(text: &str) -> bool {
    const WROTE: [&str; 6] = ["wrote:", "schrieb:", "escribió:", "a écrit :", "ha scritto:", "написал:"];
    text.len() < 80 && WROTE.iter().any(|wrote| text.trim_end().ends_with(wrote))
}

/// Whether a short block is what stands beside a post: a name and a time, or a date.
pub(super) fn is_stamp(text: &str) -> bool {
    let text = head(text, 80);
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let clock = (1..bytes.len())
        .any(|at| bytes[at] == b':' && is_digit(at - 1) && is_digit(at + 1) && is_digit(at + 2));
    clock && text.len() < 80 && count_words(text) <= STAMP_WORDS_MAX
}

/// Whether a block begins with a measure, as an ingredient does: "500 g flour", "2 eggs", "1 1/2 cups", "1,5 kg", "生抽 2勺".
pub(super) fn is_measured(text: &str) -> bool {
    const UNITS: &str = "g ; kg ; ml ; dl ; cl ; l ; oz ; lb ; cup ; cups ; tbsp ; tsp ; tablespoon ; tablespoons ; teaspoon ; teaspoons ; pinch ; cloves ; el ; tl ; prise ; bund ; c. à soupe ; cuillère ; cuillères ; \
        litre ; litro ; litros ; gramos ; mililitros ; cucharada ; cucharadas ; diente ; grammi ; cucchiai ; cucchiaio ; gramas ; colher ; colheres ; xícara ; eetlepel ; łyżka ; łyżki ; szklanka ; \
        г ; мл ; ст ; ложка ; ложки ; كوب ; ملعقة ; ملعقتان";
    const HAN: [&str; 12] =
        ["克", "勺", "个", "瓣", "大さじ", "小さじ", "個", "本", "枚", "毫升", "カップ", "큰술"];
    let text = head(text, 60).to_lowercase();
    if count_words(&text) > 14 {
        return false;
    }
    let starts =
        text.starts_with(|c: char| c.is_numeric()) || text.starts_with("كوب") || text.starts_with("ملعق");
    let spaced = folded(&text);
    let unit = UNITS
        .split(';')
        .any(|unit| spaced.contains(&format!(" {} ", unit.trim())) || joined(&text, unit.trim()));
    (starts && unit) || (text.chars().any(char::is_numeric) && HAN.iter().any(|unit| text.contains(unit)))
}

/// How many amounts of a kitchen a text has: "2 cups", "1/2 teaspoon".
pub(super) fn amounts(text: &str) -> usize {
    const UNITS: &str = "cup;cups;tbsp;tsp;tablespoon;tablespoons;teaspoon;teaspoons;pound;pounds;ounces;oz;quart;quarts;pint;pints;g;kg;ml;dl;el;tl;esslöffel;teelöffel;cuillère;cuillères;\
        cucharada;cucharadas;gramos;cucchiai;grammi;colher;colheres;xícara;xícaras;eetlepels;łyżki;łyżeczki;ложки;стакан";
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let is_amount = |two: &[&str]| {
        two[0].ends_with(|c: char| c.is_numeric())
            && UNITS.split(';').any(|unit| two[1].to_lowercase() == unit)
    };
    words.windows(2).filter(|two| is_amount(two)).count()
}

/// "500g".
fn joined(text: &str, unit: &str) -> bool {
    matches!(unit, "g" | "kg" | "ml" | "l" | "cl")
        && text.split_whitespace().next().and_then(|word| word.strip_suffix(unit)).is_some_and(|number| {
            number.starts_with(|c: char| c.is_ascii_digit()) && number.ends_with(|c: char| c.is_ascii_digit())
        })
}

/// Whether a block has a rating: "7/10", "3.5 out of 5", "Three stars out of five", "3.5点".
pub(super) fn is_rating(text: &str) -> bool {
    const WORDS: &str = "stars out of; out of 5; out of 10; out of five; out of ten; / 10; /10; /5; our score; von 5 sternen; von 10 punkten; sterne von; étoiles sur; estrellas sobre; stelle su; 点満点; \
        满分; 점 만점; ★★";
    finds(&head(text, 400).to_lowercase(), WORDS)
}

/// Whether a title has the number of an issue: "No. 61", "n.º 84", "выпуск 31", "19/2025", "第31期".
pub(super) fn is_issue(title: &str) -> bool {
    const NAMES: [&str; 10] =
        ["no. ", "nr. ", "n.º ", "nº ", "n° ", "№", "issue ", "vol. ", "выпуск ", "numéro "];
    let counts = |rest: &str| rest.trim_start_matches([' ', '#']).starts_with(|c: char| c.is_ascii_digit());
    let named = NAMES.iter().any(|name| {
        title.match_indices(name).any(|(at, _)| {
            let whole = !title[..at].ends_with(char::is_alphanumeric);
            whole && counts(&title[at + name.len()..])
        })
    });
    let is_of_year = |word: &str| {
        let word = word.trim_end_matches([':', ',', '.']);
        word.split_once('/').is_some_and(|(number, year)| {
            (1..=3).contains(&number.len())
                && year.len() == 4
                && [number, year].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    let han = title.contains('第') && title.contains(['期', '号', '號']);
    named || title.split_whitespace().any(is_of_year) || han
}

/// "Bracken 5.0 released", "バージョン3.4を公開": a version behind a name. A date has more parts or a longer one.
pub(super) fn is_version_named(title: &str) -> bool {
    let runs = title.split(|c: char| !c.is_ascii_digit() && c != '.').map(|run| run.trim_matches('.'));
    let is_version = |run: &str| {
        let parts = run.split('.');
        (2..=4).contains(&parts.clone().count()) && parts.clone().all(|part| (1..=3).contains(&part.len()))
    };
    runs.skip(1).any(is_version)
}

/// Whether a heading names a clause: "§ 3", "Article 4", "Art. 2", "Section 5", "第三条".
pub(super) fn is_clause(heading: &str) -> bool {
    const NAMES: [&str; 14] = [
        "section ",
        "article ",
        "art. ",
        "artikel ",
        "paragraph ",
        "clause ",
        "part ",
        "artículo ",
        "articolo ",
        "artigo ",
        "artykuł ",
        "статья ",
        "rule ",
        "chapter ",
    ];
    let text = heading.trim_start().to_lowercase();
    let counts = |rest: &str| {
        rest.trim_start()
            .starts_with(|c: char| c.is_alphanumeric() && (c.is_ascii_digit() || "ivx".contains(c)))
    };
    text.strip_prefix('§').is_some_and(counts)
        || NAMES.iter().any(|name| text.strip_prefix(name).is_some_and(counts))
        || (text.starts_with('第') && text.chars().take(8).any(|c| matches!(c, '条' | '條' | '조')))
}

#[cfg(test)]
mod tests {
    use super::{finds, has_price, is_clause, is_issue, is_stamp, is_version_named};

    #[test]
    fn short_cues_are_whole_words() {
        assert!(finds("the act of 1911", "act") && !finds("a fact", "act") && !finds("exact", "act"));
        assert!(finds("two permits", "permit") && !finds("the courtyard", "court"));
        assert!(finds("kapvergunning aanvragen", "vergunning") && finds("常见问题", "问题"));
        assert!(finds("4.5/10", "/10") && finds("costs $5", "$"));
    }

    #[test]
    fn beginnings_are_told_apart() {
        for title in ["tidings, no. 61", "boletín n.º 84", "netzbrief 19/2025: speicher", "周刊 第31期"]
        {
            assert!(is_issue(title), "{title}");
        }
        assert!(!is_issue("piano 3 for no reason") && !is_issue("law 4/25"));
        assert!(
            is_stamp("Jorun, 12 March, 18:04")
                && !is_stamp("The train leaves at 18:04 from the old station in the north of the city")
        );
        assert!(is_clause("§ 3 Zeiten") && is_clause("Article 4. Board") && !is_clause("Articles of faith"));
        assert!(
            is_version_named("Bracken 5.0 released") && is_version_named("「しおり」バージョン3.4を公開")
        );
        assert!(
            !is_version_named("3 ways to bake")
                && !is_version_named("News of 12.02.2026")
                && !is_version_named("v. 3")
        );
        assert!(has_price("18,000원") && has_price("£65 a year") && !has_price("元旦"));
    }
}
