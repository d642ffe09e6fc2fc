//! Optional features of GPUs. Everything runs without them; a kernel may have variants that are faster with one.

/// An optional feature that a shader may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// 16-bit floats.
    F16,
    /// Dot products of four 8-bit integers packed in a word.
    PackedDot,
    /// Operations between the invocations of a subgroup.
    Subgroups,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 3] = [Feature::F16, Feature::PackedDot, Feature::Subgroups];

    /// The line of WGSL that asks for it.
    pub fn directive(self) -> &'static str {
        match self {
            Feature::F16 => "enable f16;",
            Feature::PackedDot => "requires packed_4x8_integer_dot_product;",
            Feature::Subgroups => "enable subgroups;",
        }
    }
}

/// The optional features that an open device offers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Features {
    /// 16-bit floats in shaders.
    pub f16: bool,
    /// Dot products of four 8-bit integers packed in a word.
    pub packed_dot: bool,
    /// Smallest and largest size of a subgroup, where shaders can use them.
    pub subgroups: Option<[u32; 2]>,
    /// Times of dispatches.
    pub timestamps: bool,
}

impl Features {
    /// Whether shaders that need this feature run.
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::F16 => self.f16,
            Feature::PackedDot => self.packed_dot,
            Feature::Subgroups => self.subgroups.is_some(),
        }
    }
}
