//! The shader of products for many tokens: of all, or of each expert's.

use super::products::{PRODUCT_ACCESS, weight_parts};
use crate::formats::{Format, Precision};
use crate::plan::{Epilogue, Feature};
use crate::shaders::{Access, Dispatches, TILES, Tile, Variant, bindings, consts, wgsl_parts as parts};

/// A product for many tokens.
pub(crate) struct Matmul {
    pub kernel: &'static str,
    pub format: &'static Format,
    pub epilogue: Epilogue,
    pub bias: bool,
    /// Whether an adapter adds to it.
    pub delta: bool,
    /// Whether tokens are sorted by expert. Routes are bound then, and what [`crate::kernels::ExpertsSort`] makes of them.
    pub sorted: bool,
    pub tile: Tile,
}

impl Matmul {
    /// Every tile for a format.
    pub fn tiles(format: &Format) -> impl Iterator<Item = Tile> + use<> {
        let coded = format.is_coded();
        TILES.into_iter().filter(move |tile| coded || !tile.packed)
    }

    pub fn variant(&self) -> Variant {
        let mut access = PRODUCT_ACCESS.to_vec();
        access.extend(self.delta.then_some(Access::Read));
        let (inputs, matmul) = if self.tile.packed {
            (parts::ENCODED, parts::MATMUL_PACKED)
        } else {
            (parts::INPUTS, parts::MATMUL)
        };
        let routes: &[_] = if self.sorted { &[parts::ROUTES] } else { &[] };
        access.extend(self.sorted.then_some([Access::Read; 2]).into_iter().flatten());
        let consts = consts([
            ("COLS", format!("{}u", self.tile.cols)),
            ("UNITS", format!("{}u", self.tile.units)),
            ("HAS_BIAS", self.bias.to_string()),
            ("GATED", is_gated(self.epilogue).to_string()),
        ]);
        Variant {
            kernel: self.kernel,
            consts,
            parts: [
                &weight_parts(self.format)[..],
                &[parts::PRODUCT, inputs, parts::delta(self.delta), parts::SUMS],
                &parts::epilogue(self.epilogue),
                routes,
                &[parts::matmul_rows(self.sorted), parts::MATMUL_STORE, matmul],
            ]
            .concat(),
            bindings: bindings(&access),
        }
    }
}

/// The tile for products of a format: with floats where integers cannot be multiplied.
pub(crate) fn tile_for(format: &Format, to: &Dispatches) -> Tile {
    let layout = to.layout;
    let can = layout.limits.features.has(Feature::PackedDot) && layout.options.precision == Precision::Fast;
    let tile = to.tuning.tile;
    if can && format.is_coded() { tile } else { tile.unpacked() }
}

/// Whether two rows make one output.
pub(crate) fn is_gated(epilogue: Epilogue) -> bool {
    matches!(epilogue, Epilogue::Gated(_))
}

/// Rows of a workgroup.
pub(crate) fn tile_rows(epilogue: Epilogue) -> u32 {
    if is_gated(epilogue) { 32 } else { 64 }
}
