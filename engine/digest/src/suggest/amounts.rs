//! Questions about amounts: prices, times and weights, in sentences, rows and labels.

use unicode_segmentation::UnicodeSegmentation;

use super::subject::{ANSWER_WORDS_MAX, SUBJECT_WORDS_MAX, subject};
use crate::wanted::{Wanted, wanted};
use crate::words::lower;
use crate::{Sentence, openers};

/// Words of a label: "Total time".
const LABEL_WORDS_MAX: usize = 3;

/// Sentences with a subject and one of these verbs answer a question about it, in languages whose words keep their form then: language, kind of
/// answer, verbs, and what stands before and behind the subject.
const VERBS: &[(&str, Wanted, &str, &str, &str)] = &[
    ("en", Wanted::Price, "costs", "How much does ", " cost?"),
    ("en", Wanted::Extent, "takes", "How long does ", " take?"),
    ("en", Wanted::Extent, "lasts", "How long does ", " last?"),
    ("en", Wanted::Weight, "weighs", "How heavy is ", "?"),
    ("de", Wanted::Price, "kostet kosten", "Was {} ", "?"),
    ("de", Wanted::Extent, "dauert dauern", "Wie lange {} ", "?"),
    ("de", Wanted::Weight, "wiegt wiegen", "Wie viel {} ", "?"),
    ("fr", Wanted::Price, "coûte coûtent", "Combien {} ", " ?"),
    ("fr", Wanted::Extent, "dure durent", "Combien de temps {} ", " ?"),
    ("fr", Wanted::Weight, "pèse pèsent", "Combien {} ", " ?"),
    ("es", Wanted::Price, "cuesta cuestan", "¿Cuánto {} ", "?"),
    ("es", Wanted::Extent, "dura duran", "¿Cuánto {} ", "?"),
    ("es", Wanted::Weight, "pesa pesan", "¿Cuánto {} ", "?"),
    ("it", Wanted::Price, "costa costano", "Quanto {} ", "?"),
    ("it", Wanted::Extent, "dura durano", "Quanto {} ", "?"),
    ("it", Wanted::Weight, "pesa pesano", "Quanto {} ", "?"),
    ("pt", Wanted::Price, "custa custam", "Quanto {} ", "?"),
    ("pt", Wanted::Extent, "dura duram", "Quanto {} ", "?"),
    ("pt", Wanted::Weight, "pesa pesam", "Quanto {} ", "?"),
    ("nl", Wanted::Price, "kost kosten", "Wat {} ", "?"),
    ("nl", Wanted::Extent, "duurt duren", "Hoe lang {} ", "?"),
    ("nl", Wanted::Weight, "weegt wegen", "Hoeveel {} ", "?"),
];
/// What a row or a label of a kind is asked for with, by language.
const LABELED: &[(&str, Wanted, &str)] = &[
    ("en", Wanted::Price, "How much does it cost?"),
    ("en", Wanted::Weight, "How heavy is it?"),
    ("en", Wanted::Extent, "How long does it take?"),
    ("de", Wanted::Price, "Was kostet das?"),
    ("de", Wanted::Weight, "Wie schwer ist es?"),
    ("de", Wanted::Extent, "Wie lange dauert es?"),
    ("fr", Wanted::Price, "Combien ça coûte ?"),
    ("fr", Wanted::Weight, "Combien ça pèse ?"),
    ("fr", Wanted::Extent, "Combien de temps faut-il ?"),
    ("es", Wanted::Price, "¿Cuánto cuesta?"),
    ("es", Wanted::Weight, "¿Cuánto pesa?"),
    ("es", Wanted::Extent, "¿Cuánto tiempo se tarda?"),
    ("it", Wanted::Price, "Quanto costa?"),
    ("it", Wanted::Weight, "Quanto pesa?"),
    ("it", Wanted::Extent, "Quanto tempo ci vuole?"),
    ("pt", Wanted::Price, "Quanto custa?"),
    ("pt", Wanted::Weight, "Quanto pesa?"),
    ("pt", Wanted::Extent, "Quanto tempo leva?"),
    ("nl", Wanted::Price, "Wat kost het?"),
    ("nl", Wanted::Weight, "Hoe zwaar is het?"),
    ("nl", Wanted::Extent, "Hoe lang duurt het?"),
    ("pl", Wanted::Price, "Ile to kosztuje?"),
    ("pl", Wanted::Weight, "Ile to waży?"),
    ("pl", Wanted::Extent, "Ile czasu to zajmuje?"),
    ("ja", Wanted::Price, "価格はいくらですか？"),
    ("ja", Wanted::Weight, "重さはどのくらいですか？"),
    ("ko", Wanted::Price, "가격은 얼마인가요?"),
    ("ko", Wanted::Weight, "무게는 얼마인가요?"),
    ("zh", Wanted::Price, "价格是多少？"),
    ("zh", Wanted::Weight, "重量是多少？"),
    ("hi", Wanted::Price, "इसकी कीमत क्या है?"),
    ("hi", Wanted::Weight, "इसका वज़न कितना है?"),
    ("ar", Wanted::Price, "كم السعر؟"),
    ("ar", Wanted::Weight, "كم الوزن؟"),
];
/// Labels of times that something takes.
const TIMED: &str = "time duration dauer zeit gesamtzeit arbeitszeit durée temps duración tiempo durata tempo duração duur tijd czas";
/// "The crossing takes forty minutes" is asked for with "How long does the crossing take?".
pub(super) fn ask_for_amount(sentence: &Sentence, language: &str) -> Option<String> {
    if sentence.row.is_some() || openers::refers_back(&sentence.text, language) {
        return None;
    }
    let words: Vec<&str> =
        sentence.text.split_whitespace().take(SUBJECT_WORDS_MAX + 1 + ANSWER_WORDS_MAX).collect();
    let rules = VERBS.iter().filter(|(name, ..)| *name == language);
    rules.into_iter().find_map(|(_, kind, verbs, before, behind)| {
        let at = words
            .iter()
            .take(SUBJECT_WORDS_MAX + 1)
            .position(|word| verbs.split(' ').any(|verb| verb == *word))?;
        let name = subject(&words[..at])?;
        let rest = words[at + 1..].iter().take(ANSWER_WORDS_MAX).copied().collect::<Vec<_>>().join(" ");
        kind.stands_in(&rest).then(|| format!("{}{name}{behind}", before.replace("{}", words[at])))
    })
}

/// "Weight: 2.4 kg" is asked for with "How heavy is it?".
pub(super) fn ask_for_label(sentence: &Sentence, language: &str) -> Option<String> {
    let text = &sentence.text;
    let (label, value) = text.split_once(['\t', ':', '：'])?;
    if value.contains('\t')
        || label.unicode_words().count() > LABEL_WORDS_MAX
        || sentence.words > SUBJECT_WORDS_MAX + ANSWER_WORDS_MAX
    {
        return None;
    }
    let is_timed = lower(label).unicode_words().any(|word| TIMED.split(' ').any(|time| time == word));
    let kind = if is_timed { Wanted::Extent } else { wanted(label)?.0 };
    let (_, _, question) = LABELED.iter().find(|(name, asked, _)| *name == language && *asked == kind)?;
    kind.stands_in(value).then(|| (*question).to_owned())
}
