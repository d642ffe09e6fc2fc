//! The shader of products for many tokens: of all, or of each expert's.

use super::products::weight_parts;
use crate::formats::Format;
use crate::plan::Epilogue;
use crate::shaders::{Access, Tile, Variant, bindings, consts, wgsl_parts as parts};

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
    pub fn variant(&self) -> Variant {
        let mut access = vec![Access::Read, Access::Read, Access::Read, Access::Read, Access::Write];
        access.extend(self.delta.then_some(Access::Read));
        let routes: &[_] = if self.sorted { &[parts::ROUTES] } else { &[] };
        access.extend(self.sorted.then_some([Access::Read; 2]).into_iter().flatten());
        Variant {
            kernel: self.kernel,
            consts: consts([
                ("COLS", format!("{}u", self.tile.cols)),
                ("UNITS", format!("{}u", self.tile.units)),
                ("HAS_BIAS", self.bias.to_string()),
                ("GATED", is_gated(self.epilogue).to_string()),
            ]),
            parts: [
                &weight_parts(self.format)[..],
                &[parts::PRODUCT, parts::delta(self.delta), parts::SUMS],
                &parts::epilogue(self.epilogue),
                routes,
                &[parts::matmul_rows(self.sorted), parts::MATMUL],
            ]
            .concat(),
            bindings: bindings(&access),
        }
    }
}

/// Whether two rows make one output.
pub(crate) fn is_gated(epilogue: Epilogue) -> bool {
    matches!(epilogue, Epilogue::Gated(_))
}

/// Rows of a workgroup.
pub(crate) fn tile_rows(epilogue: Epilogue) -> u32 {
    if is_gated(epilogue) { 32 } else { 64 }
}
