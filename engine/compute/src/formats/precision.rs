//! How exact products are.

/// How exact products with quantized weights are. On GPUs, products with up to eight vectors are always exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// As exact as f32: activations have 21 or 22 bits.
    #[default]
    Exact,
    /// Activations have 8 bits, with a scale for every 16 or 32 values.
    Fast,
}

impl Precision {
    /// As options call it.
    pub fn name(self) -> &'static str {
        match self {
            Precision::Exact => "exact",
            Precision::Fast => "fast",
        }
    }
}

impl std::str::FromStr for Precision {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known =
            [Precision::Exact, Precision::Fast].into_iter().find(|precision| precision.name() == name);
        known.ok_or_else(|| format!("no precision {name}"))
    }
}
