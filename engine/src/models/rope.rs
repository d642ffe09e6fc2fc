//! Rotary position embedding (Su et al., 2021, arXiv 2104.09864): the angle of pair `j` at position `p` is
//! `p * base^(-2j/n)`. What stretches it to longer contexts: a linear factor, a divisor for every pair (Llama 3.1,
//! LongRoPE), or YaRN (Peng et al., 2023, arXiv 2309.00071).

use super::error::ModelError;
use super::keys::Keys;
use super::tensors::Tensors;
use crate::plan::RopePairs;
use crate::plan::Vector;

/// Rotation of heads.
#[derive(Debug, Clone)]
pub struct Rope {
    /// Which lanes rotate together; never `None` here.
    pub pairs: RopePairs,
    /// Lanes that rotate; the others pass.
    pub len: usize,
    base: f64,
    stretch: Stretch,
    /// Divisors per pair.
    pub divisors: Option<Divisors>,
    /// Factor of cos and sin.
    magnitude: f64,
}

/// Divisors per pair: one tensor, or one for short contexts and one for those above the original context.
#[derive(Debug, Clone)]
pub struct Divisors {
    /// For contexts up to `original_tokens`.
    pub short: Vector,
    /// For longer ones.
    pub long: Vector,
    /// What the model was first trained on.
    pub original_tokens: usize,
}

impl Divisors {
    /// Those that apply to a context of this size.
    pub fn of(&self, context_tokens: usize) -> &Vector {
        if context_tokens > self.original_tokens { &self.long } else { &self.short }
    }
}

#[derive(Debug, Clone)]
enum Stretch {
    /// Every angle is divided by it.
    Linear(f64),
    /// Slow pairs are divided by `factor`, fast ones stay, with a ramp from pair `low` to pair `high`.
    Yarn { factor: f64, low: f64, high: f64 },
}

/// What a layer asks of the rotation.
pub struct Wanted {
    pub pairs: RopePairs,
    pub head_len: usize,
    /// True in layers with a window that have a base of their own.
    pub local: bool,
    pub local_base: Option<f32>,
}

/// The rotation that the keys describe.
///
/// # Errors
/// `BadKey` for an impossible value or an unknown scaling, `MissingKey` where a scaling lacks its factor,
/// `WrongShape` and `UnsupportedType` for its tensors.
pub fn read(keys: &Keys, tensors: &mut Tensors, wanted: &Wanted) -> Result<Rope, ModelError> {
    let len_name = if wanted.local && keys.get("rope.dimension_count_swa").is_some() {
        "rope.dimension_count_swa"
    } else {
        "rope.dimension_count"
    };
    let len = keys.size_or(len_name, wanted.head_len, wanted.head_len)?;
    if len % 2 != 0 {
        return Err(keys.bad(len_name, &format!("is {len}, an odd number")));
    }
    let mut base = keys.factor("rope.freq_base", 10_000.0)?;
    if wanted.local {
        base = keys.factor("rope.freq_base_swa", wanted.local_base.unwrap_or(base))?;
    }
    let base = f64::from(base);
    let mut rope = Rope {
        pairs: wanted.pairs,
        len,
        base,
        stretch: Stretch::Linear(1.0),
        divisors: None,
        magnitude: 1.0,
    };
    if wanted.local {
        return Ok(rope);
    }
    rope.magnitude = keys.factor("rope.scaling.attn_factor", 1.0)?.into();
    rope.divisors = divisors(keys, tensors, len)?;
    // The first converters wrote one key for the only kind that there was.
    let first_name = "rope.scale_linear";
    let by_first_name = keys.get(first_name).is_some() && keys.get("rope.scaling.factor").is_none();
    let factor = keys.factor(if by_first_name { first_name } else { "rope.scaling.factor" }, 1.0)?;
    let kind = keys.text("rope.scaling.type")?.or(by_first_name.then_some("linear"));
    let missing = match kind {
        None if factor != 1.0 => Some("rope.scaling.type"),
        Some("linear" | "yarn") if !by_first_name && keys.get("rope.scaling.factor").is_none() => {
            Some("rope.scaling.factor")
        }
        _ => None,
    };
    if let Some(name) = missing {
        return Err(keys.missing(name));
    }
    match kind {
        None | Some("none") => {}
        Some("linear" | "longrope") => rope.stretch = Stretch::Linear(factor.into()),
        Some("yarn") => yarn(keys, &mut rope, factor.into())?,
        Some(other) => {
            return Err(keys.bad("rope.scaling.type", &format!("is \"{other}\", which is not supported")));
        }
    }
    Ok(rope)
}

fn divisors(keys: &Keys, tensors: &mut Tensors, len: usize) -> Result<Option<Divisors>, ModelError> {
    if tensors.has("rope_freqs.weight") {
        let all = tensors.vector("rope_freqs.weight", len / 2)?;
        return Ok(Some(Divisors { short: all.clone(), long: all, original_tokens: usize::MAX }));
    }
    let any = ["long", "short"].iter().any(|name| tensors.has(&format!("rope_factors_{name}.weight")));
    if any || keys.text("rope.scaling.type")? == Some("longrope") {
        let original_tokens = keys.size("rope.scaling.original_context_length", 1 << 30)?;
        let short = tensors.vector("rope_factors_short.weight", len / 2)?;
        let long = tensors.vector("rope_factors_long.weight", len / 2)?;
        return Ok(Some(Divisors { short, long, original_tokens }));
    }
    Ok(None)
}

fn yarn(keys: &Keys, rope: &mut Rope, factor: f64) -> Result<(), ModelError> {
    let context = keys.size("context_length", 1 << 30)?;
    let original = keys.size_or("rope.scaling.original_context_length", context, 1 << 30)? as f64;
    // The pair that turns `beta` times within the original context.
    let pair = |beta: f64| {
        rope.len as f64 * (original / (beta * std::f64::consts::TAU)).ln() / (2.0 * rope.base.ln())
    };
    let fast = f64::from(keys.factor("rope.scaling.yarn_beta_fast", 32.0)?);
    let slow = f64::from(keys.factor("rope.scaling.yarn_beta_slow", 1.0)?);
    let (low, high) = (pair(fast).floor().max(0.0), pair(slow).ceil().min(rope.len as f64 - 1.0));
    let scale = |m: f64| if factor <= 1.0 { 1.0 } else { 0.1 * m * factor.ln() + 1.0 };
    let log_multiplier = f64::from(keys.float("rope.scaling.yarn_log_multiplier", 0.0)?);
    rope.magnitude *= if log_multiplier == 0.0 { scale(1.0) } else { scale(1.0) / scale(log_multiplier) };
    rope.stretch = Stretch::Yarn { factor, low, high };
    Ok(())
}

impl Rope {
    /// cos and sin for positions `0..context`, `[context, len / 2, 2]`. Computed in f64: sin and cos of large angles
    /// are inexact on GPUs.
    pub fn table(&self, context: usize, divisors: Option<&[f32]>) -> Vec<f32> {
        let pairs = self.len / 2;
        let theta: Vec<f64> = (0..pairs).map(|j| self.theta(j, divisors)).collect();
        let mut table = Vec::with_capacity(context * pairs * 2);
        for position in 0..context {
            for angle in &theta {
                let (sin, cos) = (position as f64 * angle).sin_cos();
                table.push((cos * self.magnitude) as f32);
                table.push((sin * self.magnitude) as f32);
            }
        }
        table
    }

    fn theta(&self, j: usize, divisors: Option<&[f32]>) -> f64 {
        let own = divisors.and_then(|d| d.get(j)).copied().unwrap_or(1.0);
        let theta = self.base.powf(-2.0 * j as f64 / self.len as f64) / f64::from(own);
        match self.stretch {
            Stretch::Linear(factor) => theta / factor,
            Stretch::Yarn { factor, low, high } => {
                let ramp = 1.0 - ((j as f64 - low) / (high - low).max(0.001)).clamp(0.0, 1.0);
                theta / factor * (1.0 - ramp) + theta * ramp
            }
        }
    }
}
