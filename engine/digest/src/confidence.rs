//! Which languages a text may be in, with how much confidence.
//!
//! Each language is compared with "none of these" by the words of the text: a function word of the language, or a word in its script,
//! speaks for it, any other word against it. How often such words occur inside and outside of a language is an estimate: see `WORDS`.

use super::language::Counts;

/// What a function word of a language says for it, and any other word against it: the logarithms of 0.4 / 0.05 and 0.6 / 0.95, by the
/// share of function words in a text of the language and in other texts.
const WORDS: [f32; 2] = [2.079, -0.46];
/// The same for a word in the script of a language: the logarithms of 0.9 / 0.02 and 0.1 / 0.98.
const SCRIPT: [f32; 2] = [3.807, -2.282];
/// Probability, before a word is read, that the language is none of the known ones.
const UNKNOWN: f64 = 0.2;
/// Probability that the estimates say nothing about a text.
const DOUBT: f64 = 0.005;
/// Words of a text depend on each other: more of them do not count for more.
const WORDS_MAX: usize = 24;
/// Largest logarithm of a number that can still be added to others.
const LOG_MAX: f32 = 80.0;
/// Confidence at which no further language is named.
const ENOUGH: f64 = 0.99;

/// The languages that a text may be in, as primary subtags: the most probable first, `und` last. The confidences sum to 1. Languages
/// that are not more probable than `und` are part of it. At most the first 64 KiB and 3,000 words are read.
#[must_use]
pub fn languages(text: &str) -> Vec<(&'static str, f64)> {
    let counts = Counts::new(&mut std::iter::once(text));
    let seen = counts.seen;
    let weight = WORDS_MAX.min(seen) as f32 / seen.max(1) as f32;
    let mut all = counts.by_words();
    let told_by_words = all.len();
    all.extend(counts.by_script());
    // Without a word nothing is known.
    let prior = if seen == 0 { 0.0 } else { (1.0 - UNKNOWN) / all.len() as f64 };
    let (mut total, mut odds) = (UNKNOWN, Vec::with_capacity(all.len()));
    for (at, &(hits, _)) in all.iter().enumerate() {
        let [inside, outside] = if at < told_by_words { WORDS } else { SCRIPT };
        let log = (hits as f32 * inside + (seen - hits) as f32 * outside) * weight;
        let one = prior * f64::from(log.min(LOG_MAX).exp());
        total += one;
        odds.push(one);
    }
    let unknown = DOUBT + (1.0 - DOUBT) * UNKNOWN / total;
    let (mut found, mut sum) = (Vec::<(&'static str, f64)>::new(), 0.0);
    while sum < ENOUGH {
        let best = (0..odds.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b])).unwrap_or(0);
        let confidence = odds[best] * (1.0 - DOUBT) / total;
        if confidence < unknown || confidence == 0.0 {
            break;
        }
        odds[best] = 0.0;
        sum += confidence;
        found.push((all[best].1, confidence));
    }
    // Nor is one named that is less probable than all the unnamed together.
    while let Some((_, confidence)) = found.pop_if(|(_, confidence)| *confidence <= 1.0 - sum) {
        sum -= confidence;
    }
    if found.is_empty() {
        sum = 0.0;
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
        for text in [
            "de la que",
            "is in",
            "Please write a sentence in English.",
            "og i",
            "это и",
            "a",
            "和 a",
            "Bu bir örnek cümledir.",
        ] {
            let found = languages(text);
            assert_eq!(found.last().map(|(name, _)| *name), Some("und"), "{text}");
            let known = &found[..found.len() - 1];
            assert!(known.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{text}: {found:?}");
            assert!(found.iter().all(|(_, confidence)| *confidence > 0.0), "{text}: {found:?}");
            let unknown = found[found.len() - 1].1;
            assert!(known.iter().all(|(_, confidence)| *confidence > unknown), "{text}: {found:?}");
            let sum: f64 = found.iter().map(|(_, confidence)| confidence).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{text}: {sum}");
        }
    }
}
