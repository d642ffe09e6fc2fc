//! The products.

use super::{Linear, Sum};
use crate::kernels::shared::math::{activate_all, let_through};
use crate::kernels::shared::{Cpu, RemoteShards, multiply, normalise, planes, rows_at_once};
use crate::plan::{Epilogue, Layout, Rows, Shard, View, Weight};

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
    let [mut sent, mut answer] = std::mem::take(&mut s.scratch.sent);
    let mut lent = s.remote.take();
    let is_shared = count > 0 && weight.shards.iter().any(|shard| shard.thread > 0);
    let mut remote = lent.as_deref_mut().filter(|_| is_shared);
    let write = |t: usize, out: &mut [f32]| {
        let at = step.input.offset + (first + t) * step.input.stride;
        let row = &s.buffers[step.input.buffer.0][at..][..weight.cols];
        match &step.norm {
            Some(norm) => normalise(row, out, norm, 0, s.layout, s.vectors),
            None => out.copy_from_slice(row),
        }
    };
    let rounds = weight.shards.chunk_by(|a, b| a.thread < b.thread);
    let rounds = rounds.scan(0, |end, shards| {
        *end += shards.len();
        Some(Round { first: *end - shards.len(), shards })
    });
    let mut rounds = rounds.peekable();
    // The others begin first.
    if let Some(remote) = &mut remote {
        sent.resize(count * weight.cols, 0.0);
        sent.chunks_exact_mut(weight.cols).enumerate().for_each(|(t, row)| write(t, row));
        rounds.peek().iter().for_each(|round| round.start_multiply(*remote, step, weight, &sent));
        let rows = &sent;
        inputs.fill((weight.format, s.layout.options.precision), count, weight.cols, |t, out| {
            out.copy_from_slice(&rows[t * weight.cols..][..weight.cols]);
        });
    } else {
        inputs.fill((weight.format, s.layout.options.precision), count, weight.cols, write);
    }
    let mut out = std::mem::take(&mut s.buffers[step.out.buffer.0]);
    // A shard of each thread at a time: the others multiply while this one does.
    while let Some(round) = rounds.next() {
        for (i, shard) in round.numbered().filter(|(_, shard)| shard.thread == 0) {
            let product = Product::of(s.layout, s.vectors, s.buffers, step, shard, s.state.factor);
            let planes = planes(shard, &s.weights[step.weight.0][i]);
            let most = rows_at_once(&inputs);
            let [y, up] = &mut s.scratch.products;
            for row in (0..shard.outputs).step_by(most) {
                let n = most.min(shard.outputs - row);
                y.resize(count * n, 0.0);
                multiply(&mut s.scratch.tile, &inputs, weight.format, &planes, row, n, y);
                if product.is_gated() {
                    up.resize(count * n, 0.0);
                    multiply(
                        &mut s.scratch.tile,
                        &inputs,
                        weight.format,
                        &planes,
                        shard.outputs + row,
                        n,
                        up,
                    );
                }
                for t in 0..count {
                    let up = if product.is_gated() { &mut up[t * n..][..n] } else { &mut [] };
                    product.epilogue(t, row, (&mut y[t * n..][..n], up), &mut out);
                }
            }
        }
        if let Some(remote) = &mut remote {
            for (i, shard) in round.remote() {
                let product = Product::of(s.layout, s.vectors, s.buffers, step, shard, s.state.factor);
                let rows = shard.outputs * weight.rows_per_output;
                answer.resize(count * rows, 0.0);
                remote.finish_multiply((step.weight, i), rows, &mut answer);
                for (t, products) in answer.chunks_exact_mut(rows).enumerate() {
                    product.epilogue(t, 0, products.split_at_mut(shard.outputs), &mut out);
                }
            }
            rounds.peek().iter().for_each(|round| round.start_multiply(*remote, step, weight, &sent));
        }
    }
    s.remote = lent;
    s.buffers[step.out.buffer.0] = out;
    s.scratch.inputs = inputs;
    s.scratch.sent = [sent, answer];
}

/// One shard of each thread.
struct Round<'a> {
    first: usize,
    shards: &'a [Shard],
}

impl<'a> Round<'a> {
    fn numbered(&self) -> impl Iterator<Item = (usize, &'a Shard)> + use<'a> {
        (self.first..).zip(self.shards)
    }

    /// Those of other threads.
    fn remote(&self) -> impl Iterator<Item = (usize, &'a Shard)> + use<'a> {
        self.numbered().filter(|(_, shard)| shard.thread > 0)
    }

    fn start_multiply(&self, remote: &mut dyn RemoteShards, step: &Linear, weight: &Weight, rows: &[f32]) {
        for (i, shard) in self.remote() {
            remote.start_multiply(
                (step.weight, i),
                weight.cols,
                shard.outputs * weight.rows_per_output,
                rows,
            );
        }
    }
}

/// to[t] = by * (x[t] + scale * norm(y[t])).
fn make_sum(s: &mut Cpu, sum: &Sum, to: &View) {
    let by = sum.by.map_or(1.0, |by| s.vectors[s.layout.vectors[by.0].offset]);
    let mut out = std::mem::take(&mut s.buffers[to.buffer.0]);
    for t in 0..s.state.tokens as usize {
        let row = |view: &View| &s.buffers[view.buffer.0][view.offset + t * view.stride..][..view.cols];
        let out = &mut out[to.offset + t * to.stride..][..to.cols];
        normalise(row(&sum.y), out, &sum.norm, 0, s.layout, s.vectors);
        out.iter_mut().zip(row(&sum.x)).for_each(|(out, x)| *out = by * (x + sum.scale * *out));
    }
    s.buffers[to.buffer.0] = out;
}

/// What happens to the products of a shard.
struct Product<'a> {
    outputs: usize,
    /// The shard's first output.
    first: usize,
    bias: Option<&'a [f32]>,
    /// Rows of what an adapter adds, and from one to the next.
    delta: Option<(&'a [f32], usize)>,
    scale: f32,
    step: &'a Linear,
}

impl<'a> Product<'a> {
    fn of(
        layout: &'a Layout,
        vectors: &'a [f32],
        buffers: &'a [Vec<f32>],
        step: &'a Linear,
        shard: &Shard,
        factor: f32,
    ) -> Self {
        Product {
            outputs: layout.weights[step.weight.0].outputs,
            first: shard.first,
            bias: step.bias.map(|b| &vectors[layout.vectors[b.0].offset + shard.first..]),
            delta: step.delta.map(|d| (&buffers[d.buffer.0][d.offset + shard.first..], d.stride)),
            scale: step.scale * if step.by_factor { factor } else { 1.0 },
            step,
        }
    }

    fn is_gated(&self) -> bool {
        matches!(self.step.epilogue, Epilogue::Gated(_))
    }

    /// Products `y` of token `t` with the shard's rows from `row` on, and those with the second half where there is one.
    fn epilogue(&self, t: usize, row: usize, (y, up): (&mut [f32], &mut [f32]), out: &mut [f32]) {
        let view = &self.step.out;
        let out = &mut out[view.offset + t * view.stride + self.first + row..][..y.len()];
        let second = self.outputs;
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
