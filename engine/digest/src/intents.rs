//! Questions that no word of the page answers: for a summary, for all values of a kind, or for nothing that can be looked for.
//! Mostly lists of data.

use super::language;
use unicode_segmentation::UnicodeSegmentation;

/// What a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// An answer that is looked for by the question's words.
    Search,
    /// What the page is about.
    Summary,
    /// Every value of a kind.
    List(Values),
    /// Nothing that can be looked for.
    Vague,
}

/// A kind of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Dates,
    Numbers,
    Prices,
}

/// Words that ask for a summary, whatever else a short question has.
const SUMMARY_WORDS: &str = "tldr summary summaries summarize summarise summarized recap gist overview synopsis \
    zusammenfassung zusammenfassen fasse zusammen kurzfassung überblick \
    résumé résumer résume synthèse resumen resume resumir síntesis riassunto riassumi riassumere resumo resuma \
    samenvatting samenvatten sammanfattning sammanfatta resumé opsummer sammenfat podsumowanie streszczenie podsumuj özet özetle \
    резюме сводка обобщи кратко підсумок підсумуй περίληψη σύνοψη ملخص لخص الخلاصة خلاصه תקציר סיכום सारांश 요약 요약해줘";
/// The same in scripts without spaces.
const SUMMARY_PARTS: &[&str] = &["总结", "摘要", "概括", "總結", "要約", "まとめ", "สรุป", "tl;dr"];
/// Pairs of words that ask for a summary.
const SUMMARY_PAIRS: &[&str] = &[
    "key points",
    "main points",
    "key sentences",
    "main idea",
    "main ideas",
    "key takeaways",
    "main takeaways",
    "wichtigste punkte",
    "wichtigsten punkte",
    "points clés",
    "puntos clave",
    "punti chiave",
    "pontos principais",
];
/// "What is this about?"
const ABOUT: &[&str] = &[
    "what is this about",
    "what's this about",
    "what is it about",
    "what's it about",
    "what is this page about",
    "what's this page about",
    "what is this article about",
    "what is this site about",
    "what is this text about",
    "what is this document about",
    "what does this page say",
    "what is the page about",
    "what is the article about",
    "what is on this page",
    "what is this page",
    "worum geht es",
    "worum geht's",
    "wovon handelt",
    "de quoi parle",
    "de quoi s'agit",
    "de quoi il s'agit",
    "de qué trata",
    "de que trata",
    "de qué va",
    "di cosa parla",
    "di che cosa parla",
    "do que trata",
    "do que se trata",
    "sobre o que",
    "waar gaat dit over",
    "waar gaat het over",
    "vad handlar",
    "hvad handler",
    "o czym jest",
    "bu ne hakkında",
    "sayfa ne hakkında",
    "о чем эта",
    "о чём эта",
    "о чем это",
    "о чём это",
    "про що ця",
    "про що це",
    "τι λέει",
    "ما موضوع",
    "عن ماذا",
    "عم تتحدث",
    "موضوع این",
    "במה מדובר",
    "על מה",
    "किस बारे में",
    "讲什么",
    "讲了什么",
    "关于什么",
    "何について",
    "무슨 내용",
    "เกี่ยวกับอะไร",
];
/// Words for the page itself and of politeness: they say nothing of what is wanted.
const FILLERS: &str = "please give short brief briefly quick sentence sentences word line lines bullet point points this page article text \
    document site website content tl dr bitte gib mir kurz kurze seite artikel text s'il plaît donne moi court brève cette page \
    por favor dame breve página artículo texto per favore dammi pagina articolo testo me one two three few five simple found mention mentioned here hier ici aquí qui aqui hier här her \
    appear appears occur";
/// Words that ask for all of something.
const LIST_WORDS: &str = "list all every each show find give extract which what any alle liste zeige nenne welche auflisten \
    tous toutes liste montre quels quelles todos todas lista muestra qué cuáles tutti tutte elenca quali todos todas liste quais \
    lijst toon lista visa vis wszystkie lista bütün tüm listele все всі список перечисли كل جميع اذكر همه כל רשימת सभी";
const DATES: &str = "dates deadlines daten datumsangaben termine fristen fechas date datas datums datum datoer daty tarihler tarihleri даты дати ημερομηνίες \
    تواريخ التواريخ تاریخ‌ها תאריכים התאריכים तारीखें";
const NUMBERS: &str = "numbers figures amounts zahlen beträge chiffres nombres números cifras numeri cifre getallen siffror tal liczby sayılar sayıları \
    числа цифры цифри αριθμοί أرقام الأرقام اعداد מספרים המספרים संख्याएँ";
const PRICES: &str = "prices costs fees preise kosten gebühren prix tarifs precios costes prezzi costi preços custos prijzen priser ceny fiyatlar fiyatları \
    цены ціни τιμές أسعار الأسعار قیمت‌ها מחירים המחירים कीमतें";
/// Such questions are short.
const WORDS_MAX: usize = 12;

/// What a question wants. `wordless` says that it has no term of substance in the page's language.
pub(super) fn of(question: &str, wordless: bool) -> Intent {
    let folded = question.to_lowercase().replace('’', "'");
    let words: Vec<&str> = folded.unicode_words().take(WORDS_MAX + 1).collect();
    let plain = words.join(" ");
    let has = |list: &str, word: &str| list.split_ascii_whitespace().any(|entry| entry == word);
    let is_filler = |word: &str| has(FILLERS, word) || has(LIST_WORDS, word) || language::is_stop_word(word);
    if words.len() <= WORDS_MAX {
        let pair = SUMMARY_PAIRS.iter().find(|pair| plain.contains(**pair));
        let rest = pair.map_or_else(|| plain.clone(), |pair| plain.replace(pair, ""));
        let is_summary_word = |word: &str| has(SUMMARY_WORDS, word) || word == "tl" || word == "dr";
        let asks = pair.is_some()
            || words.iter().any(|word| has(SUMMARY_WORDS, word))
            || SUMMARY_PARTS.iter().any(|part| folded.contains(part));
        let spaced =
            |word: &str| word.chars().all(|c| super::words::script_of(c) == super::words::Script::Spaced);
        let only =
            rest.split_whitespace().all(|word| !spaced(word) || is_summary_word(word) || is_filler(word));
        let about = ABOUT.iter().any(|entry| {
            plain.split_once(entry).is_some_and(|(before, after)| {
                before.split(' ').chain(after.split(' ')).all(|word| word.is_empty() || is_filler(word))
            }) || (!spaced(entry) && folded.contains(entry))
        });
        if about || (asks && only) {
            return Intent::Summary;
        }
        for (list, values) in [(DATES, Values::Dates), (NUMBERS, Values::Numbers), (PRICES, Values::Prices)] {
            let named = words.iter().any(|word| has(list, word));
            let listed = words.iter().any(|word| has(LIST_WORDS, word));
            if named && listed && words.iter().all(|word| has(list, word) || is_filler(word)) {
                return Intent::List(values);
            }
        }
    }
    if wordless { Intent::Vague } else { Intent::Search }
}

/// Currency signs, and words and codes that stand beside an amount.
const CURRENCY_SIGNS: &[char] = &['€', '$', '£', '¥', '₹', '₽', '₺', '₩', '₴', '₪', '฿'];
/// Currencies that are written behind the number without a space.
const CURRENCY_COUNTERS: &[char] = &['円', '元', '원', '圓'];
const CURRENCIES: &str = "eur euro euros usd dollar dollars gbp pound pounds pence cent cents chf franken francs franc jpy yen yuan rmb cny inr rupees \
    kr kronor kroner sek dkk nok zł pln lira try руб рублей рубля грн гривень دينار دنانير درهم دراهم ريال ليرة جنيه دولار يورو रुपये रुपए रुपया 元 円 원 บาท";
const MONTHS: &str = "january february march april may june july august september october november december \
    jan feb mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember jänner \
    janvier février mars avril juin juillet août septembre octobre novembre décembre \
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre \
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre \
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro \
    januari februari maart mei augustus maj stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia \
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık \
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря \
    січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня \
    يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر";

impl Values {
    /// Whether a text has such a value.
    pub(super) fn stand_in(self, text: &str) -> bool {
        if !text.chars().any(char::is_numeric) {
            return false;
        }
        match self {
            Self::Numbers => true,
            Self::Prices => has_currency(text),
            Self::Dates => has_date(text),
        }
    }
}

/// Whether a text names a currency.
pub(super) fn has_currency(text: &str) -> bool {
    text.contains(CURRENCY_SIGNS)
        || has_counted(text, CURRENCY_COUNTERS)
        || words_of(text).any(|word| CURRENCIES.split_ascii_whitespace().any(|entry| entry == word))
}

/// Whether one of these stands behind a digit, or behind the word for ten thousand.
fn has_counted(text: &str, counters: &[char]) -> bool {
    let is_number = |c: char| c.is_numeric() || c == '万' || c == '만';
    text.char_indices()
        .any(|(at, c)| counters.contains(&c) && text[..at].chars().next_back().is_some_and(is_number))
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// A year, a month beside a number, or digits as in 3/5/2024, 3.5. and 2024-05-03.
fn has_date(text: &str) -> bool {
    let digits = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let words: Vec<String> = words_of(text).collect();
    let year = |word: &String| {
        digits(word)
            && word.len() == 4
            && (word.starts_with("19") || word.starts_with("20") || word.starts_with('1'))
    };
    let month = |word: &String| MONTHS.split_ascii_whitespace().any(|entry| entry == *word);
    let ordinal = |word: &String| word.starts_with(|c: char| c.is_ascii_digit()) && word.len() <= 4;
    let named = words
        .windows(2)
        .any(|pair| (month(&pair[0]) && ordinal(&pair[1])) || (ordinal(&pair[0]) && month(&pair[1])));
    let slashed = text.split_whitespace().any(|token| {
        let token = token.trim_matches(|c: char| !c.is_ascii_digit());
        ['/', '-', '.'].iter().any(|mark| {
            let parts: Vec<&str> = token.split(*mark).collect();
            parts.len() == 3 && parts.iter().all(|part| digits(part) && part.len() <= 4)
        })
    });
    let cjk = text.contains('年') && text.contains('月') || text.contains('月') && text.contains('日');
    words.iter().any(year) || named || slashed || cjk
}

#[cfg(test)]
mod tests {
    use super::{Intent, Values, of};

    #[test]
    fn questions_without_content_say_what_they_want() {
        for (question, wordless, expected) in [
            ("tl;dr", false, Intent::Summary),
            ("TLDR please", false, Intent::Summary),
            ("Summarize this page", false, Intent::Summary),
            ("What is this page about?", true, Intent::Summary),
            ("what are the main points", false, Intent::Summary),
            ("Worum geht es hier?", false, Intent::Summary),
            ("De quoi parle cette page ?", false, Intent::Summary),
            ("¿De qué trata este artículo?", false, Intent::Summary),
            ("这篇文章讲什么", false, Intent::Summary),
            ("list all dates", false, Intent::List(Values::Dates)),
            ("What prices are mentioned?", false, Intent::List(Values::Prices)),
            ("alle Zahlen", false, Intent::List(Values::Numbers)),
            ("Why?", true, Intent::Vague),
            ("What does the summary report cost?", false, Intent::Search),
            ("What is the mill about to do in summer?", false, Intent::Search),
            ("Which numbers did the committee publish?", false, Intent::Search),
            ("Who built it?", false, Intent::Search),
        ] {
            assert_eq!(of(question, wordless), expected, "{question}");
        }
    }

    #[test]
    fn values_are_found() {
        for (values, text, expected) in [
            (Values::Dates, "It opened on 3 May.", true),
            (Values::Dates, "Since 1702 it grinds flour.", true),
            (Values::Dates, "On 2024-05-03 it closed.", true),
            (Values::Dates, "It weighs 45 kg.", false),
            (Values::Dates, "She may come.", false),
            (Values::Prices, "It costs €45.", true),
            (Values::Prices, "It costs 45 euros.", true),
            (Values::Prices, "入場料は1200円です。", true),
            (Values::Prices, "It weighs 45 kg.", false),
            (Values::Numbers, "It weighs 45 kg.", true),
            (Values::Numbers, "It weighs a lot.", false),
        ] {
            assert_eq!(values.stand_in(text), expected, "{text}");
        }
    }
}
