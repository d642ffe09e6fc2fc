//! Page text that reads as nothing but text of a page: no marks of templates, fences or citations.

use super::seen::seen;

/// One line, without characters that cannot be seen.
pub(super) fn visible(text: &str) -> String {
    seen(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Breaks up the words of a fence: a model may take them for one without its nonce, too.
pub(super) fn break_fences(mut text: String) -> String {
    for name in ["PAGE", "TEXT", "TITLE", "LINES"] {
        for side in ["BEGIN", "END"] {
            text = text.replace(&format!("{side} {name}"), &format!("{side}-{name}"));
        }
    }
    text
}

/// Puts a space into what chat templates use as tokens. The engine encodes page text without parsing special tokens; this keeps a
/// model from being taken in by their spelling.
pub(super) fn break_tokens(text: &str) -> String {
    const WORDS: [&str; 18] = [
        "s>",
        "/s>",
        "bos>",
        "eos>",
        "pad>",
        "unk>",
        "inst]",
        "/inst]",
        "sys>>",
        "/sys>>",
        "start_of_turn>",
        "end_of_turn>",
        "think>",
        "/think>",
        "tool_call>",
        "/tool_call>",
        "system>",
        "/system>",
    ];
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        out.push(c);
        let rest = &text[at + c.len_utf8()..];
        let opens = matches!(c, '<' | '[' | '＜') && {
            let head: String = rest.chars().take(15).flat_map(char::to_lowercase).collect();
            head.starts_with(['|', '｜']) || WORDS.iter().any(|word| head.starts_with(word))
        };
        let closes = matches!(c, '|' | '｜') && rest.starts_with(['>', '＞']);
        if opens || closes {
            out.push(' ');
        }
    }
    out
}

/// "[12]" to "(12)": footnote marks would read as citations.
pub(super) fn unbracket_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find(['[', '【']) {
        let (head, tail) = rest.split_at(open);
        out.push_str(head);
        let bracket = tail.chars().next().map_or(1, char::len_utf8);
        let inside = tail[bracket..].split([']', '】']).next().unwrap_or_default();
        let numbers = inside.chars().any(char::is_numeric)
            && inside.len() <= 24
            && inside.chars().all(|c| {
                c.is_numeric() || c.is_whitespace() || matches!(c, ',' | '-' | '–' | ';' | '^' | '†')
            });
        let closed = tail[bracket + inside.len()..].chars().next();
        if let (true, Some(close)) = (numbers, closed) {
            out.push_str(&format!("({inside})"));
            rest = &tail[bracket + inside.len() + close.len_utf8()..];
        } else {
            out.push_str(&tail[..bracket]);
            rest = &tail[bracket..];
        }
    }
    out.push_str(rest);
    out
}
