use super::cursor::{Cursor, Stop};
use super::error::shown;
use super::limits::{ARRAY_LEN_MAX, ARRAY_STRINGS_MAX, STRING_LEN_BYTES_MAX};
use super::{Array, GgufError, Value};

const TYPE_STRING: u32 = 8;
const TYPE_ARRAY: u32 = 9;

/// What stands where a value begins.
pub(super) enum Start {
    Whole(Value),
    /// An array with at least one element; the elements follow.
    Array(Elements),
}

/// An array whose elements are still being read.
pub(super) struct Elements {
    array: Array,
    left: u64,
}

/// Reads a value, or the head of an array.
/// `strings_total` counts the strings in arrays of the whole header.
pub(super) fn start(c: &mut Cursor, key: &str, type_id: u32, strings_total: &mut u64) -> Result<Start, Stop> {
    let at_bytes = c.position_bytes();
    let value = match type_id {
        0 => Value::U8(u8::from_le_bytes(c.array()?)),
        1 => Value::I8(i8::from_le_bytes(c.array()?)),
        2 => Value::U16(u16::from_le_bytes(c.array()?)),
        3 => Value::I16(i16::from_le_bytes(c.array()?)),
        4 => Value::U32(c.u32()?),
        5 => Value::I32(i32::from_le_bytes(c.array()?)),
        6 => Value::F32(f32::from_le_bytes(c.array()?)),
        7 => Value::Bool(truth(u8::from_le_bytes(c.array()?), at_bytes, key)?),
        TYPE_STRING => Value::Str(words(c, key)?),
        TYPE_ARRAY => return array_head(c, key, strings_total),
        10 => Value::U64(c.u64()?),
        11 => Value::I64(i64::from_le_bytes(c.array()?)),
        12 => Value::F64(f64::from_le_bytes(c.array()?)),
        _ => return Err(GgufError::UnknownValueType { at_bytes, key: shown(key), type_id }.into()),
    };
    Ok(Start::Whole(value))
}

fn array_head(c: &mut Cursor, key: &str, strings_total: &mut u64) -> Result<Start, Stop> {
    let at_bytes = c.position_bytes();
    let type_id = c.u32()?;
    let array = match type_id {
        0 => Array::U8(Vec::new()),
        1 => Array::I8(Vec::new()),
        2 => Array::U16(Vec::new()),
        3 => Array::I16(Vec::new()),
        4 => Array::U32(Vec::new()),
        5 => Array::I32(Vec::new()),
        6 => Array::F32(Vec::new()),
        7 => Array::Bool(Vec::new()),
        TYPE_STRING => Array::Str(Vec::new()),
        TYPE_ARRAY => return Err(GgufError::NestedArray { at_bytes, key: shown(key) }.into()),
        10 => Array::U64(Vec::new()),
        11 => Array::I64(Vec::new()),
        12 => Array::F64(Vec::new()),
        _ => return Err(GgufError::UnknownValueType { at_bytes, key: shown(key), type_id }.into()),
    };
    let left = c.u64()?;
    let is_strings = matches!(array, Array::Str(_));
    let limit = if is_strings { ARRAY_STRINGS_MAX.saturating_sub(*strings_total) } else { ARRAY_LEN_MAX };
    if left > limit {
        return Err(GgufError::ArrayTooLong { at_bytes, key: shown(key), len: left, limit }.into());
    }
    c.room(left.saturating_mul(element_len_bytes_min(&array)))?;
    if is_strings {
        *strings_total += left;
    }
    if left == 0 {
        return Ok(Start::Whole(Value::Array(array)));
    }
    Ok(Start::Array(Elements { array, left }))
}

impl Elements {
    /// Fewest bytes that the elements after the next one can take.
    pub fn rest_after_one_bytes_min(&self) -> u64 {
        self.left.saturating_sub(1) * element_len_bytes_min(&self.array)
    }

    /// Reads as many elements as are whole at hand; `Short` only where not even one is.
    ///
    /// # Errors
    /// As [`Cursor::take`]; also `BadBool`, `NotUtf8` and `StringTooLong` for what the elements are.
    pub fn read(&mut self, c: &mut Cursor, key: &str) -> Result<(), Stop> {
        if let Array::Str(strings) = &mut self.array {
            return read_strings(strings, &mut self.left, c, key);
        }
        let element_len_bytes = element_len_bytes_min(&self.array);
        let whole = (c.rest().len() as u64 / element_len_bytes).clamp(1, self.left.max(1));
        let at_bytes = c.position_bytes();
        let bytes = c.take(whole * element_len_bytes)?;
        if let Err((index, value)) = extend(&mut self.array, bytes) {
            return Err(
                GgufError::BadBool { at_bytes: at_bytes + index as u64, key: shown(key), value }.into()
            );
        }
        self.left -= whole;
        Ok(())
    }

    /// The array, once every element has been read.
    pub fn take_whole(&mut self) -> Option<Value> {
        (self.left == 0).then(|| Value::Array(std::mem::replace(&mut self.array, Array::U8(Vec::new()))))
    }
}

fn read_strings(strings: &mut Vec<String>, left: &mut u64, c: &mut Cursor, key: &str) -> Result<(), Stop> {
    while *left > 0 {
        let used = c.used();
        match string(c, key) {
            Ok(text) => strings.push(text.to_owned()),
            Err(Stop::Short { .. }) if used > 0 => {
                c.rewind(used);
                break;
            }
            Err(stop) => return Err(stop),
        }
        *left -= 1;
    }
    Ok(())
}

/// Appends numbers from `bytes`, a whole number of elements. Fails with (index, value) of a bad truth value.
fn extend(array: &mut Array, bytes: &[u8]) -> Result<(), (usize, u8)> {
    macro_rules! numbers {
        ($out:expr, $number:ty, $len_bytes:literal) => {
            $out.extend(bytes.as_chunks::<$len_bytes>().0.iter().map(|b| <$number>::from_le_bytes(*b)))
        };
    }
    match array {
        Array::U8(out) => out.extend_from_slice(bytes),
        Array::I8(out) => numbers!(out, i8, 1),
        Array::U16(out) => numbers!(out, u16, 2),
        Array::I16(out) => numbers!(out, i16, 2),
        Array::U32(out) => numbers!(out, u32, 4),
        Array::I32(out) => numbers!(out, i32, 4),
        Array::F32(out) => numbers!(out, f32, 4),
        Array::U64(out) => numbers!(out, u64, 8),
        Array::I64(out) => numbers!(out, i64, 8),
        Array::F64(out) => numbers!(out, f64, 8),
        Array::Bool(out) => {
            if let Some(bad) = bytes.iter().enumerate().find(|b| *b.1 > 1) {
                return Err((bad.0, *bad.1));
            }
            out.extend(bytes.iter().map(|b| *b == 1));
        }
        Array::Str(_) => {}
    }
    Ok(())
}

/// Bytes of an element; of a string, its length field.
fn element_len_bytes_min(array: &Array) -> u64 {
    match array {
        Array::U8(_) | Array::I8(_) | Array::Bool(_) => 1,
        Array::U16(_) | Array::I16(_) => 2,
        Array::U32(_) | Array::I32(_) | Array::F32(_) => 4,
        Array::U64(_) | Array::I64(_) | Array::F64(_) | Array::Str(_) => 8,
    }
}

fn truth(byte: u8, at_bytes: u64, key: &str) -> Result<bool, GgufError> {
    match byte {
        0 => Ok(false),
        1 => Ok(true),
        value => Err(GgufError::BadBool { at_bytes, key: shown(key), value }),
    }
}

fn string<'a>(c: &mut Cursor<'a>, key: &str) -> Result<&'a str, Stop> {
    c.string(STRING_LEN_BYTES_MAX, too_long(key), || format!("key {}", shown(key)))
}

/// A string. What says of whom a model is (`general.name`, `general.author`, ..) may be Latin-1: nothing is computed with it.
fn words(c: &mut Cursor, key: &str) -> Result<String, Stop> {
    if !key.starts_with("general.") || matches!(key, "general.architecture" | "general.type") {
        return string(c, key).map(str::to_owned);
    }
    let bytes = c.string_bytes(STRING_LEN_BYTES_MAX, too_long(key))?;
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    })
}

fn too_long(key: &str) -> impl FnOnce(u64, u64) -> GgufError {
    move |at_bytes, len_bytes| GgufError::StringTooLong {
        at_bytes,
        key: shown(key),
        len_bytes,
        limit_bytes: STRING_LEN_BYTES_MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_of_whom_a_model_is_may_be_latin_1() {
        let read = |key: &str, text: &[u8]| {
            let bytes = [&(text.len() as u64).to_le_bytes()[..], text].concat();
            words(&mut Cursor::new(&bytes, 0, None), key).ok()
        };
        for key in ["general.name", "general.author", "general.basename"] {
            assert_eq!(read(key, b"B\xfccher").as_deref(), Some("B\u{fc}cher"), "{key}");
            assert_eq!(read(key, "B\u{fc}cher".as_bytes()).as_deref(), Some("B\u{fc}cher"), "{key}");
        }
        for key in ["general.architecture", "tokenizer.ggml.model", "k"] {
            assert_eq!(read(key, b"B\xfccher"), None, "{key}");
        }
    }
}
