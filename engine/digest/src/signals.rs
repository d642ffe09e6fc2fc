//! Further signals of a key sentence. Mostly lists of data; a language without a list has no such signal.

use super::words::head;
use unicode_segmentation::UnicodeSegmentation;

/// Phrases with which a text says what it is about or what matters in it.
const CUES: &[(&str, &str)] = &[
    (
        "en",
        "this document; this paper; this article; this guide; this manual; this chapter; this section; this page; this report; this policy; this study; \
         this course; this lesson; this release; this tutorial; proposes; propose; we present; we show; the goal; the aim; the purpose; the main; \
         the most important; in summary; in conclusion; to summarize; in short; overall; the key; our results; the results; this work; \
         is designed to; is intended to; allows you to; describes; explains; recommended; important",
    ),
    (
        "de",
        "dieses dokument; dieser artikel; diese anleitung; dieses kapitel; diese seite; dieser bericht; diese studie; dieses handbuch; dieser beitrag; \
         das ziel; der zweck; ziel ist; zusammenfassend; insgesamt; am wichtigsten; das wichtigste; vor allem; beschreibt; erklärt; die ergebnisse; \
         schlägt vor; wichtig",
    ),
    (
        "fr",
        "ce document; cet article; ce guide; ce chapitre; cette page; ce rapport; cette étude; ce manuel; le but; l'objectif; en résumé; en conclusion; \
         en bref; le plus important; décrit; explique; propose; les résultats; important",
    ),
    (
        "es",
        "este documento; este artículo; esta guía; este capítulo; esta página; este informe; este estudio; este manual; el objetivo; el propósito; \
         en resumen; en conclusión; lo más importante; describe; explica; propone; los resultados; importante",
    ),
    (
        "it",
        "questo documento; questo articolo; questa guida; questo capitolo; questa pagina; questo studio; l'obiettivo; lo scopo; in sintesi; \
         in conclusione; descrive; spiega; propone; i risultati; importante",
    ),
    (
        "pt",
        "este documento; este artigo; este guia; este capítulo; esta página; este estudo; o objetivo; o propósito; em resumo; em conclusão; descreve; \
         explica; propõe; os resultados; importante",
    ),
    (
        "nl",
        "dit document; dit artikel; deze handleiding; dit hoofdstuk; deze pagina; het doel; samengevat; kortom; beschrijft; belangrijk",
    ),
    (
        "sv",
        "detta dokument; denna artikel; denna guide; detta kapitel; syftet; målet; sammanfattningsvis; beskriver; viktig",
    ),
    (
        "da",
        "dette dokument; denne artikel; denne vejledning; dette kapitel; formålet; målet; sammenfattende; beskriver; vigtig",
    ),
    ("pl", "ten dokument; ten artykuł; ten rozdział; celem; podsumowując; opisuje; najważniejsze"),
    ("tr", "bu belge; bu makale; bu bölüm; amacı; amaç; özetle; sonuç olarak; açıklar; önemli"),
    (
        "ru",
        "этот документ; эта статья; это руководство; эта глава; цель; целью; в заключение; подводя итог; описывает; главное; важно",
    ),
    ("uk", "цей документ; ця стаття; цей розділ; мета; метою; на завершення; описує; головне; важливо"),
    ("el", "αυτό το έγγραφο; το άρθρο; σκοπός; στόχος; συνοπτικά; συμπερασματικά; περιγράφει; σημαντικό"),
    ("ar", "هذه الوثيقة; هذا المقال; هذا الدليل; هذا الفصل; الهدف; يهدف; باختصار; في الختام; الأهم"),
    ("zh", "本文; 本文档; 本指南; 本章; 目的; 目标; 总之; 综上; 重要; 提出"),
    ("ja", "本書; この文書; この記事; 本稿; 本章; 目的; まとめると; 結論; 重要; 提案"),
    ("ko", "이 문서; 이 글; 본 논문; 목적; 목표; 요약하면; 결론; 중요"),
];

/// Words by which writers speak of themselves.
const FIRST_PERSON: &[(&str, &str)] = &[
    ("en", "i i'm i've i'd i'll me my mine myself we we're we've our ours us"),
    ("de", "ich mich mir mein meine meinen wir uns unser unsere unseren"),
    ("fr", "je j'ai j'étais moi mon ma mes nous notre nos"),
    ("es", "yo me mi mis nosotros nuestro nuestra nos"),
    ("it", "io mio mia miei noi nostro nostra"),
    ("pt", "eu meu minha nós nosso nossa"),
    ("nl", "ik mij mijn wij we ons onze"),
    ("sv", "jag mig min mitt vi oss vår vårt"),
    ("da", "jeg mig min mit vi os vores"),
    ("pl", "ja mnie mój moja my nas nasz nasza"),
    ("tr", "ben benim bana biz bizim bize"),
    ("ru", "я меня мне мой моя мы нас нам наш наша"),
    ("uk", "я мене мені мій моя ми нас нам наш наша"),
    ("el", "εγώ μου εμείς μας"),
    ("he", "אני שלי אנחנו שלנו"),
    ("hi", "मैं मेरा मेरी हम हमारा हमारी"),
];

/// Characters of a sentence in which cues are looked for.
const CUE_CHARS_MAX: usize = 160;

/// What of a language is looked for.
pub(super) struct Signals {
    cues: Vec<&'static str>,
    first_person: Vec<&'static str>,
}

/// What one sentence has of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Signs {
    pub(super) cue: bool,
    pub(super) first_person: bool,
    pub(super) parentheses: bool,
    pub(super) opening_quote: bool,
}

impl Signals {
    pub(super) fn new(language: &str) -> Self {
        let of = |lists: &'static [(&str, &str)]| {
            lists.iter().find(|(name, _)| *name == language).map_or("", |(_, list)| *list)
        };
        Self {
            cues: of(CUES).split(';').map(str::trim).filter(|cue| !cue.is_empty()).collect(),
            first_person: of(FIRST_PERSON).split_ascii_whitespace().collect(),
        }
    }

    pub(super) fn read(&self, sentence: &str) -> Signs {
        let folded = head(sentence, CUE_CHARS_MAX).to_lowercase().replace('’', "'");
        let whole_word = |cue: &&str| {
            folded.match_indices(*cue).any(|(at, _)| {
                let spaced = !cue.starts_with(|c| super::words::script_of(c) != super::words::Script::Spaced);
                let before = folded[..at].chars().next_back().is_some_and(char::is_alphanumeric);
                let after = folded[at + cue.len()..].chars().next().is_some_and(char::is_alphanumeric);
                !spaced || (!before && !after)
            })
        };
        Signs {
            cue: self.cues.iter().any(whole_word),
            first_person: folded.unicode_words().any(|word| self.first_person.contains(&word)),
            parentheses: sentence.contains(['(', '（']),
            opening_quote: sentence.starts_with(['"', '“', '„', '«', '»', '‘', '‚', '「', '『', '\'']),
        }
    }
}
