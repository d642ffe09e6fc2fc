//! The kind of answer that a question asks for: a person, a time, an amount. Mostly lists of data.

use super::intents::{Values, has_currency};
use super::words::{head, lower};
use std::collections::HashSet;
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation;

/// A kind of answer that can be told by its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A name.
    Person,
    /// A date, a day, a time of day.
    Time,
    /// An amount of time or a length: "how long" asks for both.
    Extent,
    /// A length.
    Length,
    /// An amount of money, or that there is nothing to pay.
    Price,
    /// A weight.
    Weight,
    /// Any number.
    Number,
}

use Wanted::{Extent, Length, Number, Person, Price, Time, Weight};

/// Beginnings of questions that ask for a reason, a way or a yes: the words of a kind ask for nothing in them.
const OTHERWISE: &str = "why; how do; how does; how can; how could; how should; how to; do; does; did; is; are; were; can; could; may; must; should; will; has; have; \
    warum; wieso; weshalb; wie kann; wie kannst; darf; muss; ist; sind; kann; gibt; pourquoi; comment; est; peut; faut; por qué; cómo; es; puedo; hay; perché; come; è; si può; \
    por que; como; é; posso; waarom; hoe kan; is; mag; moet; dlaczego; jak; czy; почему; как; можно; есть; чому; як; чи; لماذا; كيف; هل; क्या; क्यों; कैसे";
/// Words and phrases by the kind that they ask for; the first kind counts.
const CUES: &[(Wanted, &str)] = &[
    (
        Price,
        "cost; costs; price; prices; priced; fee; fees; expensive; kostet; kosten; kostete; gekostet; preis; gebühr; teuer; \
         coûte; coûtent; coûter; prix; coût; tarif; cuesta; cuestan; costó; precio; costa; costano; costato; prezzo; custa; custam; custou; preço; prijs; kost; \
         kosztuje; kosztują; kosztował; cena; kostar; koster; pris; fiyatı; fiyat; kaç para; стоит; стоят; стоила; стоимость; цена; коштує; ціна; κοστίζει; τιμή; \
         سعر; ثمن; تكلفة; يكلف; تكلف; עולה; מחיר; दाम; कीमत; मूल्य",
    ),
    (
        Weight,
        "how heavy; weigh; weighs; weight; wie schwer; wiegt; gewicht; pèse; poids; pesa; peso; hoe zwaar; weegt; gewicht; ile waży; waży; waga; väger; vejer; ağırlığı; \
         весит; вес; важить; وزن; वज़न; वजन",
    ),
    (
        Extent,
        "how long; wie lange; wie lang; combien de temps; quelle durée; cuánto tiempo; cuánto dura; cuánto tarda; quanto tempo; quanto dura; hoe lang; jak długo; \
         ile czasu; hur länge; hvor længe; ne kadar sür; как долго; сколько времени; сколько длится; як довго; скільки часу; كم من الوقت; كم تستغرق; कितने दिन; कितनी देर; \
         कितना समय",
    ),
    (
        Length,
        "how far; how tall; how wide; how deep; how high; how thick; wie weit; wie breit; wie tief; wie dick; quelle distance; quelle profondeur; quelle hauteur; a qué distancia; qué altura; \
         quanto è alto; quanto è profondo; hoe ver; hoe diep; hoe breed; jak daleko; jak głęboko; jak wysoki",
    ),
    (
        Number,
        "how many; how much; how old; how big; how large; how fast; how often; wie viele; wie viel; wieviel; wieviele; wie alt; wie groß; wie hoch; wie oft; wie schnell; \
         combien; quel âge; cuántos; cuántas; cuánto; cuánta; qué edad; quanti; quante; quanto; quanta; quantos; quantas; que idade; hoeveel; hoe oud; hoe groot; ile; \
         ile lat; hur många; hur mycket; hvor mange; hvor meget; kaç; сколько; скільки; πόσα; πόσοι; πόσο; كم; کم; چند; כמה; कितने; कितना; कितनी",
    ),
    (
        Time,
        "when; what year; which year; what date; what day; what time; wann; quand; quelle année; quelle date; à quelle heure; cuándo; qué año; qué fecha; qué hora; quando; \
         che anno; que ano; wanneer; welk jaar; kiedy; którym roku; när; hvornår; ne zaman; когда; каком году; коли; πότε; متى; چه زمانی; מתי; कब",
    ),
    (
        Person,
        "who; whose; whom; wer; wem; wen; wessen; quién; quiénes; chi; quem; wie; kto; vem; hvem; kim; кто; кого; хто; ποιος; ποια; किसने; कौन; מי",
    ),
];
/// The same in scripts without spaces, and in Korean: parts of a question.
const CUE_PARTS: &[(Wanted, &str)] = &[
    (Price, "多少钱;價格;价格;费用;票价;いくら;値段;料金;価格;費用;가격;요금;비용;ราคา"),
    (Weight, "多重;重量;重さ;重さは;무게;น้ำหนัก"),
    (
        Extent,
        "多久;多长时间;多長時間;何時間;何分;何年間;どのくらい;どれくらい;얼마나 오래;얼마나 걸;몇 시간;นานเท่าไร",
    ),
    (Number, "多少;几个;幾個;几次;何人;何個;何回;何枚;何件;いくつ;몇;얼마;กี่;เท่าไร"),
    (Time, "什么时候;何时;哪一年;哪年;几点;何年;いつ;何時;언제;몇 시;เมื่อไร"),
];
/// "Who can apply?" asks for no name: verbs behind "who".
const ROLE_VERBS: &str = "can could may might must should needs need has have gets pays kann darf muss soll sollte braucht puede debe può deve pode kan mag moet może musi";

type Words = LazyLock<HashSet<&'static str>>;

fn set(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

/// Units of length.
static LENGTH_UNITS: Words = Words::new(|| {
    set(
        "mile miles foot feet ft inch inches yard yards metre metres meter meters km kilometre kilometres kilometer kilometers m cm mm centimetre \
    centimetres centimeter centimeters zentimeter metern mètre mètres metro metros metri centimètres centímetros метр метра метров км متر مترا سم मीटर",
    )
});
const LENGTH_PARTS: &[&str] = &["米", "公里", "メートル", "キロ", "ミリ", "미터", "킬로"];
/// Units of time.
static TIME_UNITS: Words = Words::new(|| {
    set(
        "second seconds sec minute minutes min hour hours hr day days week weeks month months year years decade decades century centuries night nights h ms \
    sekunde sekunden minute minuten stunde stunden std tag tage tagen woche wochen monat monate monaten jahr jahre jahren \
    seconde secondes heure heures jour jours semaine semaines mois ans année années segundo segundos minuto minutos hora horas día días semana semanas mes meses año años \
    secondi minuti ora ore giorno giorni settimana settimane mese mesi anno anni dia dias mês ano anos seconden minuten uur dag dagen week weken maand maanden jaar sekund minut godzin godzina \
    godziny dzień dni tydzień tygodnie miesiąc miesiące miesięcy rok lat lata timme timmar dagar vecka veckor månad månader år time timer dage uge uger måned måneder saat gün hafta ay yıl dakika \
    секунд минут минуты час часа часов день дня дней неделя недели месяц месяца месяцев год года лет хвилин година годин днів тиждень місяць рік років دقيقة دقائق ساعة ساعات يوم أيام أسبوع شهر أشهر سنة سنوات \
    मिनट घंटे घंटा दिन सप्ताह हफ़्ते महीने महीना साल वर्ष",
    )
});
const TIME_PARTS: &[&str] = &[
    "秒", "分", "时", "時", "小时", "天", "日", "周", "週", "月", "年", "초", "분", "시간", "일", "주",
    "개월", "년",
];
static WEIGHT_UNITS: Words = Words::new(|| {
    set(
        "kg g mg t lb lbs pound pounds oz ounce ounces gram grams gramme grammes kilo kilos kilogram kilograms tonne tonnes ton tons gramm kilogramm tonnen pfund grammi chili \
    gramos kilogramos quilos gramas gramów кг г грамм килограмм тонн كيلو كجم غرام किलो ग्राम",
    )
});
const WEIGHT_PARTS: &[&str] = &["公斤", "千克", "克", "斤", "グラム", "キロ", "킬로", "그램", "kg"];
/// Numbers as words. "One" is left out: it is often none.
static NUMBERS: Words = Words::new(|| {
    set(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen eighteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen twice \
    zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert tausend deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante \
    cinquante cent mille dos tres cuatro cinco seis siete ocho nueve diez doce quince veinte treinta cuarenta cincuenta cien mil tre quattro cinque sette otto nove dieci dodici venti trenta \
    cento dois duas três quatro sete oito dez onze doze dezassete vinte trinta cem twee drie vier vijf zes zeven acht negen tien twaalf twintig dertig honderd duizend dwa dwie dwóch trzy trzech cztery \
    pięć sześć siedem osiem dziewięć dziesięć dwanaście dwadzieścia sto tysiąc två tre fyra fem sex sju åtta nio tio fem seks syv otte iki üç dört beş altı yedi sekiz dokuz yüz bin \
    два две три четыре пять шесть семь восемь девять десять двадцать сто тысяча дві чотири п'ять шість сім вісім дев'ять اثنان اثنين ثلاثة ثلاث أربعة أربع خمسة خمس ستة ست سبعة سبع ثمانية تسعة عشرة عشر مئة ألف \
    दो तीन चार पाँच पांच छह सात आठ नौ दस बीस सौ हज़ार",
    )
});
const NUMBER_PARTS: &[&str] = &[
    "二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "万", "两", "두 ", "세 ", "네 ",
    "다섯", "여섯", "열",
];
/// Days and parts of the year and the day.
static TIMES: Words = Words::new(|| {
    set(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays spring summer autumn winter noon midnight morning evening \
    century today yesterday montag dienstag mittwoch donnerstag freitag samstag sonntag frühling frühjahr sommer herbst winter mittag mitternacht lundi mardi mercredi jeudi vendredi samedi dimanche printemps \
    été automne hiver midi lunes martes miércoles jueves viernes sábado domingo primavera verano otoño invierno lunedì martedì mercoledì giovedì venerdì sabato domenica estate autunno inverno segunda terça \
    quarta quinta sexta verão outono maandag dinsdag woensdag donderdag vrijdag zaterdag zondag lente zomer herfst poniedziałek poniedziałku wtorek wtorku środa środę środy czwartek piątek sobota niedziela wiosna \
    lato jesień zima понедельник вторник среда четверг пятница суббота воскресенье весна лето осень зима весной летом осенью зимой الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد सोमवार मंगलवार बुधवार गुरुवार \
    शुक्रवार शनिवार रविवार",
    )
});
/// That nothing is to be paid.
static FREE: Words = Words::new(|| {
    set(
        "kostenlos kostenfrei gratis umsonst gratuit gratuite gratuits gratuitement gratuito gratuita gratis bezpłatna bezpłatnie bezpłatne darmowa бесплатно безкоштовно مجانا مجاني निःशुल्क मुफ़्त \
    ücretsiz",
    )
});
/// The same in English, where the word alone has other meanings.
const FREE_PHRASES: &str = "free of charge; for free; is free; are free; is always free; free admission; free entry; free shipping; free delivery; nobody pays; pay nothing; pays nothing; cost nothing; \
    costs nothing; for nothing; no charge; no fee";
const FREE_PARTS: &[&str] = &["免费", "無料", "무료", "ฟรี"];
/// What stands before a name that did something.
static BY: Words = Words::new(|| {
    set(
        "by von par por da pela pelo door przez av af mr mrs ms dr prof herr frau señor señora monsieur madame",
    )
});
/// Characters of a text that are read.
const CHARS_MAX: usize = 1_000;

/// What a question asks for, and the words of it that say so.
pub(super) fn wanted(question: &str) -> Option<(Wanted, Vec<String>)> {
    let folded = lower(question);
    let words: Vec<&str> = folded.unicode_words().collect();
    let plain = format!(" {} ", words.join(" "));
    let has = |phrase: &str| plain.contains(&format!(" {phrase} "));
    let phrases = |list: &'static str| list.split(';').map(str::trim);
    let begins = |phrase: &str| plain[1..].strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '));
    for (wanted, list) in CUES {
        let found: Vec<&str> = phrases(list).filter(|phrase| has(phrase)).collect();
        let Some(first) = found.first() else { continue };
        let otherwise = match wanted {
            Person => {
                !begins(first)
                    || words.get(1).is_some_and(|verb| ROLE_VERBS.split(' ').any(|role| role == *verb))
            }
            Time | Number | Extent | Length => false,
            Price | Weight => phrases(OTHERWISE).any(begins),
        };
        if otherwise {
            continue;
        }
        let words = found.iter().flat_map(|phrase| phrase.split(' ')).map(str::to_owned).collect();
        return Some((*wanted, words));
    }
    let parts = |list: &'static str| list.split(';');
    let (wanted, part) = CUE_PARTS.iter().find_map(|(wanted, list)| {
        let part = parts(list).find(|part| folded.contains(part))?;
        Some((*wanted, part))
    })?;
    Some((wanted, vec![part.to_owned()]))
}

/// Whether a number stands beside a word in a text, as in "61 new games" and "Locks: 19"; `None` where the text does not have the word.
pub(super) fn is_counted(text: &str, is_word: impl Fn(&str) -> bool) -> Option<bool> {
    const BEFORE_MAX: usize = 3;
    const BEHIND_MAX: usize = 2;
    let folded = lower(head(text, CHARS_MAX));
    let words: Vec<&str> = folded.unicode_words().collect();
    let is_number = |word: &&str| word.chars().any(char::is_numeric) || NUMBERS.contains(*word);
    let mut found = None;
    for at in (0..words.len()).filter(|&at| is_word(words[at])) {
        let before = &words[at.saturating_sub(BEFORE_MAX)..at];
        let behind = &words[at + 1..words.len().min(at + 1 + BEHIND_MAX)];
        let counted = before.iter().any(is_number) || behind.iter().any(is_number);
        found = Some(found.unwrap_or(false) || counted);
    }
    found
}

impl Wanted {
    /// Whether its form is always there: a name or a time may be told in other words.
    pub(super) fn is_strict(self) -> bool {
        !matches!(self, Person | Time)
    }

    /// How much it counts for a sentence, relative to a word of the question that is as rare.
    pub(super) fn weight(self) -> f32 {
        match self {
            Person => 0.4,
            Time => 0.7,
            _ => 1.0,
        }
    }

    /// Whether a text has such an answer. Of names only their form is known, which needs letters of two sizes.
    pub(super) fn stands_in(self, text: &str) -> bool {
        let text = head(text, CHARS_MAX);
        let folded = lower(text);
        let any_word = |list: &Words| folded.unicode_words().any(|word| list.contains(word));
        let has_number = || {
            text.chars().any(char::is_numeric)
                || any_word(&NUMBERS)
                || NUMBER_PARTS.iter().any(|part| text.contains(part))
        };
        let is_timed = || has_unit(&folded, &TIME_UNITS) || TIME_PARTS.iter().any(|unit| text.contains(unit));
        let is_measured =
            || has_unit(&folded, &LENGTH_UNITS) || LENGTH_PARTS.iter().any(|unit| text.contains(unit));
        match self {
            Person => has_name(text),
            Time => Values::Dates.stand_in(text) || text.chars().any(char::is_numeric) || any_word(&TIMES),
            Extent => has_number() && (is_timed() || is_measured()),
            Length => has_number() && is_measured(),
            Price => {
                (has_number() && has_currency(text))
                    || any_word(&FREE)
                    || FREE_PHRASES.split(';').any(|phrase| folded.contains(phrase.trim()))
                    || folded.trim_end_matches('.').ends_with(" free")
                    || FREE_PARTS.iter().any(|part| text.contains(part))
            }
            Weight => {
                has_number()
                    && (has_unit(&folded, &WEIGHT_UNITS)
                        || WEIGHT_PARTS.iter().any(|unit| text.contains(unit)))
            }
            Number => has_number(),
        }
    }
}

/// A word that is a unit; a short one stands behind digits ("30cm", "30 m").
fn has_unit(folded: &str, units: &Words) -> bool {
    const SHORT_CHARS_MAX: usize = 2;
    let mut behind_digits = false;
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).any(|word| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let counted = behind_digits || unit.len() < word.len();
        behind_digits = word.ends_with(|c: char| c.is_ascii_digit());
        units.contains(unit) && (counted || unit.chars().count() > SHORT_CHARS_MAX)
    })
}

/// Two capitalised words beside each other, or one behind "by" or a title.
fn has_name(text: &str) -> bool {
    let words: Vec<&str> = text.unicode_words().collect();
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.any(char::is_lowercase)
    };
    words
        .windows(2)
        .any(|pair| capital(pair[1]) && (capital(pair[0]) || BY.contains(lower(pair[0]).as_str())))
}

#[cfg(test)]
mod tests {
    use super::{Wanted, wanted};
    use Wanted::{Extent, Length, Number, Person, Price, Time, Weight};

    #[test]
    fn questions_ask_for_a_kind_of_answer() {
        for (question, expected) in [
            ("How much does Firefox cost?", Some(Price)),
            ("What is the price of a ticket?", Some(Price)),
            ("Why does it cost so much?", None),
            ("How heavy is it?", Some(Weight)),
            ("How long does the crossing take?", Some(Extent)),
            ("How deep is the river?", Some(Length)),
            ("Who is the mayor?", Some(Person)),
            ("How many people live there?", Some(Number)),
            ("When does it open?", Some(Time)),
            ("Who created Rust?", Some(Person)),
            ("Who can apply?", None),
            ("Does it work on Linux?", None),
            ("Was kostet das Gerät?", Some(Price)),
            ("Wie lange gilt die Garantie?", Some(Extent)),
            ("Combien de temps au four ?", Some(Extent)),
            ("Combien coûte Pivoine ?", Some(Price)),
            ("¿Cuándo abre el museo?", Some(Time)),
            ("Quanto dura la visita?", Some(Extent)),
            ("Ile kosztuje kurier?", Some(Price)),
            ("Кто построил мост?", Some(Person)),
            ("कितने लोग आए?", Some(Number)),
            ("门票多少钱？", Some(Price)),
            ("いつ開館しますか？", Some(Time)),
            ("입장료는 얼마인가요?", Some(Number)),
        ] {
            assert_eq!(wanted(question).map(|(wanted, _)| wanted), expected, "{question}");
        }
    }

    #[test]
    fn kinds_of_answers_are_found() {
        for (wanted, text, expected) in [
            (Price, "The drill is €129.", true),
            (Price, "On Sundays nobody pays.", true),
            (Price, "Visitor: Children up to 16; Price: free", true),
            (Price, "Broken zippers are fixed by hand, and nothing is left of the sting.", false),
            (Price, "You need not free the memory.", false),
            (Price, "It is made of nylon.", false),
            (Weight, "It weighs 2.4 kg.", true),
            (Weight, "It is 2.4 m wide.", false),
            (Extent, "Bake it for forty-five minutes.", true),
            (Extent, "Heat the oven to 200 °C.", false),
            (Extent, "焼き時間は20分です。", true),
            (Length, "The well is 30 m deep.", true),
            (Length, "The well is 30 years old.", false),
            (Time, "It opens every Monday.", true),
            (Time, "It opens by itself.", false),
            (Person, "It was founded by Ana Prieto.", true),
            (Person, "A string is run by a shell.", false),
            (Number, "Eleven men were drowned.", true),
            (Number, "Nobody knows.", false),
        ] {
            assert_eq!(wanted.stands_in(text), expected, "{wanted:?}: {text}");
        }
    }
}
