//! Norms over rows, or over the parts of rows.

mod cpu;

#[cfg(feature = "webgl2")]
use super::shared::norm_program;
use super::shared::{Cpu, Kernel, NORMS, PRODUCT_PARAMS, ProductParams, norm_params};
use crate::plan::{Layout, NormKind, NormUse, Rows, View};
use crate::shaders::{
    Access, Bound, Dispatches, Grid, ONE, Part, Variant, bindings, consts, part, row_count,
    wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, Target, Texture};

/// out[t] (+)= scale * norm(input[t]).
#[derive(Debug, Clone)]
pub struct NormRows {
    /// Never the same buffer as `out`.
    pub input: View,
    /// Normalised rows.
    pub out: View,
    /// Which norm.
    pub norm: NormUse,
    /// Which rows.
    pub rows: Rows,
    /// Parts of a row that are normalised on their own; `cols` of the views are those of a part, parts lie side by side.
    pub parts: usize,
    /// True to add to what is there.
    pub add: bool,
    /// Factor of the normalised row.
    pub scale: f32,
}

const WGSL: Part = part!("kernels/norm_rows/norm_rows.wgsl");

fn variant((kind, bias): (NormKind, bool), add: bool) -> Variant {
    Variant {
        kernel: "norm_rows",
        consts: consts([("HAS_NORM_BIAS", bias.to_string()), ("ADD", add.to_string())]),
        parts: vec![
            PRODUCT_PARAMS,
            parts::STATE,
            parts::PRODUCT,
            parts::INPUTS,
            parts::STATISTICS,
            parts::prologue(Some((kind, bias))),
            WGSL,
        ],
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Read, Access::Write]),
    }
}

impl NormRows {
    fn params(&self, layout: &Layout) -> ProductParams {
        ProductParams {
            from_outputs: u32::from(self.rows == Rows::Outputs),
            scale: self.scale,
            parts: self.parts as u32,
            ..norm_params(layout, &self.norm, &self.input, &self.out)
        }
    }
}

impl Kernel for NormRows {
    fn variants() -> Vec<Variant> {
        NORMS.iter().flat_map(|norm| [false, true].map(|add| variant(*norm, add))).collect()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        // Bindings 2 and 3 hold weights in the products that share this layout; a norm has none.
        let bound = [
            Bound::Vectors,
            Bound::Vectors,
            Bound::Vectors,
            Bound::Buffer(self.input.buffer),
            Bound::Buffer(self.out.buffer),
        ];
        let variant = variant((self.norm.kind, self.norm.bias.is_some()), self.add);
        let grid = Grid { x: row_count(self.rows).times(self.parts as u32), y: ONE };
        to.push(variant, self.params(to.layout).bytes(), &bound, grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        let out = View { cols: self.parts * self.out.cols, ..self.out };
        let target = Target::rows_or_twin(&out, row_count(self.rows), self.add);
        let reads = [Texture::Vectors, Texture::Buffer(self.input.buffer), target.texture];
        let reads = if self.add { &reads[..] } else { &reads[..2] };
        to.push(norm_program(&self.norm, self.add), self.params(to.layout).bytes(), reads, target);
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::norm_rows(cpu, self);
    }
}
