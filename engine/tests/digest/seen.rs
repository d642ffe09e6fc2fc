//! What nobody sees is left out, and no script is damaged. The extension's own cleaner passes the same file.

use pith_engine::digest::seen;
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    never: Vec<(u32, u32)>,
    guests: Vec<(u32, u32)>,
    kept: Vec<String>,
    mended: Vec<(String, String)>,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("seen.json")).unwrap()
}

#[test]
fn what_is_not_seen_is_left_out_and_scripts_stay_whole() {
    let cases = cases();
    for text in &cases.kept {
        assert_eq!(seen(text), text.as_str(), "{text:?}");
    }
    for (raw, wanted) in &cases.mended {
        assert_eq!(seen(raw), wanted.as_str(), "{raw:?}");
    }
}

#[test]
fn between_latin_letters_every_listed_character_goes_and_no_other() {
    let cases = cases();
    let listed = |c: u32| cases.never.iter().chain(&cases.guests).any(|&(from, to)| (from..=to).contains(&c));
    for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
        let is_gone = seen(&format!("a{c}b")) == "ab";
        assert_eq!(is_gone, listed(u32::from(c)), "U+{:04X}", u32::from(c));
    }
}
