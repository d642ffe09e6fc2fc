//! A list of data: function words by language, to recognise a page's language and to leave them out of comparisons.

use super::words::{Script, each_term, floor_bytes, head, script_of};
use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};
use unicode_segmentation::UnicodeSegmentation;

/// Function words. They say nothing about what a text is about.
const STOP_WORDS: &[(&str, &str)] = &[
    (
        "en",
        "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its \
         just may more most my no not of on one or our out over she should so some such than that the their them then there \
         these they this to up was we were what when where which who whom whose why will with would you your about after all also \
         any because before between both each few me much many must only other same under until very while during \
         used use tell explain say says page article according",
    ),
    (
        "de",
        "aber als am an auch auf aus bei bin bis da das dass dem den der des die dies diese dieser dieses doch dort du durch ein \
         eine einem einen einer eines er es für gibt habe haben hat hatte ich ihr ihre im in ist ja kann kein keine man mehr mit nach \
         nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so über um und uns unter vom von vor war waren was weil \
         welche welcher welches wenn wer werden wie wieder wir wird wo wurde wurden zu zum zur zwischen warum wann wieso",
    ),
    (
        "fr",
        "à au aux avec ce ces cet cette comme dans de des du elle elles en est et été être eu fait il ils je la le les leur leurs \
         lui mais même mes moi mon ne nos notre nous on ont ou où par pas plus pour qu que quel quelle quels quelles qui sa sans se \
         ses si son sont sous sur ta te tes tu un une vos votre vous y a combien comment pourquoi quand quoi c d j l m n s t était",
    ),
    (
        "es",
        "a al algo ante antes como con contra cual cuál cuándo cuánto cuántos cómo cuando de del desde donde dónde durante e el \
         ella ellos en entre era es esa ese eso esta está este esto estos fue ha hay hasta la las le les lo los más me mi muy no nos \
         o para pero por porque qué que quién quien se según ser si sin sobre son su sus también tiene todo un una unos y ya",
    ),
    (
        "it",
        "a ad al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e è ed era essere gli ha \
         hanno i il in la le lo loro ma nei nel nella non o per perché più quale quando quanto quanti questa questo se si sono su sul \
         sulla tra un una uno fu",
    ),
    (
        "pt",
        "a ao aos as com como da das de do dos e é ela ele em entre era essa esse esta este eu foi foram há isso já mais mas me na \
         não nas no nos o os ou para pela pelo por qual quando quanto quantos que quem são se ser seu sua também tem um uma onde",
    ),
    (
        "nl",
        "aan als bij dan dat de der deze die dit door een en er had heb heeft het hij hoe hoeveel ik in is je kan maar met naar niet \
         nog nu of om ook op over te tot uit van veel voor waar waarom wanneer was wat welke werd wie worden wordt zich zij zijn zo",
    ),
    (
        "sv",
        "att av de den det du efter ej en ett för från han har hon hur i inte jag kan med men när och om på sig sin som till under \
         upp ut vad var varför vem vi vid är",
    ),
    (
        "da",
        "af at de den der det du efter eller en er et for fra han har hun hvad hvem hvor hvordan hvorfor i ikke jeg kan med men når \
         og om på sig som til ud under var ved vi være",
    ),
    (
        "pl",
        "a ale bo być był była było były co czy dla do gdy gdzie go i ich ile jak jako jest jego jej już kiedy kto która które \
         który lub ma na nad nie o od oraz po pod przez przy są się ta tak te tego ten to tym w we z za ze że dlaczego",
    ),
    (
        "tr",
        "ama bir bu ve da daha de değil en gibi hangi her için ile ise kadar kaç kim mi mı mu ne neden nasıl nerede o olan olarak \
         oldu sonra şu var ya çok zaman",
    ),
    (
        "ru",
        "а без был была были было быть в вам вас во вот все всё вы где да для до его ее её если есть еще же за и из или им их к как \
         какая какие какой когда кто ли мы на над не него нет но о об он она они оно от по под почему при с сколько со так также то \
         только том ты у уже что чтобы эта эти это этого этот я",
    ),
    (
        "uk",
        "а або але був була були було в вже від він вона вони все де для до є за з і із й його її як яка які який коли на не ні о \
         по при про с скільки та так також то у хто це цей ці чи чому що щоб я",
    ),
    (
        "el",
        "και να το η ο οι τα του της την τον στο στη στην στον με για από που είναι δεν θα σε ένα μια ως τι πώς πότε πού γιατί",
    ),
    (
        "ar",
        "في من على إلى عن أن إن ان الى التي الذي هذا هذه ذلك تلك كان كانت هو هي هم ما ماذا متى أين كيف كم لماذا هل لا لم لن قد ثم \
         أو و مع بين كل بعد قبل عند حتى غير كما أي أيضا إذا لكن حيث به بها له لها فيه فيها منه منها وقد وفي ومن وهو وهي",
    ),
    ("fa", "و در به از که این آن را با است برای تا بر یک می های شد شده بود هم یا اما هر چه چرا کجا چگونه"),
    (
        "he",
        "של את על לא הוא היא זה זו הם הן כי אם או גם עם אל כל יש אין היה היתה היו אשר מה מי איך איפה מתי למה כמה אך רק עוד בין כמו",
    ),
    (
        "hi",
        "का के की है हैं में से को पर और यह वह ये वे था थे थी कि जो तो भी ने एक इस उस हो कर लिए नहीं क्या कौन कब कहाँ कैसे क्यों \
         कितने कितना या अपने द्वारा साथ",
    ),
];

/// Words looked at when guessing a language.
const GUESS_WORDS_MAX: usize = 3_000;
/// Bytes looked at: as many words have fewer, a text without words has no end.
const GUESS_BYTES_MAX: usize = 1 << 16;
/// Longest first subtag of a language tag.
const SUBTAG_CHARS_MAX: usize = 8;

/// The function words of a language, in lower case; none where the language is not known.
pub fn function_words(language: &str) -> impl Iterator<Item = &'static str> {
    STOP_WORDS
        .iter()
        .filter(move |(name, _)| *name == language)
        .flat_map(|(_, words)| words.split_ascii_whitespace())
}

/// The function words of a language as [`each_term`] folds them, made once; none where the language is not known.
pub(crate) fn folded_function_words(language: &str) -> &'static HashSet<String> {
    static FOLDED: [OnceLock<HashSet<String>>; STOP_WORDS.len()] =
        [const { OnceLock::new() }; STOP_WORDS.len()];
    static NONE: LazyLock<HashSet<String>> = LazyLock::new(HashSet::new);
    let Some(at) = STOP_WORDS.iter().position(|(name, _)| *name == language) else { return &NONE };
    FOLDED[at].get_or_init(|| {
        let mut folded = HashSet::new();
        for word in function_words(language) {
            each_term(word, language == "en", &mut |term| {
                folded.insert(term.to_string());
            });
        }
        folded
    })
}

/// The languages of each function word, a bit each, in the order of the list.
static LANGUAGES_OF: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut languages_of = HashMap::new();
    for (at, (_, words)) in STOP_WORDS.iter().enumerate() {
        for word in words.split_ascii_whitespace() {
            *languages_of.entry(word).or_default() |= 1 << at;
        }
    }
    languages_of
});

/// Whether a folded word is a function word of any language.
pub(crate) fn is_stop_word(word: &str) -> bool {
    LANGUAGES_OF.contains_key(word)
}

/// The primary subtag of a BCP 47 tag, with the two written forms of Norwegian as one.
#[must_use]
pub fn primary(tag: &str) -> String {
    let tag = head(tag.trim_start(), SUBTAG_CHARS_MAX + 1);
    let name = tag.split(['-', '_']).next().unwrap_or_default().trim().to_ascii_lowercase();
    if name == "nb" || name == "nn" { "no".into() } else { name }
}

/// What the words of a text say about its language.
pub(crate) struct Counts {
    /// Words looked at.
    pub(crate) seen: usize,
    /// Function words by language, in the order of the list.
    hits: Vec<usize>,
    /// Words in the script of one language or two.
    scripts: [(usize, &'static str); 4],
}

impl Counts {
    /// Counts the words of texts, of the first ones only.
    pub(crate) fn new(texts: &mut dyn Iterator<Item = &str>) -> Self {
        let (mut seen, mut han, mut kana, mut hangul, mut thai) = (0usize, 0usize, 0usize, 0usize, 0usize);
        let mut hits = vec![0usize; STOP_WORDS.len()];
        let mut bytes_left = GUESS_BYTES_MAX;
        'texts: for text in texts {
            let text = &text[..floor_bytes(text, bytes_left)];
            bytes_left -= text.len();
            for word in text.unicode_words() {
                if seen == GUESS_WORDS_MAX {
                    break 'texts;
                }
                seen += 1;
                let first = word.chars().next().unwrap_or(' ');
                match script_of(first) {
                    Script::Hangul => hangul += 1,
                    Script::Unspaced => thai += usize::from(('\u{0E00}'..='\u{0E7F}').contains(&first)),
                    Script::Han if ('\u{3040}'..='\u{30FF}').contains(&first) => kana += 1,
                    Script::Han => han += 1,
                    Script::Spaced => {
                        let languages = LANGUAGES_OF.get(word.to_lowercase().as_str()).copied().unwrap_or(0);
                        for (at, hit) in hits.iter_mut().enumerate() {
                            *hit += (languages >> at & 1) as usize;
                        }
                    }
                }
            }
        }
        Counts { seen, hits, scripts: [(hangul, "ko"), (thai, "th"), (kana, "ja"), (han, "zh")] }
    }

    /// Function words of each language that is told by them.
    pub(crate) fn by_words(&self) -> Vec<(usize, &'static str)> {
        self.hits.iter().zip(STOP_WORDS).map(|(&hits, &(name, _))| (hits, name)).collect()
    }

    /// Words of each language that is told by its script.
    pub(crate) fn by_script(&self) -> [(usize, &'static str); 4] {
        let [ko, th, (kana, ja), (han, zh)] = self.scripts;
        // Japanese mixes kana into Chinese characters.
        match self.is_japanese() {
            true => [ko, th, (kana + han, ja), (0, zh)],
            false => [ko, th, (kana, ja), (han, zh)],
        }
    }

    /// A tenth of kana is enough.
    fn is_japanese(&self) -> bool {
        self.share(self.scripts[2].0) > 0.1
    }

    fn share(&self, count: usize) -> f32 {
        count as f32 / self.seen.max(1) as f32
    }
}

/// The language of a text: what its own function words say; where they say nothing clear, `declared`; else by script;
/// `und` where nothing is known.
pub(crate) fn detect(texts: &mut dyn Iterator<Item = &str>, declared: Option<&str>) -> String {
    let declared = declared.map(primary).filter(|name| !name.is_empty() && name.len() <= SUBTAG_CHARS_MAX);
    let counts = Counts::new(texts);
    for (count, name) in counts.scripts {
        if if name == "ja" { counts.is_japanese() } else { counts.share(count) > 0.3 } {
            return name.into();
        }
    }
    let hits = &counts.hits;
    let best = (0..hits.len()).max_by_key(|&at| (hits[at], usize::MAX - at)).unwrap_or(0);
    let said = declared.as_deref().and_then(|name| STOP_WORDS.iter().position(|(known, _)| *known == name));
    let declared_hits = said.map_or(0, |at| hits[at]);
    let clear = hits[best] >= 4 && counts.share(hits[best]) > 0.12;
    match declared {
        Some(name) if !clear || hits[best] < 2 * declared_hits => name,
        _ if clear => STOP_WORDS[best].0.into(),
        Some(name) => name,
        None => "und".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_languages() {
        for (text, declared, expected) in [
            ("The mill was built by the river, and it is still in use.", None, "en"),
            ("Die Mühle wurde am Fluss gebaut und ist noch in Betrieb.", None, "de"),
            (
                "Die Mühle wurde am Fluss gebaut und ist noch in Betrieb, wie es seit jeher der Brauch ist.",
                Some("en-US"),
                "de",
            ),
            ("Le moulin est au bord de la rivière et il est en service.", Some("fr"), "fr"),
            ("这座水车建在河边，至今仍在使用。", None, "zh"),
            ("水車は川のほとりに建てられた。", Some("en"), "ja"),
            ("방앗간은 강가에 지어졌다", None, "ko"),
            ("โรงสีสร้างอยู่ริมแม่น้ำ", None, "th"),
            ("بنيت الطاحونة على ضفة النهر وهي في الخدمة من ذلك الوقت إلى اليوم", None, "ar"),
            ("xyzzy plugh", Some("cy"), "cy"),
            ("12345", None, "und"),
        ] {
            assert_eq!(detect(&mut [text].into_iter(), declared), expected, "{text}");
        }
    }
}
