//! Lookaheads at the edges of a pattern, as patterns without them.

/// Splits `^(?=a)(?!b)rest(?=c)` in three. `None` if the pattern has no lookahead at its edges that can be split off.
pub(crate) fn split(pattern: &str) -> Option<Vec<String>> {
    let pattern = &without_last(pattern);
    let Some(mut rest) = pattern.strip_prefix('^') else { return Some(vec![pattern.clone()]) };
    let mut all = Vec::new();
    while let Some(behind) = rest.strip_prefix("(?=").or_else(|| rest.strip_prefix("(?!")) {
        let end = scan(behind, |depth, c| depth == 0 && c == ')')?;
        let inside = &behind[..end];
        let inside = inside.strip_prefix('^').unwrap_or(inside);
        match rest.starts_with("(?=") {
            true => all.push(format!("^(?:{inside})")),
            false => all.extend(without(inside)?),
        }
        rest = &behind[end + 1..];
    }
    // With two alternatives, the lookahead belongs to the first one only.
    let is_one = scan(rest, |depth, c| depth == 0 && c == '|').is_none();
    (is_one || all.is_empty()).then(|| {
        all.push(format!("^{rest}"));
        all
    })
}

/// A lookahead at the end is what follows: a pattern need not match the whole text.
fn without_last(pattern: &str) -> String {
    let begin = pattern.rfind("(?=").or_else(|| pattern.rfind("(?!")).filter(|&at| at > 0);
    let split = begin.and_then(|at| Some((&pattern[..at], pattern[at..].strip_suffix(')')?)));
    let Some((before, ahead)) = split else { return pattern.to_owned() };
    let (kind, inside) = ahead.split_at(3);
    // It is at the end, and of no group.
    let is_last = scan(inside, |depth, c| depth == 0 && c == ')').is_none()
        && scan(before, |_, _| false).is_none()
        && brackets(before)
        && !before.ends_with(['\\', '^', '|'])
        && !before.ends_with(')');
    let followed = match kind {
        _ if !is_last => None,
        "(?=" => Some(format!("(?:{inside})")),
        _ => match without(inside).as_deref() {
            Some([one]) => Some(format!("(?:{})", &one[1..])),
            _ => None,
        },
    };
    followed.map_or_else(|| pattern.to_owned(), |followed| format!("{before}{followed}"))
}

/// The first position outside of classes and escapes where `is_here` holds for the depth of groups and the character.
fn scan(pattern: &str, is_here: impl Fn(usize, char) -> bool) -> Option<usize> {
    let (mut depth, mut is_escaped, mut is_in_class) = (0, false, false);
    for (at, c) in pattern.char_indices() {
        if is_escaped {
            is_escaped = false;
        } else if c == '\\' {
            is_escaped = true;
        } else if is_in_class {
            is_in_class = c != ']';
        } else if is_here(depth, c) {
            return Some(at);
        } else {
            match c {
                '[' => is_in_class = true,
                '(' => depth += 1,
                ')' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
    }
    None
}

/// Patterns for the texts that `(?!inside)` lets through at their beginning. `inside` has alternatives of literals, of `.*` and one or two
/// characters, or of a repeated class up to the end.
fn without(inside: &str) -> Option<Vec<String>> {
    let open = inside.strip_suffix('$').filter(|open| !open.ends_with('\\'));
    let (mut inside, is_whole) = (open.unwrap_or(inside), open.is_some());
    let group = inside
        .strip_prefix("(?:")
        .or_else(|| inside.strip_prefix('(').filter(|group| !group.starts_with('?')));
    let group = group.and_then(|group| group.strip_suffix(')'));
    let is_group = group.is_some_and(|group| scan(group, |depth, c| depth == 0 && c == ')').is_none());
    if is_group {
        inside = group?;
    }
    let mut all = Vec::new();
    while let Some(at) = scan(inside, |depth, c| depth == 0 && c == '|') {
        // Without a group, only the last alternative has the end.
        if is_whole && !is_group {
            return None;
        }
        all.push(without_one(&inside[..at], is_whole)?);
        inside = &inside[at + 1..];
    }
    all.push(without_one(inside, is_whole)?);
    Some(all)
}

fn without_one(inside: &str, is_whole: bool) -> Option<String> {
    if let Some(chars) = inside.strip_prefix(".*") {
        return match (literal(chars)?.as_slice(), is_whole) {
            ([a], true) => Some(format!("^(?:[^]*[^{a}])?$")),
            ([a], false) => Some(format!("^[^{a}]*$")),
            ([a, b], false) if a == b => Some(format!("^(?:{a}?[^{a}])*{a}?$")),
            ([a, b], false) => Some(format!("^(?:[^{a}]|{a}+[^{a}{b}])*{a}*$")),
            _ => None,
        };
    }
    if let Some((class, other)) = classes(inside.strip_suffix(['*', '+']).filter(|_| is_whole)) {
        let none = if inside.ends_with('+') { "$|" } else { "" };
        return Some(format!("^(?:{none}{class}*{other})"));
    }
    let chars = literal(inside)?;
    let Some((last, others)) = chars.split_last() else {
        return is_whole.then(|| "^[^]".to_owned());
    };
    let longer = if is_whole { format!("(?:[^{last}]|{last}[^])") } else { format!("[^{last}]") };
    let begun = others.iter().rev().fold(longer, |then, c| format!("(?:[^{c}]|{c}(?:$|{then}))"));
    Some(format!("^(?:$|{begun})"))
}

/// A class that is the whole pattern, and its opposite.
fn classes(pattern: Option<&str>) -> Option<(String, String)> {
    let pattern = pattern?;
    if let Some(letter) = pattern.strip_prefix('\\') {
        let is_class = matches!(letter, "d" | "w" | "s");
        return is_class.then(|| (format!("[{pattern}]"), format!("[^{pattern}]")));
    }
    let inside = pattern.strip_prefix('[')?.strip_suffix(']')?;
    let is_one = scan(pattern, |depth, c| depth == 0 && c == ']').is_none()
        && !inside.replace("\\]", "").contains(']');
    let other = match inside.strip_prefix('^') {
        Some(inside) => format!("[{inside}]"),
        None => format!("[^{inside}]"),
    };
    (is_one && !inside.ends_with('\\')).then(|| (pattern.to_owned(), other))
}

/// Whether every bracket is closed.
fn brackets(pattern: &str) -> bool {
    scan(pattern, |depth, c| depth == 0 && c == ')').is_none()
        && scan(&format!("({pattern})"), |depth, c| depth == 1 && c == ')') == Some(pattern.len() + 1)
}

/// The characters of a literal, escaped so that each may stand in a class and outside. `None` if the pattern is not a literal.
fn literal(pattern: &str) -> Option<Vec<String>> {
    let mut chars = pattern.chars();
    let mut all = Vec::new();
    while let Some(c) = chars.next() {
        all.push(match c {
            '\\' => match chars.next()? {
                escaped if escaped.is_ascii_punctuation() => format!("\\{escaped}"),
                _ => return None,
            },
            '^' | '$' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => return None,
            c if c.is_ascii_punctuation() => format!("\\{c}"),
            c => c.to_string(),
        });
    }
    Some(all)
}
