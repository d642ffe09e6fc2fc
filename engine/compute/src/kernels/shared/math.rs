//! Functions of values, without branches, so that compilers make SIMD of loops over them.

use crate::plan::{ACT_BOUND, Act};

/// e^x, to one unit in the last place or so; between the smallest and the largest normal f32.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    // x = n ln 2 + r, |r| <= ln 2 / 2; e^r by its series, whose next term is below 1e-8.
    const ROUND: f32 = 12_582_912.0;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * 0.693_359_4 - n * LN_2_LOW;
    let high = (r * (1.0 / 5040.0) + 1.0 / 720.0) * r + 1.0 / 120.0;
    let low = ((high * r + 1.0 / 24.0) * r + 1.0 / 6.0) * r + 0.5;
    let power = (shifted.to_bits() as i32 - ROUND.to_bits() as i32 + 127) << 23;
    (low * r * r + r + 1.0) * f32::from_bits(power as u32)
}

/// 1 / (1 + e^-x).
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The activation functions, in the form that llama.cpp uses.
#[inline(always)]
pub fn activate(x: f32, act: Act) -> f32 {
    match act {
        Act::Silu => x * sigmoid(x),
        Act::ReluSquared => x.max(0.0).powi(2),
        Act::BoundedSilu => {
            let x = x.min(ACT_BOUND);
            x * sigmoid(1.702 * x)
        }
        // (1 + tanh u) / 2 is sigmoid(2 u).
        Act::Gelu => x * sigmoid(1.595_769 * x * (1.0 + 0.044_715 * x * x)),
    }
}

/// Puts the values through an activation function.
pub fn activate_all(values: &mut [f32], act: Act) {
    // One loop a function.
    match act {
        Act::Silu => values.iter_mut().for_each(|v| *v = activate(*v, Act::Silu)),
        Act::ReluSquared => values.iter_mut().for_each(|v| *v = activate(*v, Act::ReluSquared)),
        Act::BoundedSilu => values.iter_mut().for_each(|v| *v = activate(*v, Act::BoundedSilu)),
        Act::Gelu => values.iter_mut().for_each(|v| *v = activate(*v, Act::Gelu)),
    }
}

/// What gates let through: gates become act(gate) * up.
pub fn let_through(gates: &mut [f32], ups: &[f32], act: Act) {
    activate_all(gates, act);
    for (gate, up) in gates.iter_mut().zip(ups) {
        *gate *= if act == Act::BoundedSilu { up.clamp(-ACT_BOUND, ACT_BOUND) + 1.0 } else { *up };
    }
}

/// ln(1 + exp(x)), without overflow.
pub fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { x.exp().ln_1p() }
}
