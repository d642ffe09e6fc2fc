//! The Porter stemmer as NLTK defines it, with NLTK's extensions. ROUGE compares stems.
//! M. F. Porter, An algorithm for suffix stripping, 1980.

/// Words that the rules would spoil, with their stems.
const IRREGULAR: [(&str, &str); 16] = [
    ("sky", "sky"),
    ("skies", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

/// The stem of a word of lower-case ASCII letters and digits.
pub fn stem(word: &str) -> String {
    if let Some((_, stem)) = IRREGULAR.iter().find(|(known, _)| *known == word) {
        return (*stem).to_string();
    }
    if word.len() <= 2 {
        return word.to_string();
    }
    [step1a, step1b, step1c, step2, step3, step4, step5a, step5b]
        .iter()
        .fold(word.to_string(), |word, step| step(&word))
}

fn is_consonant(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        b'y' => at == 0 || !is_consonant(word, at - 1),
        _ => true,
    }
}

/// How often a vowel is followed by a consonant.
fn measure(stem: &str) -> usize {
    let bytes = stem.as_bytes();
    (1..bytes.len()).filter(|&at| !is_consonant(bytes, at - 1) && is_consonant(bytes, at)).count()
}

fn is_measured(stem: &str) -> bool {
    measure(stem) > 0
}

fn contains_vowel(stem: &str) -> bool {
    (0..stem.len()).any(|at| !is_consonant(stem.as_bytes(), at))
}

fn ends_double_consonant(word: &str) -> bool {
    let bytes = word.as_bytes();
    let len = bytes.len();
    len >= 2 && bytes[len - 1] == bytes[len - 2] && is_consonant(bytes, len - 1)
}

fn ends_cvc(word: &str) -> bool {
    let bytes = word.as_bytes();
    let len = bytes.len();
    let long = len >= 3
        && is_consonant(bytes, len - 3)
        && !is_consonant(bytes, len - 2)
        && is_consonant(bytes, len - 1)
        && !matches!(bytes[len - 1], b'w' | b'x' | b'y');
    long || (len == 2 && !is_consonant(bytes, 0) && is_consonant(bytes, 1))
}

/// Replaces the first suffix that fits; where its condition fails, no other is tried.
fn replace(word: &str, rules: &[(&str, &str)], condition: impl Fn(&str) -> bool) -> String {
    for (suffix, replacement) in rules {
        if let Some(stem) = word.strip_suffix(suffix) {
            return if condition(stem) { format!("{stem}{replacement}") } else { word.to_string() };
        }
    }
    word.to_string()
}

fn step1a(word: &str) -> String {
    if word.ends_with("ies") && word.len() == 4 {
        return word[..word.len() - 1].to_string();
    }
    replace(word, &[("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")], |_| true)
}

fn step1b(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ied") {
        return format!("{stem}{}", if word.len() == 4 { "ie" } else { "i" });
    }
    if let Some(stem) = word.strip_suffix("eed") {
        return if is_measured(stem) { format!("{stem}ee") } else { word.to_string() };
    }
    let cut =
        ["ed", "ing"].iter().find_map(|suffix| word.strip_suffix(suffix).filter(|stem| contains_vowel(stem)));
    let Some(stem) = cut else { return word.to_string() };
    if ["at", "bl", "iz"].iter().any(|end| stem.ends_with(end)) {
        return format!("{stem}e");
    }
    if ends_double_consonant(stem) {
        return if stem.ends_with(['l', 's', 'z']) { stem } else { &stem[..stem.len() - 1] }.to_string();
    }
    if measure(stem) == 1 && ends_cvc(stem) { format!("{stem}e") } else { stem.to_string() }
}

fn step1c(word: &str) -> String {
    replace(word, &[("y", "i")], |stem| stem.len() > 1 && is_consonant(stem.as_bytes(), stem.len() - 1))
}

fn step2(word: &str) -> String {
    const RULES: [(&str, &str); 21] = [
        ("ational", "ate"),
        ("tional", "tion"),
        ("enci", "ence"),
        ("anci", "ance"),
        ("izer", "ize"),
        ("bli", "ble"),
        ("alli", "al"),
        ("entli", "ent"),
        ("eli", "e"),
        ("ousli", "ous"),
        ("ization", "ize"),
        ("ation", "ate"),
        ("ator", "ate"),
        ("alism", "al"),
        ("iveness", "ive"),
        ("fulness", "ful"),
        ("ousness", "ous"),
        ("aliti", "al"),
        ("iviti", "ive"),
        ("biliti", "ble"),
        ("fulli", "ful"),
    ];
    if let Some(stem) = word.strip_suffix("alli")
        && is_measured(stem)
    {
        return step2(&format!("{stem}al"));
    }
    if !RULES.iter().any(|(suffix, _)| word.ends_with(suffix))
        && let Some(stem) = word.strip_suffix("logi")
    {
        return if is_measured(&format!("{stem}l")) { format!("{stem}log") } else { word.to_string() };
    }
    replace(word, &RULES, is_measured)
}

fn step3(word: &str) -> String {
    const RULES: [(&str, &str); 7] = [
        ("icate", "ic"),
        ("ative", ""),
        ("alize", "al"),
        ("iciti", "ic"),
        ("ical", "ic"),
        ("ful", ""),
        ("ness", ""),
    ];
    replace(word, &RULES, is_measured)
}

fn step4(word: &str) -> String {
    const SUFFIXES: [&str; 19] = [
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
        "ate", "iti", "ous", "ive", "ize",
    ];
    for suffix in SUFFIXES {
        if let Some(stem) = word.strip_suffix(suffix) {
            let fits = measure(stem) > 1 && (suffix != "ion" || stem.ends_with(['s', 't']));
            return if fits { stem } else { word }.to_string();
        }
    }
    word.to_string()
}

fn step5a(word: &str) -> String {
    match word.strip_suffix('e') {
        Some(stem) if measure(stem) > 1 || (measure(stem) == 1 && !ends_cvc(stem)) => stem.to_string(),
        _ => word.to_string(),
    }
}

fn step5b(word: &str) -> String {
    match word.strip_suffix('l') {
        Some(stem) if stem.ends_with('l') && measure(stem) > 1 => stem.to_string(),
        _ => word.to_string(),
    }
}
