//! The shaders of a product on WebGPU: with one vector or a few, and with many.

use crate::formats::{FORMATS, Format};
use crate::kernels::shared::{Matmul, NORMS, PRODUCT_ACCESS, encode_variant, is_gated, weight_parts};
use crate::plan::{Act, Epilogue, NormKind};
use crate::shaders::{
    Access, Batch, Part, Tile, Variant, WG, bindings, consts_of, part, wgsl_parts as parts,
};

fn epilogues() -> Vec<Epilogue> {
    let acts = [Act::Silu, Act::Gelu];
    let mut all = vec![Epilogue::Store, Epilogue::Add, Epilogue::Cap];
    all.extend(acts.map(Epilogue::Act));
    all.push(Epilogue::Act(Act::ReluSquared));
    all.extend(acts.map(Epilogue::Gated));
    all.extend(acts.map(Epilogue::Gate));
    all
}

/// A product with one vector where no threads share a row.
const ALONE: Part = part!("kernels/linear/matvec_alone.wgsl");

/// What some products have besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    Nothing,
    /// What an adapter adds to the product.
    Delta,
    /// What is added to the input.
    Sum,
}

impl Extra {
    pub fn of(delta: bool) -> Extra {
        if delta { Extra::Delta } else { Extra::Nothing }
    }
}

/// [`PRODUCT_ACCESS`] and what comes besides.
fn product_bindings(extra: Extra) -> Vec<Access> {
    let mut all = PRODUCT_ACCESS.to_vec();
    match extra {
        Extra::Nothing => {}
        Extra::Delta => all.push(Access::Read),
        Extra::Sum => all.extend([Access::Read, Access::Write]),
    }
    bindings(&all)
}

/// A product with one vector, or with a few.
pub struct Vector {
    pub format: &'static Format,
    pub epilogue: Epilogue,
    pub bias: bool,
    pub norm: Option<(NormKind, bool)>,
    pub extra: Extra,
    /// True where no threads share a row.
    pub one_lane: bool,
}

impl Vector {
    pub fn variant(&self, batch: Batch) -> Variant {
        let sum = [parts::SUM, parts::sum_prologue(self.norm.is_some())];
        let plain = [parts::prologue(self.norm)];
        let prologue: &[Part] = if self.extra == Extra::Sum { &sum } else { &plain };
        let coded = self.format.is_coded();
        let (kernel, texts): (_, &[Part]) = match (batch, self.one_lane) {
            (Batch::One, false) => ("matvec", &[part!("kernels/linear/matvec.wgsl")]),
            (Batch::One, true) if coded => {
                ("matvec_alone", &[ALONE, part!("kernels/linear/matvec_alone.wgsl#coded")])
            }
            (Batch::One, true) => {
                ("matvec_alone", &[ALONE, part!("kernels/linear/matvec_alone.wgsl#decoded")])
            }
            _ => ("matvec_few", &[part!("kernels/linear/matvec_few.wgsl")]),
        };
        let values = [
            ("ONE_LANE", self.one_lane.to_string()),
            ("HAS_BIAS", self.bias.to_string()),
            ("HAS_NORM_BIAS", self.norm.is_some_and(|n| n.1).to_string()),
            ("GATED", is_gated(self.epilogue).to_string()),
        ];
        let delta = parts::delta(self.extra == Extra::Delta);
        Variant {
            kernel,
            consts: consts_of(vector_threads(batch, self.one_lane).0, values),
            parts: [
                &weight_parts(self.format)[..],
                &[parts::PRODUCT, parts::INPUTS, delta, parts::SUMS, parts::STATISTICS],
                prologue,
                &parts::epilogue(self.epilogue),
                &[parts::QUAD],
                texts,
            ]
            .concat(),
            bindings: product_bindings(self.extra),
        }
    }
}

pub fn matmul_variant(
    format: &'static Format,
    epilogue: Epilogue,
    bias: bool,
    delta: bool,
    tile: Tile,
) -> Variant {
    Matmul { kernel: "matmul", format, epilogue, bias, delta, sorted: false, tile }.variant()
}

/// Whether a norm is computed along with the product, for as many tokens as there are; others belong to one token.
pub fn along(norm: Option<(NormKind, bool)>) -> bool {
    matches!(norm, None | Some((NormKind::Rms, false)))
}

/// Threads of a workgroup that multiplies by one vector or a few, and how often four rows each of them walks. One that does not
/// share its rows shares its workgroup with no more than fill the lanes of a CPU, so that even small products keep several cores
/// busy. The others share what they read of the vector; of a few vectors each keeps sums in workgroup memory.
pub fn vector_threads(batch: Batch, one_lane: bool) -> (u32, u32) {
    match (one_lane, batch) {
        (true, Batch::One) => (8, 2),
        (true, _) => (16, 1),
        (false, Batch::One) => (4 * WG, 1),
        (false, _) => (WG, 1),
    }
}

/// Every shader of a product. An epilogue that adds reads no norm, since what it multiplies is not the residual stream; logits
/// are capped row by row.
pub fn all() -> Vec<Variant> {
    let mut all = vec![encode_variant()];
    for format in FORMATS {
        for epilogue in epilogues() {
            for (bias, delta) in [(false, false), (true, false), (false, true), (true, true)] {
                if epilogue != Epilogue::Cap {
                    all.extend(
                        Matmul::tiles(format).map(|tile| matmul_variant(format, epilogue, bias, delta, tile)),
                    );
                }
                let norms = if epilogue == Epilogue::Add { &NORMS[..0] } else { &NORMS };
                for norm in [None].into_iter().chain(norms.iter().copied().map(Some)) {
                    for one_lane in [false, true] {
                        let product =
                            Vector { format, epilogue, bias, norm, extra: Extra::of(delta), one_lane };
                        all.push(product.variant(Batch::One));
                        if along(norm) {
                            all.push(product.variant(Batch::Few));
                        }
                    }
                }
                if !delta && !matches!(epilogue, Epilogue::Add | Epilogue::Cap) {
                    for norm in [None, Some(NORMS[0])] {
                        for one_lane in [false, true] {
                            let product =
                                Vector { format, epilogue, bias, norm, extra: Extra::Sum, one_lane };
                            all.push(product.variant(Batch::One));
                        }
                    }
                }
            }
        }
    }
    all
}
