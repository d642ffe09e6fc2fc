//! Rows of a table: token embeddings, learned positions, token types.

mod cpu;

#[cfg(feature = "webgl2")]
use super::shared::weight_blocks;
use super::shared::{Cpu, Kernel, ProductParams, shard_params, weight_parts};
use crate::formats::{FORMATS, Format};
use crate::plan::{Index, View, WeightId};
use crate::shaders::{
    Access, Bound, Count, Dispatches, Grid, ONE, Part, Variant, WG, bindings, consts, part,
    wgsl_parts as parts,
};
#[cfg(feature = "webgl2")]
use crate::shaders::{Draws, EACH_TOKEN, Program, Target, Texture, glsl_parts, int};

/// out[t] (+)= scale * table[index(t)].
#[derive(Debug, Clone)]
pub struct EmbedRows {
    /// `[rows, width]`.
    pub table: WeightId,
    /// Which row for token `t`.
    pub index: Index,
    /// True to add to what is there.
    pub add: bool,
    /// Factor of the rows.
    pub scale: f32,
    /// `[tokens, width]`.
    pub out: View,
}

const WGSL: Part = part!("kernels/embed_rows/embed_rows.wgsl");

fn number(index: Index) -> u32 {
    match index {
        Index::Id => 0,
        Index::Position => 1,
        Index::Zero => 2,
    }
}

fn variant(format: &'static Format, index: Index, add: bool) -> Variant {
    Variant {
        kernel: "embed_rows",
        consts: consts([("INDEX", format!("{}u", number(index))), ("ADD", add.to_string())]),
        parts: [&weight_parts(format)[..], &[parts::TOKENS, WGSL]].concat(),
        bindings: bindings(&[Access::Read, Access::Read, Access::Read, Access::Write]),
    }
}

impl EmbedRows {
    fn params(&self, layout: &crate::plan::Layout, shard: usize) -> ProductParams {
        ProductParams {
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            scale: self.scale,
            ..shard_params(layout, self.table, shard)
        }
    }
}

impl Kernel for EmbedRows {
    fn variants() -> Vec<Variant> {
        let mut all = Vec::new();
        for format in FORMATS {
            for index in [Index::Id, Index::Position, Index::Zero] {
                all.extend([false, true].map(|add| variant(format, index, add)));
            }
        }
        all
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let weight = &to.layout.weights[self.table.0];
        for shard in 0..weight.shards.len() {
            let params = self.params(to.layout, shard);
            let weights = Bound::Shard(self.table, shard);
            let bound = [weights, weights, Bound::Buffer(to.layout.tokens), Bound::Buffer(self.out.buffer)];
            let grid = Grid { x: Count::Tokens { times: params.units, per: WG }, y: ONE };
            to.push(variant(weight.format, self.index, self.add), params.bytes(), &bound, grid);
        }
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const GLSL: Part = part!("kernels/embed_rows/embed_rows.glsl");
        let own = [glsl_parts::TOKENS, glsl_parts::beside(self.add), GLSL];
        let parts = [&weight_blocks(to.layout, self.table)[..], &own].concat();
        let consts = [("INDEX", int(number(self.index)))];
        let count = if self.add { 3 } else { 2 };
        let program = Program::new("embed_rows", &consts, &parts, &["weights", "tokens", "old"][..count]);
        let target = Target::rows_or_twin(&self.out, EACH_TOKEN, self.add);
        for shard in 0..to.layout.weights[self.table.0].shards.len() {
            let weights = Texture::Shard(self.table, shard);
            let reads = [weights, Texture::Buffer(to.layout.tokens), Texture::Buffer(self.out.buffer)];
            to.push(program.clone(), self.params(to.layout, shard).bytes(), &reads[..count], target);
        }
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::embed_rows(cpu, self);
    }
}
