//! Sentences that are text of the page and still have no place in a summary: front matter, notes about the text itself, questions, the rest of
//! a torn sentence, lines that name what was never named. They may answer a question.

use super::Sentence;
use super::words::{Script, head, lower, script_of};

/// A sentence is judged by so many of its characters.
const HEAD_CHARS: usize = 160;
/// Beyond so many words a line about rights or dates is a paragraph of its own.
const FRONT_WORDS_MAX: usize = 90;

/// Front matter and notes about the text, anywhere in a sentence.
const ANYWHERE: &str = "copyright (c); copyright ©; © ; (c) 19; (c) 20; permission is granted; permission to use, copy; is hereby granted; all rights reserved; pacs numbers; \
    e-mail address; corresponding author; electronic address; received by the; conflict of interest; competing interests; author contributions; this article was originally; \
    published online; issn ; isbn ; licensed under; creative commons; table of contents; edit this page; free documentation license; free software foundation; \
    translation of this; translated by; no part of this publication; unlimited permission; lizenziert unter; urheberrecht; sous licence; droits d'auteur; bajo licencia; \
    derechos de autor; sotto licenza; sob licença; onder licentie; na licencji; под лицензией; 版权所有; 著作権; 저작권; image credit; photo credit; affiliate links; earn a commission; \
    we may earn; foto: ; bild: ; photo: ; crédit photo";
/// And at its beginning.
const BEGINS: &str = "received; accepted; revised; keywords; key words; index terms; figure; fig.; table ; listing ; box ; photo; photograph; image:; source:; sources:; \
    note:; disclaimer; disclosure; author's note; editor's note; about the author; acknowledg; this work was supported; funding; correspondence; citation:; cite this; doi:; \
    version history; changed in version; new in version; added in version; deprecated since; deprecated in; last updated; last modified; last reviewed; updated on; posted on; posted by; published; written by; \
    see ; see also; refer to; for more information; for details; for further; for a full; for the full; click; tap ; read more; watch ; listen to; sign up; subscribe; follow ; share ; download the; \
    abbildung; abb.; tabelle; quelle; hinweis:; schlagwörter; eingegangen; veröffentlicht am; zuletzt; siehe ; lesen sie; mehr dazu; figure ; tableau; source ; mots-clés; publié le; mis à jour; voir ; \
    à lire; figura; tabla; fuente; palabras clave; publicado; actualizado; véase; lea también; tabella; fonte:; parole chiave; pubblicato; vedi ; leggi ; palavras-chave; veja ; leia ; figuur; bron:; \
    trefwoorden; zie ; lees ; rysunek; źródło; słowa kluczowe; zobacz ; czytaj; рис.; рисунок; таблица; источник; ключевые слова; читайте; смотрите; см. ; 图; 表; 关键词; 来源; 責任編集; 図; 表 ; キーワード; 出典; \
    관련기사; 사진";
/// What a text says of itself in place of what it says.
const ANNOUNCES: &str = "in this section; in this chapter; in this article; in this post; in this guide; in this tutorial; in this lesson; in this part; in the next; in the following; in the rest; \
    this section describes; this section explains; this section covers; this section lists; this section shows; this section will; this section discusses; this chapter describes; \
    this chapter explains; this chapter covers; this chapter offers; this chapter introduces; this chapter discusses; this chapter will; this chapter shows; the next section; the next chapter; the following section; the following table; the following example; the following figure; the rest of this; the remainder of; \
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
    let folded = lower(head(text, HEAD_CHARS));
    is_question(text)
        || is_front(&folded, sentence.words)
        || is_torn(text, &folded, sentence)
        || has_gap(text)
}

fn is_question(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| super::joins::is_closing(c) || c.is_whitespace());
    end.ends_with(['?', '？', '؟'])
}

fn is_front(folded: &str, words: usize) -> bool {
    let bare = folded.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '©');
    let is_byline = words <= 6 && bare.starts_with("by ");
    is_byline
        || words <= FRONT_WORDS_MAX
            && (any(ANYWHERE, |phrase| folded.contains(phrase)) || any(BEGINS, |phrase| starts(bare, phrase)))
        || any(ANNOUNCES, |phrase| starts(bare, phrase))
        || is_dated(bare, words)
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

/// A formula was there: "denoted as , the transpose", "( )".
fn has_gap(text: &str) -> bool {
    text.contains(" , ")
        || text.contains("( )")
        || text.contains("()  ")
        || text.ends_with(" .")
        || text.contains(" . ")
}

fn any(phrases: &'static str, test: impl Fn(&str) -> bool) -> bool {
    phrases.split(';').map(str::trim_start).any(|phrase| !phrase.is_empty() && test(phrase))
}

/// Whether a text begins with a phrase, which is whole where it ends in a letter of a script with spaces.
fn starts(text: &str, phrase: &str) -> bool {
    text.strip_prefix(phrase).is_some_and(|rest| {
        let spaced =
            phrase.chars().next_back().is_some_and(|c| c.is_alphabetic() && script_of(c) == Script::Spaced);
        !spaced || !rest.starts_with(char::is_alphabetic) || phrase.len() > 6
    })
}
