//! The printable stand-ins that byte-level vocabularies write for the 256 bytes.

/// The character that stands for a byte: itself where it is a visible Latin-1 character, else the next free one
/// from U+0100 on (the rule of GPT-2's byte encoder).
pub(crate) fn char_of(byte: u8) -> char {
    match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => char::from(byte),
        // U+0000..U+0020 -> U+0100..U+0120; U+007F..U+00A0 -> U+0121..U+0142; U+00AD -> U+0143.
        0..=0x20 => char::from_u32(0x100 + u32::from(byte)).unwrap_or(' '),
        0x7f..=0xa0 => char::from_u32(0x121 + u32::from(byte) - 0x7f).unwrap_or(' '),
        0xad => '\u{143}',
    }
}

/// The byte that a character stands for, if it is one of the 256.
pub(crate) fn byte_of(c: char) -> Option<u8> {
    let code = u32::from(c);
    match code {
        0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff => u8::try_from(code).ok(),
        0x100..=0x120 => u8::try_from(code - 0x100).ok(),
        0x121..=0x142 => u8::try_from(code - 0x121 + 0x7f).ok(),
        0x143 => Some(0xad),
        _ => None,
    }
}

/// The byte that a `<0xXX>` token stands for.
pub(crate) fn byte_token_value(text: &str) -> Option<u8> {
    let hex = text.strip_prefix("<0x")?.strip_suffix('>')?;
    if hex.len() != 2 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u8::from_str_radix(hex, 16).ok()
}

/// The text of the `<0xXX>` token of a byte.
pub(crate) fn byte_token_text(byte: u8, buffer: &mut [u8; 6]) -> &str {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    *buffer = [b'<', b'0', b'x', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)], b'>'];
    std::str::from_utf8(buffer).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_stand_ins_are_one_to_one() {
        let mut seen = std::collections::HashSet::new();
        for byte in 0..=255 {
            let c = char_of(byte);
            assert!(!c.is_whitespace() && !c.is_control(), "{byte}");
            assert!(seen.insert(c));
            assert_eq!(byte_of(c), Some(byte));
        }
        assert_eq!(char_of(b' '), 'Ġ');
        assert_eq!(char_of(b'\n'), 'Ċ');
        assert_eq!(byte_of('你'), None);
    }

    #[test]
    fn byte_tokens() {
        let mut buffer = [0; 6];
        for byte in 0..=255 {
            assert_eq!(byte_token_value(byte_token_text(byte, &mut buffer)), Some(byte));
        }
        for bad in ["<0x>", "<0x1>", "<0x+1>", "0x10", "<0x100>", "<0x1é>"] {
            assert_eq!(byte_token_value(bad), None, "{bad}");
        }
    }
}
