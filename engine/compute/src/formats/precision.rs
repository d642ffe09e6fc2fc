//! How exact products are.

/// How exact products with quantized weights are. On GPUs both are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// As exact as f32: activations have 21 or 22 bits.
    #[default]
    Exact,
    /// Activations have 8 bits, with a scale for every 16 or 32 values.
    Fast,
}
