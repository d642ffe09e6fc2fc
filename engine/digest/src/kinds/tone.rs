//! How a text speaks: of whom, to whom, of what ought to be, of what was said.

use super::shape::Shape;
use super::voices::voices;
use crate::Sentence;
use crate::labels::{folded, has_word};
use crate::page::DigestError;
use crate::slices::Slices;
use crate::words::head;

/// Sentences whose words are looked at.
const SENTENCES_MAX: usize = 400;
/// Sentences in which days are looked for.
const FIRST_SENTENCES: usize = 10;
/// Shares of fewer sentences than this say little.
const SENTENCES_MIN: usize = 8;

/// Numbers in letters, but for one, which is also an article.
const HAN_NUMERALS: &str = "二三四五六七八九十百千万";
/// Words by which a thing that was seen, read or used is judged, in several languages; no other language has them.
const JUDGEMENTS: &str = "excellent ; impressive ; disappointing ; disappoints ; gorgeous ; mediocre ; superb ; worth buying ; recommend ; recommended ; the best part ; the best thing ; flawed ; \
    underwhelming ; delightful ; clumsy ; overpriced ; flimsy ; comfortable ; überzeugt ; enttäuschend ; gelungen ; leider ; empfehlenswert ; am stärksten ; schwächen ; acierto ; lo mejor ; \
    lo peor ; impecable ; flojo ; tropieza ; recomendable ; réussi ; décevant ; superbe ; dommage ; on regrette ; riuscito ; deludente ; ottimo ; peccato ; decepcionante ; o melhor ; \
    teleurstellend ; uitstekend ; świetne ; niestety ; zaskakująco ; gorzej ; к сожалению ; отлично ; удачно ; 残念;おすすめ;勧め;物足り;見やす;使いやす;遗憾;推荐;出色;不足之处;值得;아쉽;추천;훌륭";

impl Shape {
    pub(super) async fn read_sentences<T: AsyncFn() -> bool>(
        &mut self,
        sentences: &[Sentence],
        language: &str,
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let voices = voices(language);
        let is_han = matches!(language, "zh" | "ja");
        self.told_in_title = has_word(&folded(&self.title_cased), voices.singular)
            || has_word(&folded(&self.title_cased), voices.plural);
        let mut counts = [0usize; 11];
        let (mut read, mut days) = (0, 0);
        for sentence in
            sentences.iter().filter(|one| one.noise.is_none() && one.row.is_none()).take(SENTENCES_MAX)
        {
            let text = folded(&sentence.text);
            // Where the polite form is a capital, it is not one at the beginning of a sentence.
            let address = if language == "de" { cased(&sentence.text) } else { text.clone() };
            let (singular, plural) = (has_word(&text, voices.singular), has_word(&text, voices.plural));
            let signs = [
                text.contains(['"', '“', '„', '«', '「', '『']),
                singular || plural,
                singular,
                plural,
                has_word(&address, voices.second_person),
                text.chars().any(|c| c.is_numeric() || (is_han && HAN_NUMERALS.contains(c))),
                has_word(&text, voices.binding),
                !singular && has_word(&text, voices.reporting),
                has_word(&text, voices.claims),
                is_command(&text, language, voices.commands),
                has_word(&text, JUDGEMENTS),
            ];
            counts.iter_mut().zip(signs).for_each(|(count, has)| *count += usize::from(has));
            days += usize::from(read < FIRST_SENTENCES && has_word(&text, voices.days));
            read += 1;
            slices.charge(1 << 10).await?;
        }
        let [
            quoting,
            first_person,
            singular,
            plural,
            second_person,
            numbers,
            binding,
            reporting,
            claims,
            commands,
            judging,
        ] = counts.map(|count| Self::share(count, read.max(SENTENCES_MIN)));
        (self.quoting, self.first_person, self.second_person) = (quoting, first_person, second_person);
        (self.numbers, self.binding, self.reporting) = (numbers, binding, reporting);
        (self.singular, self.plural) = (singular, plural);
        (self.claims, self.commands, self.judging) = (claims, commands, judging);
        self.days = Self::share(days, read.min(FIRST_SENTENCES));
        Ok(())
    }
}

/// A text as `folded` makes it, with its capitals and without its first word.
fn cased(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let spaced: String = head(text, 400).chars().map(plain).collect();
    spaced.trim_start().split_once(' ').map_or(String::new(), |(_, rest)| format!(" {rest} "))
}

/// What an instruction may begin with before it says what to do.
const SEQUENCE: &str = "first ; next ; then ; now ; finally ; lastly ; zuerst ; dann ; danach ; anschließend ; nun ; zum schluss ; d'abord ; puis ; ensuite ; enfin ; primero ; luego ; después ; \
    prima ; poi ; quindi ; infine ; primeiro ; depois ; em seguida ; eerst ; daarna ; dan ; sedan ; najpierw ; następnie ; potem ; сначала ; затем ; потом ; önce ; sonra ";

/// Whether a folded text begins as instructions do: with one of the words, or with a form that only instructions have.
fn is_command(text: &str, language: &str, words: &str) -> bool {
    let text = text.trim_start();
    let skipped = SEQUENCE.split(';').find_map(|word| text.strip_prefix(word.trim_start()));
    let text = skipped.unwrap_or(text);
    let mut first = text.split(' ');
    let (one, two) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let formed = match language {
        "de" => two == "sie" && one.ends_with("en"),
        "fr" => one.len() > 4 && one.ends_with("ez"),
        "ru" => one.ends_with("йте") || one.ends_with("ите"),
        _ => false,
    };
    formed || words.split(';').any(|word| text.starts_with(word.trim_start()) && !word.trim().is_empty())
}
