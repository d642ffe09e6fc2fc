//! Numbers of requests. JavaScript has NaN and infinities, and JSON's 1e39 is infinite as `f32`; none is ever meant.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};

/// For `deserialize_with`: a number that is neither NaN nor infinite.
///
/// # Errors
/// Names the number.
pub fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
    let value = f32::deserialize(deserializer)?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(D::Error::invalid_value(Unexpected::Float(value.into()), &"a finite number"))
    }
}

/// For `deserialize_with`: token ids, each with such a number.
///
/// # Errors
/// As [`number`].
pub fn biases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(u32, f32)>, D::Error> {
    #[derive(serde::Deserialize)]
    struct Bias(u32, #[serde(deserialize_with = "number")] f32);
    let biases = Vec::<Bias>::deserialize(deserializer)?;
    Ok(biases.into_iter().map(|Bias(id, number)| (id, number)).collect())
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
