//! A list of data: words that join a sentence to the one before and can be left out, since what follows is a sentence of its own.
//!
//! "However, the tower leans." says "The tower leans." Only words after which the order of the sentence stays are here: German
//! "Dennoch steht er" would become a question.

use super::words::{behind_phrase, head, lower};

/// Characters of a sentence that are looked at.
const HEAD_CHARS: usize = 40;

/// What stands behind a place and a date, and how many words these have.
const DASHES: [&str; 4] = [" -- ", " — ", " – ", " - "];
const DATELINE_WORDS_MAX: usize = 5;
/// Digits of a line with a year, and capitals that the name of a place begins with there.
const YEAR_DIGITS: usize = 4;
const PLACE_CAPITALS: usize = 4;

/// By language: those that need no comma behind them; those that do, or that have one in some editions. Separated by semicolons.
const DROPPED: &[(&str, &str, &str)] = &[
    (
        "en",
        "and; but; yet",
        "however; moreover; furthermore; also; therefore; thus; so; yet; but; and; still; indeed; additionally; similarly; likewise; consequently; nevertheless; nonetheless; \
         finally; meanwhile; overall; conversely; accordingly; in addition; in fact; in short; in turn; in contrast; by contrast; as a result; of course; in other words; \
         in particular; for example; for instance; on the other hand; at the same time; on the contrary; what is more; more importantly; unfortunately; fortunately; \
         clearly; that said; even so; after all; to be fair; in reality; in truth; in practice; besides",
    ),
    ("de", "und; aber; denn", ""),
    (
        "fr",
        "et; mais; or; car",
        "cependant; pourtant; toutefois; néanmoins; en effet; de plus; par ailleurs; en outre; enfin; ainsi; par exemple; au contraire; bref; donc; en revanche; de même; \
         en fait; de fait; finalement; autrement dit; par conséquent; malgré tout; d'ailleurs; or",
    ),
    (
        "es",
        "y; pero",
        "sin embargo; además; no obstante; por lo tanto; por tanto; así; en efecto; de hecho; por ejemplo; finalmente; por otro lado; por otra parte; asimismo; en cambio; \
         en consecuencia; por consiguiente; en definitiva; por último; ahora bien; en realidad",
    ),
    (
        "it",
        "e; ma",
        "tuttavia; inoltre; infatti; quindi; per esempio; ad esempio; infine; però; pertanto; in realtà; al contrario; di conseguenza; insomma; d'altra parte; dunque; invece",
    ),
    (
        "pt",
        "e; mas",
        "no entanto; além disso; porém; contudo; de fato; de facto; por exemplo; portanto; assim; finalmente; por outro lado; entretanto; na verdade; em consequência; ou seja; todavia",
    ),
    ("nl", "en; maar; want", ""),
    ("sv", "och; men", ""),
    ("da", "og; men", ""),
    (
        "pl",
        "i; a; ale; lecz; jednak",
        "ponadto; co więcej; na przykład; zatem; jednakże; z drugiej strony; innymi słowy",
    ),
    (
        "ru",
        "и; а; но; однако",
        "кроме того; более того; например; таким образом; следовательно; тем не менее; впрочем; наконец; с другой стороны; другими словами; иными словами; на самом деле; в частности",
    ),
    (
        "uk",
        "і; й; а; але; однак; проте",
        "крім того; наприклад; таким чином; отже; нарешті; з іншого боку; іншими словами",
    ),
    (
        "ar",
        "لكن; ولكن; ومع ذلك",
        "علاوة على ذلك; بالإضافة إلى ذلك; على سبيل المثال; من ناحية أخرى; في المقابل; ومع ذلك",
    ),
    ("hi", "लेकिन; परंतु; किंतु; मगर; और", "हालांकि; हालाँकि; उदाहरण के लिए; दूसरी ओर; इसके अलावा"),
    ("ko", "그러나; 하지만; 그리고; 또한; 따라서; 그래서", "예를 들어; 그러나; 하지만; 또한"),
    (
        "zh",
        "但是; 然而; 不过; 此外; 另外; 因此; 所以; 而且; 事实上; 同时; 然而; 於是; 不過",
        "但; 例如; 比如; 总之; 最后; 换言之; 相反",
    ),
    (
        "ja",
        "",
        "しかし; また; そして; だが; さらに; そのため; 例えば; たとえば; なお; つまり; 一方; 一方で; したがって; ところが",
    ),
];

/// Those of them, and others, that take back what stands before.
const CONTRASTS: &[(&str, &str)] = &[
    ("en", "but; yet; however; in fact; in reality; in truth; on the contrary; actually; not so"),
    ("de", "aber; doch; jedoch; tatsächlich; in wahrheit; in wirklichkeit; nur; dabei"),
    ("fr", "mais; or; pourtant; cependant; en fait; en réalité"),
    ("es", "pero; sin embargo; en realidad; de hecho"),
    ("it", "ma; eppure; tuttavia; in realtà"),
    ("pt", "mas; porém; no entanto; na verdade"),
    ("nl", "maar; toch; echter; in werkelijkheid"),
    ("sv", "men; ändå; egentligen"),
    ("da", "men; alligevel; egentlig"),
    ("pl", "ale; lecz; jednak; a jednak; tymczasem"),
    ("ru", "но; однако; на самом деле; а на деле"),
    ("uk", "але; однак; проте; насправді"),
    ("ar", "لكن; ولكن; ومع ذلك; في الواقع"),
    ("hi", "लेकिन; परंतु; मगर; किंतु; हालांकि"),
    ("ko", "그러나; 하지만; 그런데; 사실"),
    ("zh", "但; 然而; 不过; 其实; 事实上; 可是"),
    ("ja", "しかし; だが; ところが; けれど; でも; 実は"),
];
/// What only looks like such a word: "But for the rain", "Yet another".
const KEPT: &str = "but for ; yet another ; and yet ; and so on; and then there; but then; y así; и так далее; et cetera; et al";

/// Words after which a clause is no sentence: "In short, because ..." is left as it is.
const SUBORDINATORS: &str = "because; since; as; if; when; while; though; although; unless; until; that; which; who; where; whether; parce que; puisque; quand; lorsque; si; comme; que; qui; porque; cuando; como; aunque; \
    perché; quando; se; anche se; che; embora; omdat; als; toen; terwijl; bo; ponieważ; gdy; jeśli; że; потому что; так как; если; когда; что; тому що; якщо; коли; eftersom; om; när; fordi; hvis; når";

/// How many bytes of a sentence can be left out at its beginning; 0 where it begins as it should.
pub(super) fn dropped_bytes(sentence: &str, language: &str) -> usize {
    match dateline_bytes(sentence) {
        0 => connective_bytes(sentence, language),
        dated => dated,
    }
}

/// The length of the place or date that a report begins with: "Feb. 23, 2015 -- ", "LONDON (Reuters) - ".
pub(super) fn dateline_bytes(sentence: &str) -> usize {
    let beginning = head(sentence, HEAD_CHARS);
    let Some((line, rest)) = DASHES.iter().find_map(|dash| beginning.split_once(dash)) else { return 0 };
    let is_dated = line.bytes().filter(u8::is_ascii_digit).count() >= YEAR_DIGITS;
    let is_place = line.chars().take(PLACE_CAPITALS).all(char::is_uppercase);
    let is_short = line.bytes().filter(|byte| *byte == b' ').count() < DATELINE_WORDS_MAX;
    let is_line = is_short && line.len() > PLACE_CAPITALS && (is_dated || is_place);
    if is_line && rest.starts_with(char::is_uppercase) { beginning.len() - rest.len() } else { 0 }
}

/// How many bytes the word has that joins a sentence to the one before.
fn connective_bytes(sentence: &str, language: &str) -> usize {
    let Some((_, bare, marked)) = DROPPED.iter().find(|(name, ..)| *name == language) else { return 0 };
    let beginning = head(sentence, HEAD_CHARS);
    let folded = lower(beginning);
    if folded.len() != beginning.len() || begins(&folded, KEPT).is_some() {
        // Letters whose lower case has another length are in no word of the lists.
        return 0;
    }
    let behind = |len: usize| {
        let rest = &beginning[len..];
        let mark = rest.starts_with([',', '，', '、']);
        (mark, len + rest.len() - rest.trim_start_matches([',', '，', '、', ' ', '\u{a0}']).len())
    };
    let with_mark = begins(&folded, marked).map(behind).filter(|(mark, _)| *mark);
    let dropped = with_mark.or_else(|| begins(&folded, bare).map(behind));
    let is_whole = |len: usize| begins(&folded[len..], SUBORDINATORS).is_none();
    dropped.map_or(0, |(_, len)| if len < beginning.len() && is_whole(len) { len } else { 0 })
}

/// Whether a sentence takes back what stands before it.
pub(super) fn takes_back(sentence: &str, language: &str) -> bool {
    let words = CONTRASTS.iter().find(|(name, _)| *name == language);
    words.is_some_and(|(_, words)| begins(&lower(head(sentence, HEAD_CHARS)), words).is_some())
}

/// The length of the longest of some phrases that a text begins with, as whole words.
fn begins(text: &str, phrases: &str) -> Option<usize> {
    let fits = |phrase: &&str| behind_phrase(text, phrase).is_some();
    phrases.split(';').map(str::trim_start).filter(fits).map(str::len).max()
}

#[cfg(test)]
mod tests {
    use super::{dropped_bytes, takes_back};

    #[test]
    fn what_joins_a_sentence_is_left_out() {
        for (language, sentence, rest) in [
            ("en", "However, the tower leans.", "the tower leans."),
            ("en", "However hard it rained, the tower stood.", "However hard it rained, the tower stood."),
            ("en", "Yet a bog keeps a diary.", "a bog keeps a diary."),
            ("en", "Yet another bog.", "Yet another bog."),
            ("en", "But for the rain it was dry.", "But for the rain it was dry."),
            ("en", "Andrew came.", "Andrew came."),
            ("en", "In fact, 12 of them left.", "12 of them left."),
            ("de", "Aber der Turm steht.", "der Turm steht."),
            ("de", "Dennoch steht er.", "Dennoch steht er."),
            ("fr", "Mais la tour penche.", "la tour penche."),
            ("es", "Sin embargo, la torre sigue en pie.", "la torre sigue en pie."),
            ("ru", "Однако башня стоит.", "башня стоит."),
            ("ko", "그러나 탑은 서 있다.", "탑은 서 있다."),
            ("zh", "但是，塔还在。", "塔还在。"),
            ("ja", "しかし、塔は立っている。", "塔は立っている。"),
            ("xx", "But it is.", "But it is."),
            ("en", "However,", "However,"),
            ("en", "Feb. 23, 2015 -- The tower leans.", "The tower leans."),
            ("en", "LONDON (Reuters) - The tower leans.", "The tower leans."),
            ("en", "The tower - Built in 1911 - leans.", "The tower - Built in 1911 - leans."),
        ] {
            assert_eq!(&sentence[dropped_bytes(sentence, language)..], rest, "{language}");
        }
    }

    #[test]
    fn a_turn_is_known() {
        assert!(takes_back("Yet a bog keeps a diary.", "en"));
        assert!(takes_back("Doch der Turm steht.", "de"));
        assert!(!takes_back("Butter is dear.", "en"));
    }
}
