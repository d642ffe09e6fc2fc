//! What readers of a page thought of its posts: replies that contradict what stands above them ("No, it does not"), votes, acceptance. Mostly
//! lists of data.

use super::Digest;
use super::labels::is_question;
use super::page::Block;
use super::words::{head, lower};

/// Beginnings of a reply that contradicts, in lower case. Those that end in a letter stand before a mark or a space.
const NO: &str = "no,; no.; no!; no -; no –; no —; nope; not true; that's not; that is not; that isn't; that's wrong; that is wrong; this is wrong; wrong,; wrong.; wrong:; this does not work; this doesn't work; \
    that does not work; that doesn't work; doesn't work; does not work; didn't work; did not work; this is not; this isn't; incorrect; don't do this; do not do this; bad advice; \
    nein,; nein.; nein!; stimmt nicht; das stimmt nicht; das ist falsch; falsch,; falsch.; das funktioniert nicht; das geht nicht; funktioniert nicht; bloß nicht; \
    non,; non.; non !; c'est faux; faux,; ça ne marche pas; cela ne marche pas; cela ne fonctionne pas; ne marche pas; no es cierto; eso no; falso; esto no funciona; no funciona; \
    non è vero; non funziona; falso,; sbagliato; não,; não.; não é verdade; isso não; não funciona; errado; nee,; nee.; klopt niet; dat klopt niet; werkt niet; dat werkt niet; fout,; \
    nie,; nie.; to nieprawda; nieprawda; to nie działa; nie działa; błąd,; нет,; нет.; неверно; это не так; это не работает; не работает; неправда; ні,; неправда; це не так; не працює; nej,; nej.; det stämmer inte; \
    hayır,; yanlış; لا،; لا.; غير صحيح; هذا غير صحيح; नहीं,; गलत; यह काम नहीं; 不对; 不是的; 不行; 没用; 错了; 不對; いいえ; 違います; ちがいます; 動きません; 그렇지 않; 아니요; 아니오; 틀렸";
/// Characters of a beginning that are read.
const HEAD_CHARS: usize = 40;
/// Between a text and a reply to it stand at most so many short lines: names, times.
const LINES_BETWEEN_MAX: usize = 3;
const LINE_WORDS_MAX: usize = 6;

/// What readers thought of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// More voted against it than for it.
    Disputed,
    /// It is marked as the answer that helped.
    Accepted,
}

impl Standing {
    pub(super) fn of(block: &Block) -> Option<Self> {
        match block.votes {
            Some(votes) if votes < 0 => Some(Self::Disputed),
            _ => block.accepted.then_some(Self::Accepted),
        }
    }

    /// What it adds to the rank of a sentence.
    pub(super) fn bonus(self) -> f32 {
        match self {
            Self::Disputed => -2.0,
            Self::Accepted => 0.5,
        }
    }
}

impl Digest {
    /// The block that a sentence contradicts, where it is a reply that begins with a no. A no behind a question answers that.
    pub(super) fn refuted(&self, at: usize) -> Option<usize> {
        let reply = &self.sentences[at];
        if !reply.opens_block || !says_no(&reply.text) {
            return None;
        }
        let mut between = 0;
        for above in self.sentences[..at].iter().rev() {
            let is_line = above.opens_block && above.words <= LINE_WORDS_MAX && above.row.is_none();
            if is_line && between < LINES_BETWEEN_MAX && !is_question(&above.text) {
                between += 1;
                continue;
            }
            let is_under = above.heading == reply.heading && !is_question(&above.text);
            return is_under.then_some(above.block);
        }
        None
    }
}

fn says_no(text: &str) -> bool {
    let folded = lower(head(text.trim_start_matches(|c: char| !c.is_alphanumeric()), HEAD_CHARS));
    NO.split(';').map(str::trim).any(|no| {
        folded.strip_prefix(no).is_some_and(|rest| {
            !no.ends_with(|c: char| c.is_ascii_alphabetic()) || !rest.starts_with(char::is_alphanumeric)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::says_no;

    #[test]
    fn replies_that_contradict_are_known() {
        for (text, expected) in [
            ("No, it does not: a subshell cannot change the variables of its parent.", true),
            ("@guest No. It never did.", false),
            ("That is wrong, the valve is on the left.", true),
            ("No bike fits into the lift.", false),
            ("Nein, das hilft nicht.", true),
            ("Non, jamais.", true),
            ("Нет, не поможет.", true),
            ("いいえ、動きません。", true),
            ("Nobody knows.", false),
            ("Falsche Schrauben gibt es viele.", false),
        ] {
            assert_eq!(says_no(text), expected, "{text}");
        }
    }
}
