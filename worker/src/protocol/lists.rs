//! Lists of requests. Of what is no object serde-wasm-bindgen asks for an iterator, which throws; asked what it is, it says so.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

/// For `deserialize_with`: a list.
///
/// # Errors
/// Says what stands there instead.
pub fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_any(Items(PhantomData))
}

/// For `deserialize_with`: a list that may be absent.
///
/// # Errors
/// As [`list`].
pub fn optional<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    Ok(Option::<List<T>>::deserialize(deserializer)?.map(|List(items)| items))
}

struct List<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        list(deserializer).map(List)
    }
}

struct Items<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::Request;

    #[test]
    fn what_is_no_list_is_refused_in_words() {
        for (texts, why) in
            [("\"a\"", "invalid type: string \"a\", expected a sequence"), ("5", "integer `5`")]
        {
            let text = format!(r#"{{"type":"embed","model":"m","texts":{texts}}}"#);
            let error = serde_json::from_str::<Request>(&text).err().map(|error| error.to_string());
            assert!(error.as_ref().is_some_and(|error| error.contains(why)), "{error:?}");
        }
        assert!(serde_json::from_str::<Request>(r#"{"type":"embed","model":"m","texts":["a"]}"#).is_ok());
    }
}
