//! Sentences that are text of the page and still have no place in a summary: front matter, notes about the text itself, questions, the rest of
//! a torn sentence, lines that name what was never named. They may answer a question.

use super::Sentence;
use super::connectives::dateline_bytes;
use super::labels::{is_question, number_bytes};
use super::words::{Script, behind_phrase, head, lower, script_of};

/// A sentence is judged by so many of its characters.
const HEAD_CHARS: usize = 160;
/// A greeting has at most so many words.
const GREETING_WORDS_MAX: usize = 9;
/// A heading in front of its paragraph has at most so many words.
const RUN_IN_WORDS_MAX: usize = 7;
/// Beyond so many words a line about rights or dates is a paragraph of its own.
const FRONT_WORDS_MAX: usize = 90;
/// Characters of a sentence in which code is looked for.
const CODE_CHARS: usize = 400;
/// Marks that code has, at least, and bytes to each of them: more where something is called.
const CODE_MARKS_MIN: usize = 6;
const MARK_BYTES: usize = 14;
const CALL_BYTES: usize = 28;

/// Front matter and notes about the text, anywhere in a sentence.
const ANYWHERE: &str = "copyright (c); copyright ©; © ; (c) 19; (c) 20; permission is granted; permission to use, copy; is hereby granted; all rights reserved; pacs numbers; \
    e-mail address; corresponding author; electronic address; received by the; conflict of interest; competing interests; author contributions; this article was originally; \
    published online; issn ; isbn ; licensed under; creative commons; table of contents; edit this page; free documentation license; free software foundation; \
    translation of this; translated by; no part of this publication; unlimited permission; lizenziert unter; urheberrecht; sous licence; droits d'auteur; bajo licencia; \
    derechos de autor; sotto licenza; sob licença; onder licentie; na licencji; под лицензией; 版权所有; 著作権; 저작권; image credit; photo credit; affiliate links; earn a commission; \
    we may earn; foto: ; bild: ; photo: ; crédit photo; congratulations on your purchase; thank you for choosing; thank you for buying; thank you for purchasing; read this manual; keep this manual; read these instructions; \
    keep these instructions; をご覧ください; 曖昧さ回避; redirects here; 転送されて; weiterleitungshinweis; begriffsklärung; glückwunsch zum kauf; vielen dank, dass sie sich; diese anleitung; diese bedienungsanleitung; félicitations pour votre achat; merci d'avoir choisi; merci d'avoir acheté; lisez cette notice; \
    gracias por comprar; gracias por elegir; lea este manual; grazie per aver; leggere questo manuale; obrigado por; leia este manual; gefeliciteerd met; bedankt voor de aankoop; lees deze handleiding; \
    dziękujemy za zakup; dziękujemy za wybór; благодарим за покупку; благодарим вас за; прочтите это руководство; 感谢您购买; 感谢您选择; 请阅读本说明书; 使用前请; お買い上げ; ご購入いただき; 本書をよく; この説明書を; \
    구입해 주셔서; 구매해 주셔서; 이 설명서를; شكرا لشرائك; شكرًا لشرائك";
/// And at its beginning.
const BEGINS: &str = "for other uses; not to be confused with; this article is about; received; accepted; revised; keywords; key words; index terms; figure; fig.; table ; listing ; box ; photo; photograph; image:; source:; sources:; \
    note:; disclaimer; disclosure; author's note; editor's note; about the author; acknowledg; this work was supported; funding; correspondence; citation:; cite this; doi:; \
    version history; changed in version; new in version; added in version; deprecated since; deprecated in; last updated; last modified; last reviewed; updated on; posted on; posted by; published; written by; \
    see ; see also; refer to; for more information; for details; for further; for a full; for the full; click; tap ; read more; watch ; listen to; sign up; subscribe; follow ; share ; download the; imagine ; \
    abbildung; abb.; tabelle; quelle; hinweis:; schlagwörter; eingegangen; veröffentlicht am; zuletzt; siehe ; lesen sie; mehr dazu; figure ; tableau; source ; mots-clés; publié le; mis à jour; voir ; \
    à lire; figura; tabla; fuente; palabras clave; publicado; actualizado; véase; lea también; tabella; fonte:; parole chiave; pubblicato; vedi ; leggi ; palavras-chave; veja ; leia ; figuur; bron:; \
    trefwoorden; zie ; lees ; rysunek; źródło; słowa kluczowe; zobacz ; czytaj; рис.; рисунок; таблица; источник; ключевые слова; читайте; смотрите; см. ; 图; 表; 关键词; 来源; 責任編集; 図; 表 ; キーワード; 出典; \
    관련기사; 사진";
/// What a text says of itself in place of what it says.
const ANNOUNCES: &str = "in this section; in this chapter; in this article; in this post; in this guide; in this tutorial; in this lesson; in this part; in the next; in the following; in the rest; \
    this section describes; this section explains; this section covers; this section lists; this section shows; this section will; this section discusses; this chapter describes; \
    this chapter explains; this chapter covers; this chapter offers; this chapter introduces; this chapter discusses; this chapter will; this chapter shows; the next section; the next chapter; the following section; the following table; the following example; the following figure; the rest of this; the remainder of; \
    this manual is ; this manual describes; this manual explains; this guide is ; this guide describes; this guide explains; this guide covers; this document is intended; this document describes; this document explains; \
    this book is ; this book describes; this tutorial is ; this tutorial will; this handbook is ; dieses handbuch; dieses dokument; ce manuel; ce document ; ce guide; este manual; este documento; esta guía; questo manuale; questo documento; \
    let's ; let us ; we will look; we will see; we will discuss; we'll look; we'll see; we'll discuss; we'll cover; we'll explore; as we will; as we'll; as we saw; as you saw; as mentioned; as described above; \
    as noted; as discussed; as shown; here's a ; here is a ; here are ; here's how; here is how; below is; below are; below you; above, ; note that this section; before we; now that; read on; \
    in diesem abschnitt; in diesem kapitel; im folgenden; im nächsten; dieser abschnitt; dieses kapitel; wie oben; dans cette section; dans ce chapitre; dans cet article; la section suivante; \
    ci-dessous; en esta sección; en este capítulo; en este artículo; a continuación; in questa sezione; in questo capitolo; di seguito; nesta seção; neste capítulo; a seguir; in dit hoofdstuk; \
    in deze sectie; hieronder; w tym rozdziale; poniżej; в этой главе; в этом разделе; ниже ; 本节; 本章将; 接下来; 以下では; 本章では; 次の章";
/// Beginnings of what was torn from the sentence before.
const TORN: &str = "where ; which ; whose ; that ; and ; or ; because ; than ; of ; wobei ; welche ; dont ; lequel ; ce qui ; lo que ; il che ";
/// Words that name what only the place of the sentence shows.
const PLACED: &str = "the above; any of the above; shown above; mentioned above; described above; listed above; as follows; the following:; see below; shown below; described below; listed below; \
    the previous section; in the figure; in the table; in the picture; the code above; the example above; this particular; weiter oben; weiter unten; siehe oben; siehe unten; ci-dessus; \
    más arriba; más abajo; qui sopra; qui sotto; acima; abaixo; hierboven; powyżej; 上述; 如下; 上記; 以下の通り";

/// Whether a sentence has no place in a summary.
pub(super) fn is_poor(sentence: &Sentence) -> bool {
    let text = sentence.text.trim();
    let text = &text[dateline_bytes(text)..];
    let folded = lower(head(text, HEAD_CHARS));
    is_question(text)
        || is_front(&folded, sentence.words)
        || is_torn(text, &folded, sentence)
        || is_signed(text)
        || is_item(text, &folded)
        || is_run_in(text, sentence)
        || greets(&folded, sentence.words)
        || has_gap(text)
        || is_code(head(text, CODE_CHARS))
        || shows(&folded)
}

/// Whether a sentence only says what the text is going to say: it answers nothing.
pub(super) fn is_announcement(text: &str) -> bool {
    const BEFORE: [&str; 7] = ["first, ", "first ", "now, ", "now ", "next, ", "then, ", "so "];
    let folded = lower(head(text, HEAD_CHARS));
    let bare = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    let bare = BEFORE.iter().find_map(|before| bare.strip_prefix(before)).unwrap_or(bare);
    !text.contains(|c: char| c.is_ascii_digit()) && any(ANNOUNCES, |phrase| starts(bare, phrase))
}

fn is_front(folded: &str, words: usize) -> bool {
    let bare = folded.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '©');
    let is_byline = words <= 6 && bare.starts_with("by ");
    is_byline
        || words <= FRONT_WORDS_MAX
            && (any(ANYWHERE, |phrase| folded.contains(phrase)) || any(BEGINS, |phrase| starts(bare, phrase)))
        || any(ANNOUNCES, |phrase| starts(bare, phrase))
        || is_dated(bare, words)
        || is_credits(folded)
}

/// What stands under a title: "Entry by A. Smith · Published 3 May 2019 · Revised 14 May 2024".
fn is_credits(folded: &str) -> bool {
    let parts: Vec<&str> = folded.split(['·', '|', '•']).collect();
    let dated = parts.iter().filter(|part| part.chars().filter(char::is_ascii_digit).count() >= 4).count();
    parts.len() >= 3 && dated >= 1 && !folded.trim_end().ends_with('.')
}

/// A short line that is a date with little else: "Version 2.3, 29 January 2004".
fn is_dated(folded: &str, words: usize) -> bool {
    let numbers = folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .count();
    words <= 8 && numbers >= 2 && numbers * 3 >= words && !folded.contains(['%', '$', '€'])
}

/// Begins in lower case, or as a subordinate clause, or points at what stands around it.
fn is_torn(text: &str, folded: &str, sentence: &Sentence) -> bool {
    let first = text.chars().find(|c| c.is_alphanumeric());
    let lower =
        first.is_some_and(|c| c.is_lowercase() && script_of(c) == Script::Spaced)
            && !text.split_whitespace().next().unwrap_or_default().chars().any(|c| {
                c.is_uppercase() || c.is_numeric() || matches!(c, '_' | '-' | '.' | '(' | '`' | '/')
            });
    // A name of a command may begin a sentence: "tar saves many files together".
    let named = sentence.opens_block && sentence.words > 5;
    (lower && (!named || any(TORN, |phrase| folded.starts_with(phrase))))
        || text.starts_with([',', ';', ')', '…'])
        || any(PLACED, |phrase| folded.contains(phrase))
}

/// A remark in brackets, or one of the items that a list of conditions is made of: "b) the notice is kept; or".
fn is_item(text: &str, folded: &str) -> bool {
    let mut chars = folded.chars();
    let is_lettered = chars.next().is_some_and(char::is_alphanumeric) && chars.next() == Some(')');
    let goes_on = ["; or", "; and", ";", "; oder", "; und", "; ou", "; et", "; o", "; y"]
        .iter()
        .any(|end| folded.ends_with(end));
    let is_bracketed = text.starts_with(['(', '（'])
        && (!text.contains([')', '）']) || text.trim_end_matches(['.', '。']).ends_with([')', '）']));
    is_bracketed || is_lettered || goes_on
}

/// A numbered heading in front of its paragraph: "11. Limitation of Liability."
fn is_run_in(text: &str, sentence: &Sentence) -> bool {
    let named = &text[number_bytes(text)..];
    let mut words = named.split_whitespace().filter(|word| word.chars().count() > 3);
    let is_name = |word: &str| word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
    sentence.opens_block
        && named.len() < text.len()
        && sentence.words <= RUN_IN_WORDS_MAX
        && (sentence.words <= 2 || words.all(is_name))
}

/// "Hi all, long time lurker."
fn greets(folded: &str, words: usize) -> bool {
    const GREETINGS: &str = "hi ; hi,; hello; hey ; hey,; dear ; good morning; greetings; thanks in advance; welcome; hallo; guten ; liebe ; moin; bonjour; salut; hola; buenas; buenos ; ciao; salve; olá; \
        oi ; goedendag; hoi ; cześć; witam; dzień dobry; привет; здравствуйте; добрый; 大家好; 你好; こんにちは; はじめまして; 안녕하세요; नमस्ते; مرحبا; السلام عليكم";
    words <= GREETING_WORDS_MAX && any(GREETINGS, |phrase| folded.starts_with(phrase))
}

/// A remark with its time behind it: "... - ilse, May 9, 2023 at 8:26".
fn is_signed(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_time = last.split_once(':').is_some_and(|(hours, minutes)| {
        digits(hours) && hours.len() <= 2 && digits(minutes) && minutes.len() == 2
    });
    is_time
        && text
            .split_whitespace()
            .any(|word| word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) && digits(word))
}

/// A formula was there: "denoted as , the transpose", "( )". One that is there may end before the comma: "f (n) , begins".
fn has_gap(text: &str) -> bool {
    text.match_indices(" , ").any(|(at, _)| !text[..at].ends_with([')', '}']))
        || text.contains("( )")
        || text.contains("()  ")
        || text.ends_with(" .")
        || text.contains(" . ")
}

/// It speaks of what a picture shows: "The array in figure 4 ...". In brackets the number is only a source.
fn shows(folded: &str) -> bool {
    const SHOWN: [&str; 6] = ["figure ", "fig. ", "listing ", "abbildung ", "рисунок ", "рис. "];
    SHOWN.iter().any(|name| {
        folded.match_indices(name).any(|(at, _)| {
            let is_bracketed = folded[..at].rfind(['(', '[']) > folded[..at].rfind([')', ']']);
            !is_bracketed && folded[at + name.len()..].starts_with(|c: char| c.is_ascii_digit())
        })
    })
}

/// Code or a drawing that is no block of its own: "fn main() { let s1 = owner(); }", "A---B---C". Words in front of it only announce it.
fn is_code(text: &str) -> bool {
    let marks = text.chars().filter(|c| "{}[]()=;<>|$_\\/".contains(*c)).count();
    let calls = text.contains(");") && text.split('(').any(|before| before.ends_with(char::is_alphanumeric));
    let assigns = text.contains(" = ") || text.contains("; ") || text.contains(['{', '$']);
    let bytes_of_one = if calls { CALL_BYTES } else { MARK_BYTES };
    text.contains("----")
        || text.contains(": $ ")
        || (assigns && marks >= CODE_MARKS_MIN && marks * bytes_of_one > text.len())
}

fn any(phrases: &'static str, test: impl Fn(&str) -> bool) -> bool {
    phrases.split(';').map(str::trim_start).any(|phrase| !phrase.is_empty() && test(phrase))
}

/// Whether a text begins with a phrase. A long one may go on: "acknowledg".
fn starts(text: &str, phrase: &str) -> bool {
    behind_phrase(text, phrase).is_some() || (phrase.len() > 6 && text.starts_with(phrase))
}
