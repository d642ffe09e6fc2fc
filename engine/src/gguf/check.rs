use super::error::shown;
use super::{Array, GgufError, Metadata, Value};

/// Integer keys of an architecture (`ARCH.` goes before), with the values that are possible. A list of integers, one a
/// layer, is accepted for each where it is as long as `block_count`.
const BOUNDS: [(&str, u64, u64); 19] = [
    ("block_count", 1, 512),
    ("context_length", 1, 1 << 24),
    ("embedding_length", 1, 1 << 17),
    ("feed_forward_length", 0, 1 << 20),
    ("expert_feed_forward_length", 0, 1 << 20),
    ("expert_shared_feed_forward_length", 0, 1 << 20),
    ("attention.head_count", 0, 1024),
    ("attention.head_count_kv", 0, 1024),
    ("attention.key_length", 1, 1 << 13),
    ("attention.value_length", 1, 1 << 13),
    ("rope.dimension_count", 0, 1 << 13),
    ("expert_count", 0, 4096),
    ("expert_used_count", 0, 4096),
    ("vocab_size", 1, 1 << 24),
    ("ssm.conv_kernel", 0, 64),
    ("ssm.inner_size", 0, 1 << 20),
    ("ssm.state_size", 0, 1 << 16),
    ("ssm.time_step_rank", 0, 1 << 16),
    ("ssm.group_count", 0, 1 << 16),
];

/// Float keys of an architecture: finite and not negative.
const NUMBERS: [&str; 5] = [
    "attention.layer_norm_epsilon",
    "attention.layer_norm_rms_epsilon",
    "rope.freq_base",
    "rope.scaling.factor",
    "logit_scale",
];

/// Checks what the keys say about the model and its tokenizer, each where present: types, bounds, and that they agree
/// with each other. Whether the architecture is known and complete is not asked here.
///
/// Token ids such as `tokenizer.ggml.bos_token_id` may be outside the vocabulary (converters write 2^32 - 1 for "none"):
/// read them with [`Metadata::token_id`].
///
/// # Errors
/// The first key that breaks a rule.
pub fn check_metadata(metadata: &Metadata) -> Result<(), GgufError> {
    check_tokenizer(metadata)?;
    let arch = match metadata.get("general.architecture") {
        None => return Ok(()),
        Some(Value::Str(arch)) => arch,
        Some(_) => return Err(wrong_type("general.architecture", "a string")),
    };
    for (name, min, max) in BOUNDS {
        check_integers(metadata, &format!("{arch}.{name}"), min, max)?;
    }
    for name in NUMBERS {
        let key = format!("{arch}.{name}");
        if let Some(value) = metadata.get(&key) {
            let number = value.as_f32().ok_or_else(|| wrong_type(&key, "a floating-point number"))?;
            if !number.is_finite() || number < 0.0 {
                return Err(GgufError::BadNumber { key: shown(&key) });
            }
        }
    }
    check_layers(metadata, arch)?;
    check_heads(metadata, arch)?;
    check_experts(metadata, arch)
}

fn wrong_type(key: &str, expected: &'static str) -> GgufError {
    GgufError::WrongKeyType { key: shown(key), expected }
}

/// The non-negative integers of a key: one, or a list. Empty where the key is absent.
fn integers(metadata: &Metadata, key: &str) -> Result<Vec<u64>, GgufError> {
    fn all<T: Copy>(list: &[T]) -> Option<Vec<u64>>
    where
        u64: TryFrom<T>,
    {
        list.iter().map(|v| u64::try_from(*v).ok()).collect()
    }
    let list = match metadata.get(key) {
        None => Some(Vec::new()),
        Some(Value::Array(array)) => match array {
            Array::U8(v) => all(v),
            Array::I8(v) => all(v),
            Array::U16(v) => all(v),
            Array::I16(v) => all(v),
            Array::U32(v) => all(v),
            Array::I32(v) => all(v),
            Array::U64(v) => all(v),
            Array::I64(v) => all(v),
            Array::F32(_) | Array::F64(_) | Array::Bool(_) | Array::Str(_) => None,
        },
        Some(value) => value.as_u64().map(|v| vec![v]),
    };
    list.ok_or_else(|| wrong_type(key, "a non-negative integer, or a list of them"))
}

fn check_integers(metadata: &Metadata, key: &str, min: u64, max: u64) -> Result<(), GgufError> {
    match integers(metadata, key)?.into_iter().find(|v| !(min..=max).contains(v)) {
        None => Ok(()),
        Some(value) => Err(GgufError::OutOfRange { key: shown(key), value, min, max }),
    }
}

/// `block_count` is one number, and a list of another key has one entry a layer.
fn check_layers(metadata: &Metadata, arch: &str) -> Result<(), GgufError> {
    for name in ["block_count", "context_length", "embedding_length", "vocab_size"] {
        let key = format!("{arch}.{name}");
        if metadata.get(&key).is_some_and(|v| v.as_array().is_some()) {
            return Err(wrong_type(&key, "one integer"));
        }
    }
    let Some(layers) = metadata.u64(&format!("{arch}.block_count")) else {
        return Ok(());
    };
    for (name, ..) in BOUNDS {
        let key = format!("{arch}.{name}");
        if metadata.get(&key).is_some_and(|v| v.as_array().is_some()) {
            let len = integers(metadata, &key)?.len() as u64;
            if len != layers {
                return Err(GgufError::LengthMismatch { key: shown(&key), len, expected: layers });
            }
        }
    }
    Ok(())
}

/// Query heads divide among the key/value heads, and rows among the heads where no key says how wide a head is.
fn check_heads(metadata: &Metadata, arch: &str) -> Result<(), GgufError> {
    let (heads_key, kv_key) =
        (format!("{arch}.attention.head_count"), format!("{arch}.attention.head_count_kv"));
    let heads = integers(metadata, &heads_key)?;
    let kv_heads = integers(metadata, &kv_key)?;
    for layer in 0..heads.len().max(kv_heads.len()) {
        // One number stands for all layers. A layer without attention has 0 of either.
        let of =
            |list: &[u64]| list.get(layer).or(if list.len() == 1 { list.first() } else { None }).copied();
        if let (Some(heads), Some(kv_heads)) = (of(&heads), of(&kv_heads))
            && heads != 0
            && kv_heads != 0
            && !heads.is_multiple_of(kv_heads)
        {
            return Err(not_divisible(&kv_key, kv_heads, &heads_key, heads));
        }
    }
    let width_key = format!("{arch}.embedding_length");
    if let (Some(width), Some(heads)) = (metadata.u64(&width_key), metadata.u64(&heads_key))
        && heads != 0
        && metadata.get(&format!("{arch}.attention.key_length")).is_none()
        && !width.is_multiple_of(heads)
    {
        return Err(not_divisible(&heads_key, heads, &width_key, width));
    }
    Ok(())
}

fn not_divisible(key: &str, value: u64, other_key: &str, other: u64) -> GgufError {
    GgufError::NotDivisible { key: shown(key), value, other_key: shown(other_key), other }
}

fn check_experts(metadata: &Metadata, arch: &str) -> Result<(), GgufError> {
    let (key, count) = (format!("{arch}.expert_used_count"), format!("{arch}.expert_count"));
    if let (Some(experts), Some(used)) = (metadata.u64(&count), metadata.u64(&key))
        && used > experts
    {
        if experts == 0 {
            return Err(GgufError::OutOfRange { key: shown(&count), value: 0, min: used, max: 4096 });
        }
        return Err(GgufError::OutOfRange { key: shown(&key), value: used, min: 0, max: experts });
    }
    Ok(())
}

/// Token texts, scores and kinds are lists of the right types and of one length; merge rules join two pieces.
fn check_tokenizer(metadata: &Metadata) -> Result<(), GgufError> {
    let key = "tokenizer.ggml.tokens";
    let tokens_len = match metadata.get(key) {
        None => None,
        Some(Value::Array(Array::Str(tokens))) if !tokens.is_empty() => Some(tokens.len() as u64),
        Some(_) => return Err(wrong_type(key, "a list of strings that is not empty")),
    };
    let key = "tokenizer.ggml.scores";
    match metadata.get(key) {
        None => {}
        Some(Value::Array(Array::F32(scores))) => check_len(key, scores.len(), tokens_len)?,
        Some(_) => return Err(wrong_type(key, "a list of 32-bit floating-point numbers")),
    }
    let key = "tokenizer.ggml.token_type";
    match metadata.get(key) {
        None => {}
        Some(Value::Array(Array::I32(kinds))) => check_len(key, kinds.len(), tokens_len)?,
        Some(_) => return Err(wrong_type(key, "a list of 32-bit integers")),
    }
    match metadata.get("tokenizer.ggml.merges") {
        None => {}
        Some(Value::Array(Array::Str(merges))) => check_merges(merges)?,
        Some(_) => return Err(wrong_type("tokenizer.ggml.merges", "a list of strings")),
    }
    for (key, value) in metadata.iter() {
        let text = matches!(key, "tokenizer.ggml.model" | "tokenizer.ggml.pre" | "tokenizer.chat_template");
        if text && value.as_str().is_none() {
            return Err(wrong_type(key, "a string"));
        }
        if key.starts_with("tokenizer.ggml.add_") && value.as_bool().is_none() {
            return Err(wrong_type(key, "true or false"));
        }
        if key.starts_with("tokenizer.ggml.")
            && key.ends_with("_token_id")
            && !matches!(value, Value::U32(_) | Value::I32(_) | Value::U64(_) | Value::I64(_))
        {
            return Err(wrong_type(key, "an integer"));
        }
    }
    Ok(())
}

fn check_len(key: &str, len: usize, tokens_len: Option<u64>) -> Result<(), GgufError> {
    match (len as u64, tokens_len) {
        (len, Some(expected)) if len != expected => {
            Err(GgufError::LengthMismatch { key: shown(key), len, expected })
        }
        // What is missing then is the list of tokens.
        (expected, None) => {
            Err(GgufError::LengthMismatch { key: "tokenizer.ggml.tokens".to_owned(), len: 0, expected })
        }
        _ => Ok(()),
    }
}

/// A rule is two pieces with a space between; the first piece may itself begin with a space.
fn check_merges(merges: &[String]) -> Result<(), GgufError> {
    let joins_two = |rule: &String| {
        let space = rule.char_indices().skip(1).find(|(_, c)| *c == ' ');
        space.is_some_and(|(at, _)| at + 1 < rule.len())
    };
    match merges.iter().position(|rule| !joins_two(rule)) {
        None => Ok(()),
        Some(index) => Err(GgufError::BadMerge { index: index as u64 }),
    }
}
