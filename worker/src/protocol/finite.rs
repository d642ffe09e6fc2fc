//! Numbers of requests. JavaScript has NaN and infinities, and JSON's 1e39 is infinite as `f32`; none is ever meant.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};

use super::lists::list;

/// For `deserialize_with`: a number that is neither NaN nor infinite.
///
/// # Errors
/// Names the number.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    checked(f32::deserialize(deserializer)?)
}

/// For `deserialize_with`: token ids, each with such a number.
///
/// # Errors
/// As [`number`].
pub fn biases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(u32, f32)>, D::Error> {
    let biases: Vec<(u32, f32)> = list(deserializer)?;
    for &(_, number) in &biases {
        checked(number)?;
    }
    Ok(biases)
}

fn checked<E: Error>(number: f32) -> Result<f32, E> {
    if number.is_finite() {
        Ok(number)
    } else {
        Err(E::invalid_value(Unexpected::Float(number.into()), &"a finite number"))
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::{LoraUse, Sampling};

    #[test]
    fn numbers_that_are_infinite_as_f32_are_refused() {
        for field in
            ["temperature", "topP", "minP", "repetitionPenalty", "presencePenalty", "frequencyPenalty"]
        {
            for (number, good) in [("1e38", true), ("1e39", false), ("-1e39", false)] {
                let text = format!(r#"{{"{field}":{number}}}"#);
                assert_eq!(serde_json::from_str::<Sampling>(&text).is_ok(), good, "{text}");
            }
        }
        assert!(serde_json::from_str::<Sampling>(r#"{"logitBias":[[1,2],[3,-1e38]]}"#).is_ok());
        assert!(serde_json::from_str::<Sampling>(r#"{"logitBias":[[1,2],[3,-1e39]]}"#).is_err());
        assert!(serde_json::from_str::<LoraUse>(r#"{"name":"a","scale":1e39}"#).is_err());
    }
}
