//! What kinds of pages are told apart by: counts over a page's blocks and a few words of its title and headings.

use crate::order::middle;
use crate::outline::Outline;
use crate::page::{BlockKind, DigestError, ItemKind, Page};
use crate::slices::Slices;
use crate::words::head;
use crate::{Sentence, count_words};

use crate::headings as names;
use crate::labels::{folded, has_copula, has_word, is_member, is_numbered, is_question, is_version};

/// Headings whose text is looked at.
const HEADINGS_MAX: usize = 400;
/// Sentences whose words are looked at.
const SENTENCES_MAX: usize = 400;
const TITLE_CHARS_MAX: usize = 200;

/// What is known of a page's form. Shares are 0 to 1.
#[derive(Debug, Default, Clone)]
pub(crate) struct Shape {
    /// Types that the page gives itself, lower case.
    pub(super) types: Vec<String>,
    /// The title, lower case.
    pub(super) title: String,
    /// Words of paragraphs, items and quotes.
    pub(super) words: usize,
    /// Headings, terms among them.
    pub(super) headings: usize,
    /// Headings that ask.
    pub(super) questions: usize,
    /// Headings that are a version, or a date.
    pub(super) versions: usize,
    /// Headings that are a year.
    pub(super) years: usize,
    /// Headings that count: "Step 2", "3. Tighten the screw".
    pub(super) numbered: usize,
    /// Items of numbered lists.
    pub(super) ordered: usize,
    pub(super) items: usize,
    pub(super) paragraphs: usize,
    pub(super) rows: usize,
    /// Rows of two cells.
    pub(super) pairs: usize,
    pub(super) codes: usize,
    pub(super) terms: usize,
    /// Terms and headings that begin with a dash: options.
    pub(super) options: usize,
    /// Headings and terms that look like code: "open(path)", "Vec::push".
    pub(super) members: usize,
    /// Different people who speak, and blocks that are said by one.
    pub(super) people: usize,
    pub(super) said: usize,
    /// Blocks with a price.
    pub(super) prices: usize,
    /// Headings by what they are called.
    pub(super) has: Called,
    /// Share of sentences with a quotation, of those that speak of "I" or "we", of those that address the reader, with a number.
    pub(super) quoting: f32,
    pub(super) first_person: f32,
    pub(super) second_person: f32,
    pub(super) numbers: f32,
    /// Share of sentences with "shall", "must", "may not".
    pub(super) binding: f32,
    /// Share of sentences that tell who said something.
    pub(super) reporting: f32,
    /// Whether the first sentences say what the title's subject is.
    pub(super) defines: bool,
    /// Share of items and paragraphs with fewer than 25 words.
    pub(super) short: f32,
    /// Words of a heading, in the middle.
    pub(super) heading_words: usize,
    /// Words under a heading, in the middle.
    pub(super) section_words: usize,
    /// Beginnings of the first blocks and all headings, lower case, a line each.
    pub(super) front: String,
    pub(super) headings_text: String,
}

/// Which headings a page has.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Called {
    pub(super) ingredients: bool,
    pub(super) materials: bool,
    pub(super) method: bool,
    pub(super) pros: bool,
    pub(super) cons: bool,
    pub(super) verdict: bool,
    pub(super) summary: bool,
    pub(super) name: bool,
    pub(super) synopsis: bool,
    pub(super) options: bool,
    pub(super) description: bool,
    pub(super) references: bool,
    pub(super) see_also: bool,
    pub(super) highlights: usize,
    pub(super) contents: bool,
}

impl Shape {
    pub(crate) async fn new<T: AsyncFn() -> bool>(
        page: &Page,
        outline: &Outline,
        sentences: &[Sentence],
        slices: &mut Slices<'_, T>,
    ) -> Result<Self, DigestError> {
        let mut shape = Self {
            types: page.types.iter().take(16).map(|name| head(name, 60).to_lowercase()).collect(),
            title: head(&page.title, TITLE_CHARS_MAX).to_lowercase(),
            ..Self::default()
        };
        shape.count_blocks(page, outline, slices).await?;
        shape.read_headings(page, outline, slices).await?;
        shape.read_sentences(sentences, slices).await?;
        shape.defines = defines(&page.title, sentences);
        Ok(shape)
    }

    /// Whether a type of the page has one of these words.
    pub(super) fn is_typed(&self, names: &[&str]) -> bool {
        self.types.iter().any(|kind| names.iter().any(|name| kind.contains(name)))
    }

    /// Whether the title has one of these texts, separated by semicolons.
    pub(super) fn is_titled(&self, words: &str) -> bool {
        has_any(&self.title, words)
    }

    /// Whether the first blocks have one of these.
    pub(super) fn begins(&self, words: &str) -> bool {
        has_any(&self.front, words)
    }

    /// How many of a number, of all.
    pub(super) fn share(part: usize, all: usize) -> f32 {
        part as f32 / all.max(1) as f32
    }

    async fn count_blocks<T: AsyncFn() -> bool>(
        &mut self,
        page: &Page,
        outline: &Outline,
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let mut short = 0;
        let mut people: Vec<&str> = Vec::new();
        for (block, part) in page.blocks.iter().zip(&outline.parts) {
            slices.charge(64).await?;
            match part.kind {
                BlockKind::Paragraph | BlockKind::Quote => self.paragraphs += 1,
                BlockKind::ListItem => self.items += 1,
                BlockKind::Table => {
                    self.rows += 1;
                    self.pairs +=
                        usize::from(block.text.split('\t').filter(|cell| !cell.is_empty()).count() == 2);
                }
                BlockKind::Code => self.codes += 1,
                BlockKind::Heading | BlockKind::Caption => {}
            }
            if part.kind.is_ranked() {
                self.words += part.words;
                short += usize::from(part.words < 25);
                self.prices += usize::from(has_price(head(&block.text, 200)));
            }
            self.ordered += usize::from(part.item == Some(ItemKind::Ordered));
            if part.item == Some(ItemKind::Term) {
                self.terms += 1;
            }
            // What stands beside an entry of a changelog looks like a name.
            if block.speaker.as_deref().is_some_and(is_version) {
                self.versions += 1;
            } else if let Some(name) = &block.speaker {
                self.said += 1;
                if people.len() < 64 && !people.contains(&name.as_str()) {
                    people.push(name);
                }
            }
        }
        self.people = people.len();
        self.short = Self::share(short, self.paragraphs + self.items);
        for block in page.blocks.iter().take(12) {
            self.front.push_str(&head(&block.text, 240).to_lowercase());
            self.front.push('\n');
        }
        Ok(())
    }

    async fn read_headings<T: AsyncFn() -> bool>(
        &mut self,
        page: &Page,
        outline: &Outline,
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let mut lengths: Vec<usize> = Vec::new();
        let mut headings: Vec<usize> = Vec::new();
        for section in outline.sections.iter().take(HEADINGS_MAX) {
            let text = head(&page.blocks[section.heading].text, 160).trim();
            slices.charge(1 << 10).await?;
            self.headings += 1;
            headings.push(count_words(text));
            self.questions += usize::from(is_question(text));
            self.versions += usize::from(is_version(text));
            self.years += usize::from(text.len() == 4 && text.chars().all(|c| c.is_ascii_digit()));
            self.numbered += usize::from(is_numbered(text));
            self.options += usize::from(text.starts_with('-'));
            self.members += usize::from(is_member(text));
            let words = outline.parts[section.body.clone()].iter().filter(|part| part.kind.is_searched());
            lengths.push(words.map(|part| part.words).sum());
            self.name(text);
            if self.headings_text.len() < 8_000 {
                self.headings_text.push_str(&names::fold(text));
                self.headings_text.push('\n');
            }
        }
        self.heading_words = middle(&headings);
        self.section_words = middle(&lengths);
        Ok(())
    }

    fn name(&mut self, heading: &str) {
        let called = |names| names::is_called(heading, names);
        let has = &mut self.has;
        has.ingredients |= called(names::INGREDIENTS);
        has.materials |= called(names::MATERIALS);
        has.method |= called(names::METHOD);
        has.pros |= called(names::PROS);
        has.cons |= called(names::CONS);
        has.verdict |= called(names::VERDICT);
        has.summary |= called(names::ABSTRACT);
        has.name |= called(names::MAN_NAME);
        has.synopsis |= called(names::SYNOPSIS);
        has.options |= called(names::OPTIONS);
        has.description |= called(names::DESCRIPTION);
        has.references |= called(names::REFERENCES);
        has.see_also |= called(names::SEE_ALSO);
        has.highlights += usize::from(called(names::HIGHLIGHTS));
        has.contents |= called(names::CONTENTS);
    }

    async fn read_sentences<T: AsyncFn() -> bool>(
        &mut self,
        sentences: &[Sentence],
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let mut counts = [0usize; 6];
        let mut read = 0;
        for sentence in sentences.iter().filter(|one| one.noise.is_none()).take(SENTENCES_MAX) {
            let text = folded(&sentence.text);
            let signs = [
                text.contains(['"', '“', '„', '«', '「', '—']),
                has_word(&text, FIRST_PERSON),
                has_word(&text, SECOND_PERSON),
                text.chars().any(char::is_numeric),
                has_word(&text, BINDING),
                has_word(&text, REPORTING),
            ];
            counts.iter_mut().zip(signs).for_each(|(count, has)| *count += usize::from(has));
            read += 1;
            slices.charge(1 << 10).await?;
        }
        let [quoting, first_person, second_person, numbers, binding, reporting] =
            counts.map(|count| Self::share(count, read));
        (self.quoting, self.first_person, self.second_person) = (quoting, first_person, second_person);
        (self.numbers, self.binding, self.reporting) = (numbers, binding, reporting);
        Ok(())
    }
}

const FIRST_PERSON: &str = " i ; i'm ; i've ; my ; we ; our ; us ; ich ; mein ; meine ; wir ; unser ; je ; j'ai ; mon ; ma ; nous ; notre ; yo ; mi ; mis ; nuestro ; \
    nosotros ; io ; mio ; noi ; nostro ; eu ; meu ; minha ; nós ; ik ; mijn ; wij ; onze ; я ; мой ; мы ; наш ; 我; 我们; 私; 私たち; 저는; 우리";
const SECOND_PERSON: &str = " you ; your ; you'll ; sie ; ihr ; ihre ; du ; dein ; vous ; votre ; vos ; tu ; usted ; su ; tus ; voi ; tuo ; você ; seu ; u ; uw ; je ; \
    jouw ; вы ; ваш ; 您; 你; あなた; 당신; आप";
const BINDING: &str = " shall ; must ; may not ; is entitled ; is prohibited ; hereby ; muss ; müssen ; darf ; dürfen ; verpflichtet ; doit ; doivent ; debe ; deben ; \
    deve ; devono ; devem ; moet ; moeten ; должен ; должны ; 必须; 应当; しなければならない";
const REPORTING: &str = " said ; says ; told ; according to ; announced ; reported ; added ; sagte ; sagt ; laut ; erklärte ; teilte ; a déclaré ; a annoncé ; selon ; \
    dijo ; según ; anunció ; aseguró ; ha detto ; secondo ; disse ; afirmou ; segundo ; zei ; volgens ; powiedział ; według ; сообщил ; заявил ; по словам ; قال ; وقال ; أعلن ; \
    表示; 据; 称; によると; と述べた; 밝혔다; 말했다; कहा ";

fn has_any(text: &str, words: &str) -> bool {
    words.split(';').map(str::trim).any(|word| !word.is_empty() && text.contains(word))
}

fn has_price(text: &str) -> bool {
    const SIGNS: [char; 8] = ['$', '€', '£', '¥', '₹', '₽', '₩', '￥'];
    let digits_near = |at: usize| {
        let before = text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit());
        let after = text[at..].chars().nth(1).is_some_and(|c| c.is_ascii_digit() || c == ' ');
        before || after
    };
    text.char_indices().any(|(at, c)| SIGNS.contains(&c) && digits_near(at))
        || ["EUR", "USD", "GBP", "zł", "CHF", "円", "元"]
            .iter()
            .any(|unit| text.find(unit).is_some_and(digits_near))
}

/// Whether one of the first sentences says what the subject of the title is: "Peat is ...".
fn defines(title: &str, sentences: &[Sentence]) -> bool {
    let first =
        |text: &str| folded(text).split_whitespace().find(|word| word.chars().count() > 2).map(str::to_owned);
    let Some(subject) = first(title) else { return false };
    sentences.iter().filter(|one| one.noise.is_none()).take(5).any(|sentence| {
        let text = folded(head(&sentence.text, 160));
        text.contains(&subject) && has_copula(&text)
    })
}
