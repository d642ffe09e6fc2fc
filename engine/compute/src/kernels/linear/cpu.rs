//! The products.

use super::{Linear, Sum};
use crate::kernels::shared::math::{activate_all, let_through};
use crate::kernels::shared::{Cpu, multiply, normalise, planes, rows_at_once};
use crate::plan::{Epilogue, Rows, View, Weight};

/// out[t] = epilogue(scale * (weight * norm(input[t]) + bias)).
pub fn linear(s: &mut Cpu, step: &Linear) {
    let weight = &s.layout.weights[step.weight.0];
    let (count, first) = match step.rows {
        Rows::Tokens => (s.state.tokens as usize, 0),
        Rows::Outputs => (s.state.out_rows as usize, s.state.out_first as usize),
    };
    if let Some(sum) = &step.sum {
        make_sum(s, sum, &step.input);
    }
    let mut inputs = std::mem::take(&mut s.scratch.inputs);
    inputs.fill((weight.format, s.layout.options.precision), count, weight.cols, |t, out| {
        let at = step.input.offset + (first + t) * step.input.stride;
        let row = &s.buffers[step.input.buffer.0][at..][..weight.cols];
        match &step.norm {
            Some(norm) => normalise(row, out, norm, 0, s.layout, s.vectors),
            None => out.copy_from_slice(row),
        }
    });
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    for (i, shard) in weight.shards.iter().enumerate() {
        let planes = planes(shard, &s.weights[step.weight.0][i]);
        let bias = step.bias.map(|b| &s.vectors[s.layout.vectors[b.0].offset + shard.first..]);
        let delta = step.delta.map(|d| (&s.buffers[d.buffer.0][d.offset + shard.first..], d.stride));
        let scale = step.scale * if step.by_factor { s.state.factor } else { 1.0 };
        let product = Product { weight, bias, delta, scale, step };
        let gated = matches!(step.epilogue, Epilogue::Gated(_));
        let most = rows_at_once(&inputs);
        let [y, up] = &mut s.scratch.products;
        for row in (0..shard.outputs).step_by(most) {
            let n = most.min(shard.outputs - row);
            y.resize(count * n, 0.0);
            multiply(&mut s.scratch.tile, &inputs, weight.format, &planes, row, n, y);
            if gated {
                up.resize(count * n, 0.0);
                multiply(&mut s.scratch.tile, &inputs, weight.format, &planes, shard.outputs + row, n, up);
            }
            for t in 0..count {
                let out = &mut out[step.out.offset + t * step.out.stride + shard.first + row..][..n];
                let up = if gated { &mut up[t * n..][..n] } else { &mut [] };
                product.epilogue(t, row, (&mut y[t * n..][..n], up), out);
            }
        }
    }
    s.buffers[step.out.buffer.0] = out;
    s.scratch.inputs = inputs;
}

/// to[t] = x[t] + scale * norm(y[t]).
fn make_sum(s: &mut Cpu, sum: &Sum, to: &View) {
    let mut out = std::mem::take(&mut s.buffers[to.buffer.0]);
    for t in 0..s.state.tokens as usize {
        let row = |view: &View| &s.buffers[view.buffer.0][view.offset + t * view.stride..][..view.cols];
        let out = &mut out[to.offset + t * to.stride..][..to.cols];
        normalise(row(&sum.y), out, &sum.norm, 0, s.layout, s.vectors);
        out.iter_mut().zip(row(&sum.x)).for_each(|(out, x)| *out = x + sum.scale * *out);
    }
    s.buffers[to.buffer.0] = out;
}

/// What happens to the products of a shard.
struct Product<'a> {
    weight: &'a Weight,
    bias: Option<&'a [f32]>,
    /// Rows of what an adapter adds, and from one to the next.
    delta: Option<(&'a [f32], usize)>,
    scale: f32,
    step: &'a Linear,
}

impl Product<'_> {
    /// Products `y` of token `t` with rows `row..`, and those with the second half where there is one.
    fn epilogue(&self, t: usize, row: usize, (y, up): (&mut [f32], &mut [f32]), out: &mut [f32]) {
        let second = self.weight.outputs;
        for (values, row) in [(&mut *y, row), (&mut *up, second + row)] {
            for more in
                [self.bias, self.delta.map(|(rows, stride)| &rows[t * stride..])].into_iter().flatten()
            {
                values.iter_mut().zip(&more[row.min(more.len())..]).for_each(|(v, more)| *v += more);
            }
        }
        let (step, pairs) = (self.step, out.iter_mut().zip(y.iter()));
        match step.epilogue {
            Epilogue::Store => pairs.for_each(|(out, y)| *out = self.scale * y),
            Epilogue::Add => pairs.for_each(|(out, y)| *out += self.scale * y),
            Epilogue::Cap => {
                pairs.for_each(|(out, y)| *out = step.cap * (self.scale * y / step.cap).tanh());
            }
            Epilogue::Act(act) => {
                activate_all(y, act);
                out.copy_from_slice(y);
            }
            Epilogue::Gate(act) => {
                activate_all(y, act);
                out.iter_mut().zip(y).for_each(|(out, y)| *out *= *y);
            }
            Epilogue::Gated(act) => {
                let_through(y, up, act);
                out.copy_from_slice(y);
            }
        }
    }
}
