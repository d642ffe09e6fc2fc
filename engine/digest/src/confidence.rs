//! Which languages a text may be in, with how much confidence.
//!
//! Each language is compared with "none of these" by the words of the text: a function word of the language, or a word in its script,
//! speaks for it, any other word against it. How often such words occur inside and outside of a language is an estimate.

use super::language::Counts;

/// Share of function words in a text of the language, and in other texts.
const WORDS: [f64; 2] = [0.4, 0.05];
/// Share of words in the script of the language, in the same way.
const SCRIPT: [f64; 2] = [0.9, 0.02];
/// Probability, before a word is read, that the language is none of the known ones.
const UNKNOWN: f64 = 0.2;
/// Probability that the estimates say nothing about a text.
const DOUBT: f64 = 0.005;
/// Words of a text depend on each other: more of them do not count for more.
const WORDS_MAX: f64 = 24.0;
/// Confidence at which no further language is named.
const ENOUGH: f64 = 0.99;

/// The languages that a text may be in, as primary subtags: the most probable first, `und` last. The confidences sum to 1. Languages
/// that are less probable than `und` are part of it. At most the first 64 KiB and 3,000 words are read.
#[must_use]
pub fn languages(text: &str) -> Vec<(&'static str, f64)> {
    let counts = Counts::new(std::iter::once(text));
    let seen = counts.seen as f64;
    let weight = if seen > WORDS_MAX { WORDS_MAX / seen } else { 1.0 };
    let odds = |hits: usize, [inside, outside]: [f64; 2]| {
        let hits = hits as f64;
        let for_it = hits * (inside / outside).ln();
        let against = (seen - hits) * ((1.0 - inside) / (1.0 - outside)).ln();
        ((for_it + against) * weight).exp()
    };
    let by_words = counts.by_words().map(|(hits, name)| (name, odds(hits, WORDS)));
    let by_script = counts.by_script().into_iter().map(|(hits, name)| (name, odds(hits, SCRIPT)));
    let mut all: Vec<_> = by_words.chain(by_script).collect();
    // Without a word nothing is known.
    let prior = if counts.seen == 0 { 0.0 } else { (1.0 - UNKNOWN) / all.len() as f64 };
    let total = UNKNOWN + prior * all.iter().map(|(_, odds)| odds).sum::<f64>();
    for (_, odds) in &mut all {
        *odds *= prior * (1.0 - DOUBT) / total;
    }
    let unknown = 1.0 - all.iter().map(|(_, confidence)| confidence).sum::<f64>();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (mut found, mut sum) = (Vec::new(), 0.0);
    for (name, confidence) in all {
        if confidence < unknown || confidence == 0.0 || sum >= ENOUGH {
            break;
        }
        sum += confidence;
        found.push((name, confidence));
    }
    found.push(("und", 1.0 - sum));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_follows_the_words() {
        for (text, wanted, least) in [
            ("This is an example sentence.", "en", 0.8),
            ("Dit is een voorbeeldzin.", "nl", 0.8),
            ("Questa è una frase di esempio.", "it", 0.8),
            ("Αυτή είναι μια παραδειγματική πρόταση.", "el", 0.5),
            ("यह एक उदाहरण वाक्य है.", "hi", 0.8),
            ("これは例文です。", "ja", 0.9),
            ("이것은 예문입니다.", "ko", 0.9),
            ("这是一个例句。", "zh", 0.9),
            ("The mill was built by the river, and it is still in use.", "en", 0.99),
        ] {
            let found = languages(text);
            assert_eq!(found[0].0, wanted, "{text}: {found:?}");
            assert!(found[0].1 >= least, "{text}: {found:?}");
        }
        // Too little, or nothing that is known.
        for text in ["", "12345 678", "Lona umusho oyisibonelo.", "Toto je ukázková věta z jiného jazyka."]
        {
            assert_eq!(languages(text)[0].0, "und", "{text}: {:?}", languages(text));
        }
        assert_eq!(languages(""), [("und", 1.0)]);
    }

    #[test]
    fn more_words_mean_more_confidence_and_two_languages_share_it() {
        let one = "Der Hund bellt nicht.";
        let many = "Der Hund bellt nicht, weil er in der Nacht auf der Wiese war und es dort kalt ist.";
        assert!(languages(one)[0].1 < languages(many)[0].1);
        let mixed =
            "Der Hund war auf der Wiese und es ist kalt. The dog was on the grass and it is cold.".repeat(40);
        let found = languages(&mixed);
        let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
        assert!(names.contains(&"de") && names.contains(&"en"), "{found:?}");
    }

    #[test]
    fn lists_are_in_order_and_sum_to_one() {
        for text in ["de la que", "is in", "og i", "это и", "a", "和 a", "Bu bir örnek cümledir."] {
            let found = languages(text);
            assert_eq!(found.last().map(|(name, _)| *name), Some("und"), "{text}");
            let known = &found[..found.len() - 1];
            assert!(known.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{text}: {found:?}");
            assert!(found.iter().all(|(_, confidence)| *confidence > 0.0), "{text}: {found:?}");
            let sum: f64 = found.iter().map(|(_, confidence)| confidence).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{text}: {sum}");
        }
    }
}
