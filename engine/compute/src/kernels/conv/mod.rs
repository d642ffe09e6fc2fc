//! Causal convolution over time, whose last inputs are kept from run to run.

mod cpu;

use super::shared::{Cpu, Kernel, vector_offset};
use crate::plan::{BufferId, Layout, TAPS_MAX, VectorId, View, uniform};

use crate::shaders::{
    Access, Bound, Count, Dispatches, Grid, Part, Variant, WG, bindings, consts, part, wgsl_parts as parts,
};

#[cfg(feature = "webgl2")]
use crate::shaders::{Const, Draws, EACH_TOKEN, Program, Target, Texture, uint};

/// Causal convolution of every channel over time, with the last inputs kept from run to run.
/// Plain: out[t, c] = silu(sum_j w[c, j] * x[t - kernel + 1 + j, c] + bias[c]).
/// Gated: the row is b, c, z of `channels` each; out = c * conv(b * z), without activation.
#[derive(Debug, Clone)]
pub struct Conv {
    /// `[tokens, channels]`, or `[tokens, 3 channels]` where gated.
    pub input: View,
    /// `[tokens, channels]`.
    pub out: View,
    /// Channels.
    pub channels: usize,
    /// Taps.
    pub kernel: usize,
    /// `[channels, kernel]`.
    pub weight: VectorId,
    /// `[channels]`.
    pub bias: Option<VectorId>,
    /// Which of the two forms.
    pub gated: bool,
    /// `[slots, channels, kernel - 1]`.
    pub state: BufferId,
}

uniform! {
    Params p at 0;
    /// Constants.
    struct ConvParams {
        in_offset: u32,
        in_stride: u32,
        out_offset: u32,
        out_stride: u32,
        channels: u32,
        weight: u32,
        bias: u32,
    }
}

fn variant(kernel: usize, gated: bool, bias: bool) -> Variant {
    const PARAMS: Part = Part { path: "kernels/conv", text: ConvParams::WGSL };
    Variant {
        kernel: "conv",
        consts: consts([
            ("KERNEL", format!("{kernel}u")),
            ("GATED", gated.to_string()),
            ("HAS_BIAS", bias.to_string()),
        ]),
        parts: vec![PARAMS, parts::STATE, parts::SEQUENCES, part!("kernels/conv/conv.wgsl")],
        bindings: bindings(&[Access::Read, Access::Read, Access::Write, Access::Write]),
    }
}

impl Conv {
    fn params(&self, layout: &Layout) -> ConvParams {
        ConvParams {
            in_offset: self.input.offset as u32,
            in_stride: self.input.stride as u32,
            out_offset: self.out.offset as u32,
            out_stride: self.out.stride as u32,
            channels: self.channels as u32,
            weight: vector_offset(layout, self.weight),
            bias: self.bias.map_or(0, |b| vector_offset(layout, b)),
        }
    }
}

impl Kernel for Conv {
    fn variants() -> Vec<Variant> {
        let forms = [(true, false), (false, false), (false, true)];
        (2..=TAPS_MAX).flat_map(|kernel| forms.map(|(gated, bias)| variant(kernel, gated, bias))).collect()
    }

    fn dispatch(&self, to: &mut Dispatches) {
        let params = self.params(to.layout);
        let buffers = [self.input.buffer, self.out.buffer, self.state].map(Bound::Buffer);
        let grid = Grid { x: Count::Fixed(params.channels.div_ceil(WG)), y: Count::Sequences };
        let variant = variant(self.kernel, self.gated, self.bias.is_some());
        to.push(variant, params.bytes(), &[&[Bound::Vectors], &buffers[..]].concat(), grid);
    }

    #[cfg(feature = "webgl2")]
    fn draw(&self, to: &mut Draws) {
        const PARAMS: Part = Part { path: "kernels/conv", text: ConvParams::GLSL };
        const COMMON: Part = part!("kernels/conv/common.glsl");
        let consts = [
            ("KERNEL", uint(self.kernel)),
            ("GATED", Const::Bool(self.gated)),
            ("HAS_BIAS", Const::Bool(self.bias.is_some())),
        ];
        let params = self.params(to.layout).bytes();
        let reads = [Texture::Buffer(self.input.buffer), Texture::Buffer(self.state), Texture::Vectors];
        let samplers = ["inputs", "taps", "vectors"];
        let out =
            Program::new("conv", &consts, &[PARAMS, COMMON, part!("kernels/conv/conv.glsl")], &samplers);
        to.push(out, params.clone(), &reads, Target::rows(&self.out, EACH_TOKEN));
        let parts = [PARAMS, COMMON, part!("kernels/conv/taps.glsl")];
        let taps = Program::new("conv_taps", &consts, &parts, &samplers[..2]);
        to.push(taps, params, &reads[..2], Target::slot(self.state, self.channels * (self.kernel - 1)));
    }

    fn run(&self, cpu: &mut Cpu) {
        cpu::conv(cpu, self);
    }
}
