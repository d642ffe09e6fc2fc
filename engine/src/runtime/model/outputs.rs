//! What a model gives besides continued text: vectors of texts, and raw rows.

use super::{Model, Outputs, Sequence};
use crate::backend::{Body, Choose, Run};
use crate::plan::{State, View};
use crate::runtime::Error;

impl Model {
    /// The pooled vector of a text, not normalised.
    ///
    /// # Errors
    /// As [`Self::embed_many`].
    pub async fn embed(&mut self, ids: &[u32]) -> Result<Vec<f32>, Error> {
        Ok(self.embed_many(&[ids]).await?.swap_remove(0))
    }

    /// The pooled vectors of texts, not normalised: as many texts a submission as fit a slice.
    ///
    /// # Errors
    /// `NotThisModel` for a model that gives no vectors; `BadSlice` for a text that is empty or longer than a slice;
    /// `UnknownToken`; `Device` where the device fails.
    pub async fn embed_many(&mut self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = Vec::with_capacity(texts.len());
        while vectors.len() < texts.len() {
            vectors.extend(self.embed_first(&texts[vectors.len()..], self.slice_tokens()).await?);
        }
        Ok(vectors)
    }

    /// As [`Self::embed_many`], of the first texts alone: as many, but one at least, as take about as long as a piece of
    /// work should. `now_ms` is the caller's clock.
    ///
    /// # Errors
    /// As [`Self::embed_many`].
    pub async fn embed_some(
        &mut self,
        texts: &[&[u32]],
        now_ms: &impl Fn() -> f64,
    ) -> Result<Vec<Vec<f32>>, Error> {
        let begin_ms = now_ms();
        let vectors = self.embed_first(texts, self.pace.slices.next()).await?;
        let tokens = texts[..vectors.len()].iter().map(|text| text.len()).sum();
        self.pace.slices.measured(tokens, now_ms() - begin_ms);
        Ok(vectors)
    }

    /// The vectors of the first texts, as many as have `max_tokens` together, but one at least.
    async fn embed_first(&mut self, texts: &[&[u32]], max_tokens: usize) -> Result<Vec<Vec<f32>>, Error> {
        let (_, pooled) = self.rows().ok_or(Error::NotThisModel { what: "give embeddings" })?;
        let mut tokens = 0;
        let fit = texts.iter().take(self.plan.layout.options.sequences).take_while(|text| {
            tokens += text.len();
            tokens <= max_tokens
        });
        // One that is too long for a slice is refused by the run.
        let now = &texts[..fit.count().max(1).min(texts.len())];
        if now.is_empty() {
            return Ok(Vec::new());
        }
        self.encode(now)?;
        self.read_rows(pooled, now.len()).await
    }

    /// Rows of logits after each position from `first` on, then one row for each id of `decode`, fed one at a time.
    /// Of an encoder: the pooled vector, then a row per token.
    ///
    /// # Errors
    /// As [`Self::feed`]; of an encoder as [`Self::embed_many`].
    pub async fn evaluate(
        &mut self,
        ids: &[u32],
        first: usize,
        decode: &[u32],
    ) -> Result<Vec<Vec<f32>>, Error> {
        if let Some((rows, pooled)) = self.rows() {
            self.encode(&[ids])?;
            let mut all = self.read_rows(pooled, 1).await?;
            all.extend(self.read_rows(rows, ids.len()).await?);
            return Ok(all);
        }
        let mut sequence = self.begin();
        let rows = self.evaluate_in(&mut sequence, ids, first, decode).await;
        self.end(sequence);
        rows
    }

    async fn evaluate_in(
        &mut self,
        sequence: &mut Sequence,
        ids: &[u32],
        first: usize,
        decode: &[u32],
    ) -> Result<Vec<Vec<f32>>, Error> {
        let logits = self.plan.layout.logits.ok_or(Error::NotThisModel { what: "give logits" })?;
        let mut rows = Vec::new();
        for slice in ids.chunks(self.slice_tokens()) {
            let start = sequence.len_tokens;
            self.prefill(sequence, slice)?;
            let mut row = first.saturating_sub(start);
            while row < slice.len() {
                let count = self.plan.layout.options.logits_rows.min(slice.len() - row);
                let tokens = slice.len() as u32;
                let (out_first, out_rows) = (row as u32, count as u32);
                let state = State { tokens, out_first, out_rows, ..sequence.state() };
                let which = sequence.body();
                let run = Run {
                    state,
                    tokens: &[],
                    which,
                    body: Body::Nothing,
                    head: true,
                    choose: Choose::None,
                    steps: 1,
                };
                self.executor.run(&run, None)?;
                rows.extend(self.read_rows(logits, count).await?);
                row += count;
            }
        }
        for &id in decode {
            self.feed(sequence, &[id])?;
            rows.extend(self.read_rows(logits, 1).await?);
        }
        Ok(rows)
    }

    async fn read_rows(&mut self, view: View, rows: usize) -> Result<Vec<Vec<f32>>, Error> {
        let mut flat = Vec::new();
        self.executor.read(view, rows, &mut flat).await?;
        Ok(flat.chunks_exact(view.cols).map(<[f32]>::to_vec).collect())
    }

    fn encode(&mut self, texts: &[&[u32]]) -> Result<(), Error> {
        let mut sequences: Vec<Sequence> = texts.iter().map(|_| self.begin()).collect();
        let mut borrowed: Vec<&mut Sequence> = sequences.iter_mut().collect();
        let result = self.run(&mut borrowed, texts, Outputs::Last, 1);
        for sequence in sequences {
            self.end(sequence);
        }
        result.map(|_| ())
    }
}
