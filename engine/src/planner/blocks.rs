//! The steps of a model, block by block.

use super::builder::{Builder, Phase, same_format};
use super::deferred::waits;
use super::error::PlanError;
use super::mixers;
use crate::formats::UNIT;
use crate::kernels::*;
use crate::models::{Experts, Ffn, Layer, LayerInputs, Norm, SharedExpert};
use crate::plan::{Act, Epilogue, Index, Matrix, NormUse, Rows, View};

impl Builder<'_> {
    /// Embedding and all blocks; returns where the residual stream ends up.
    pub(super) fn body(&mut self, phase: Phase, x: View) -> Result<View, PlanError> {
        let spec = self.spec;
        let mut x = x;
        let tables = [
            (Some(&spec.token_embd), Index::Id),
            (spec.position_embd.as_ref(), Index::Position),
            (spec.token_types.as_ref(), Index::Zero),
        ];
        for (i, (table, index)) in tables.into_iter().enumerate() {
            if let Some(table) = table {
                let table = self.weight(&[table], false)?;
                let scale = if i == 0 { spec.embd_scale } else { 1.0 };
                self.steps.push(Step::EmbedRows(EmbedRows { table, index, add: i > 0, scale, out: x }));
                if i == 0 {
                    self.embedded_delta(&spec.token_embd, scale, x)?;
                }
            }
        }
        x = self.norm_in_place(spec.embd_norm.as_ref(), x);
        let inputs = spec.layer_inputs.as_ref().map(|l| self.layer_inputs(l, x)).transpose()?;
        let waits = waits(spec, phase == Phase::Decode && self.lora.is_none() && !spec.parallel);
        for (i, layer) in spec.layers.iter().enumerate() {
            let (mixed, beside) = mixers::emit(self, phase, i, x)?;
            if let (Some(attention), Some(mixed)) = (&layer.beside, beside) {
                self.add_product(&attention.out, mixed, layer.attn_out_norm.as_ref(), x, false)?;
            }
            if spec.parallel {
                // Both parts read x before either adds to it.
                let hidden = self.ffn_up(phase, &layer.ffn, layer.ffn_norm.as_ref(), x)?;
                self.add_product(layer.mixer.out(), mixed, layer.attn_out_norm.as_ref(), x, false)?;
                self.add_product(&layer.ffn.down, hidden, layer.ffn_out_norm.as_ref(), x, false)?;
                continue;
            }
            x =
                self.add_product(layer.mixer.out(), mixed, layer.attn_out_norm.as_ref(), x, waits[i].mixer)?;
            x = self.norm_in_place(layer.attn_post_norm.as_ref(), x);
            if layer.ffn.experts.is_some() {
                self.experts(phase, layer, x)?;
            } else {
                let hidden = self.ffn_up(phase, &layer.ffn, layer.ffn_norm.as_ref(), x)?;
                x =
                    self.add_product(&layer.ffn.down, hidden, layer.ffn_out_norm.as_ref(), x, waits[i].ffn)?;
            }
            x = self.norm_in_place(layer.ffn_post_norm.as_ref(), x);
            if let (Some(input), Some((view, len))) = (&layer.input, inputs) {
                let own = view.part(i * len, len);
                self.linear(&[&input.gate], x, None, Epilogue::Gate(Act::Gelu), own, 1.0)?;
                x = self.add_normed(&input.proj, own, &input.norm, (x, 1.0), waits[i].input)?;
            }
            if let Some(by) = &layer.out_scale {
                let by = self.vector(vec![(0, by.clone())], 1);
                if waits[i].last(layer) {
                    self.deferred.multiply(by);
                } else {
                    self.steps.push(Step::ScaleRows(ScaleRows { x, by }));
                }
            }
        }
        if let Some((view, _)) = inputs {
            self.free.push(view.buffer);
        }
        self.free.extend(self.deferred.take_idle().map(|idle| idle.buffer));
        Ok(x)
    }

    /// The inputs of all layers, side by side, and the length of one.
    fn layer_inputs(&mut self, l: &LayerInputs, x: View) -> Result<(View, usize), PlanError> {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let (raw, out) = (self.take(l.proj.rows), self.take(l.proj.rows));
        self.linear(&[&l.proj], x, None, Epilogue::Store, raw, 1.0 / (self.spec.hidden_size as f32).sqrt())?;
        let norm = self.norm_use(&l.norm);
        let parts = l.proj.rows / l.len;
        let part = |v: View| View { cols: l.len, ..v };
        let (input, to, rows) = (part(raw), part(out), Rows::Tokens);
        self.steps.push(Step::NormRows(NormRows {
            input,
            out: to,
            norm,
            rows,
            parts,
            add: false,
            scale: half,
        }));
        self.free.push(raw.buffer);
        let table = self.weight(&[&l.embd], false)?;
        let scale = (l.len as f32).sqrt() * half;
        self.steps.push(Step::EmbedRows(EmbedRows { table, index: Index::Id, add: true, scale, out }));
        Ok((out, l.len))
    }

    /// out (+)= scale * norm(input), row by row.
    fn norm_step(&mut self, input: View, out: View, norm: NormUse, add: bool, scale: f32) {
        self.steps.push(Step::NormRows(NormRows {
            input,
            out,
            norm,
            rows: Rows::Tokens,
            parts: 1,
            add,
            scale,
        }));
    }

    /// x += scale * norm(matrix * input), now or `later`; the input's buffer is free afterwards. Returns where the stream
    /// goes on.
    fn add_product(
        &mut self,
        m: &Matrix,
        input: View,
        norm: Option<&Norm>,
        x: View,
        later: bool,
    ) -> Result<View, PlanError> {
        let scale = self.spec.residual_scale;
        let after = match norm {
            None => {
                self.linear(&[m], input, None, Epilogue::Add, x, scale)?;
                x
            }
            Some(norm) => self.add_normed(m, input, norm, (x, scale), later)?,
        };
        self.free.push(input.buffer);
        Ok(after)
    }

    /// The same with a norm, and the input's buffer in use.
    fn add_normed(
        &mut self,
        m: &Matrix,
        input: View,
        norm: &Norm,
        (x, scale): (View, f32),
        later: bool,
    ) -> Result<View, PlanError> {
        let y = self.take(x.cols);
        self.linear(&[m], input, None, Epilogue::Store, y, 1.0)?;
        let norm = self.norm_use(norm);
        if later {
            let after = self.deferred.take_idle().unwrap_or_else(|| self.take(x.cols));
            // `y` belongs to the sum from now on.
            self.deferred.wait(after, Sum { x, y, norm, scale, by: None });
            return Ok(after);
        }
        self.norm_step(y, x, norm, true, scale);
        self.free.push(y.buffer);
        Ok(x)
    }

    /// The activated hidden row of a block's feed-forward part.
    fn ffn_up(&mut self, phase: Phase, f: &Ffn, norm: Option<&Norm>, x: View) -> Result<View, PlanError> {
        let (input, norm) = self.normed(phase, norm, x);
        let hidden = self.hidden(f, input, norm)?;
        self.give(input, x);
        Ok(hidden)
    }

    /// The same of an input with its norm.
    fn hidden(&mut self, f: &Ffn, input: View, norm: Option<NormUse>) -> Result<View, PlanError> {
        let hidden = self.take(f.ffn_size);
        match &same_format(&Vec::from_iter(&f.up))[..] {
            [gate, up] => {
                self.linear(up, input, norm, Epilogue::Store, hidden, 1.0)?;
                self.linear(gate, input, norm, Epilogue::Gate(f.act), hidden, 1.0)?;
            }
            groups => {
                let epilogue = if f.gated { Epilogue::Gated(f.act) } else { Epilogue::Act(f.act) };
                self.linear(&groups.concat(), input, norm, epilogue, hidden, 1.0)?;
            }
        }
        Ok(hidden)
    }

    /// x += the chosen experts of its norm.
    fn experts(&mut self, phase: Phase, layer: &Layer, x: View) -> Result<(), PlanError> {
        let (f, Some(e)) = (&layer.ffn, &layer.ffn.experts) else { return Ok(()) };
        let (input, norm) = self.normed(phase, layer.ffn_norm.as_ref(), x);
        let shared_gate = e.shared.as_ref().and_then(|shared| shared.gate.as_ref());
        let scores =
            self.products(&Vec::from_iter([&e.router].into_iter().chain(shared_gate)), input, norm)?;
        let (logits, route) = (scores.part(0, e.count), self.take(2 * e.used));
        let (experts, used, normalise, scale) = (e.count, e.used, e.normalise, e.scale);
        let bias = e.bias.as_ref().map(|b| self.vector(vec![(0, b.clone())], b.len));
        let (sigmoid, out) = (e.sigmoid, route);
        self.steps.push(Step::Route(Route { logits, out, experts, used, sigmoid, bias, normalise, scale }));
        let sorted = self.sort_experts(phase, route, e, x.cols);
        let stride = f.ffn_size.next_multiple_of(UNIT);
        let out = View { stride, cols: f.ffn_size, ..self.take(e.used * stride) };
        if !std::ptr::eq(f.up[0].format, f.up[1].format) {
            return Err(PlanError::MixedExperts { tensor: f.up[1].tensor.clone() });
        }
        let weight = self.expert_weight(&[&f.up[0], &f.up[1]], true)?;
        let (ffn_size, act, bias) = (f.ffn_size, f.act, self.bias(&[&f.up[0], &f.up[1]]));
        self.steps.push(Step::ExpertsUp(ExpertsUp {
            weight,
            input,
            norm,
            bias,
            route,
            sorted: sorted.map(|[sorted, _]| sorted),
            used,
            ffn_size,
            act,
            out,
        }));
        // It reads x too, before the others add to it.
        let shared = match &e.shared {
            Some(shared) => {
                let by = shared_gate.map(|gate| scores.part(e.count, gate.rows));
                Some(self.shared_expert(shared, input, norm, by)?)
            }
            None => None,
        };
        self.give(input, x);
        self.free.push(scores.buffer);
        let weight = self.expert_weight(&[&f.down], false)?;
        let (scale, bias) = (self.spec.residual_scale, self.bias(&[&f.down]));
        self.steps.push(Step::ExpertsDown(ExpertsDown {
            weight,
            bias,
            input: out,
            route,
            sorted,
            used,
            scale,
            out: x,
        }));
        self.free.extend([out.buffer, route.buffer]);
        self.free.extend(sorted.into_iter().flatten().map(|view| view.buffer));
        if let (Some(shared), Some(hidden)) = (&e.shared, shared) {
            self.add_product(&shared.ffn.down, hidden, None, x, false)?;
        }
        Ok(())
    }

    /// Sorts a slice's tokens by expert, where the device multiplies so; returns where they stand, and room for what `down` makes of
    /// them.
    fn sort_experts(&mut self, phase: Phase, route: View, e: &Experts, cols: usize) -> Option<[View; 2]> {
        let stride = cols.next_multiple_of(UNIT);
        let (slice, bytes) = (self.options.slice_tokens, size_of::<f32>() as u64);
        let numbers = slice.saturating_mul(e.used);
        let fits = bytes * numbers.saturating_mul(stride) as u64 <= self.limits.binding_bytes;
        if phase == Phase::Decode || !self.limits.sorts_experts || !fits {
            return None;
        }
        let (experts, used) = (e.count, e.used);
        let out = self.take_rows(1, experts + 1 + numbers);
        self.steps.push(Step::ExpertsSort(ExpertsSort { route, experts, used, out }));
        Some([out, View { stride, cols, ..self.take(used * stride) }])
    }

    /// The hidden row of the expert that all tokens use, gated `by` what has been computed for it.
    fn shared_expert(
        &mut self,
        shared: &SharedExpert,
        input: View,
        norm: Option<NormUse>,
        by: Option<View>,
    ) -> Result<View, PlanError> {
        let hidden = self.hidden(&shared.ffn, input, norm)?;
        if let Some(by) = by {
            // The product with `down` has no bias, so its input may as well be gated.
            self.steps.push(Step::GateRows(GateRows { x: hidden, by }));
        }
        Ok(hidden)
    }

    /// The input of a product: normalised now for many tokens, later for one.
    pub(crate) fn normed(&mut self, phase: Phase, norm: Option<&Norm>, x: View) -> (View, Option<NormUse>) {
        let Some(norm) = norm else { return (x, None) };
        let norm = self.norm_use(norm);
        if phase == Phase::Decode {
            return (x, Some(norm));
        }
        let out = self.take(x.cols);
        self.norm_step(x, out, norm, false, 1.0);
        (out, None)
    }

    /// Replaces the residual stream by its norm; the old buffer is free afterwards.
    fn norm_in_place(&mut self, norm: Option<&Norm>, x: View) -> View {
        let Some(norm) = norm else { return x };
        let norm = self.norm_use(norm);
        let out = self.take(x.cols);
        self.norm_step(x, out, norm, false, 1.0);
        self.free.push(x.buffer);
        out
    }

    /// From the residual stream to logits, or to the rows and the pooled rows of an encoder.
    pub(super) fn head(&mut self, x: View, logits: Option<View>) -> Result<Option<(View, View)>, PlanError> {
        let spec = self.spec;
        if let Some(how) = spec.pooling {
            let mut rows = self.norm_in_place(spec.final_norm.as_ref(), x);
            // Pooling is linear: matrices after it may as well come before it, and serve the rows of tokens too.
            for m in &spec.dense {
                let out = self.take(m.rows);
                self.linear(&[m], rows, None, Epilogue::Store, out, 1.0)?;
                self.free.push(rows.buffer);
                rows = out;
            }
            let pooled = self.new_view("pooled", self.options.sequences, rows.cols);
            self.steps.push(Step::PoolRows(PoolRows { input: rows, out: pooled, how }));
            return Ok(Some((rows, pooled)));
        }
        let (Some(head), Some(logits)) = (&spec.head, logits) else { return Ok(None) };
        let norm = spec.final_norm.as_ref().map(|n| self.norm_use(n));
        let weight = self.weight(&[head], false)?;
        let bias = self.bias(&[head]);
        let epilogue = if spec.logit_cap == 0.0 { Epilogue::Store } else { Epilogue::Cap };
        let (scale, cap, rows) = (spec.logit_scale, spec.logit_cap, Rows::Outputs);
        let delta = self.delta(&[head], x, norm, rows)?;
        let product =
            Linear { norm, bias, cap, scale, epilogue, delta, rows, ..Linear::new(weight, x, logits) };
        self.steps.push(Step::Linear(product));
        self.free.extend(delta.map(|d| d.buffer));
        Ok(None)
    }
}
