//! Several texts at once, each of which has a prompt of its own.

use super::{Composed, Run, Running, Task, WriteError, Writer, sentences};
use crate::runtime::{Generation, Turn};

/// One of them.
struct Side {
    said: String,
    /// `None` once it has ended.
    running: Option<Running>,
    run: Run,
}

impl Writer<'_> {
    /// Writes several texts side by side, each as [`Writer::compose`] writes it alone, on a GPU up to rounding; there their steps are
    /// taken together. `ended` is called when one has ended. `turn` and `now_ms` are as in [`Writer::rewrite`].
    ///
    /// # Errors
    /// What the template, the tokenizer and the model report, `Stopped`.
    pub async fn compose_all(
        &mut self,
        tasks: &[Task<'_>],
        ended: &mut dyn FnMut(),
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Vec<Composed>, WriteError> {
        let mut sides = Vec::with_capacity(tasks.len());
        let result = match self.begin_all(tasks, &mut sides) {
            Ok(()) => self.generate_all(tasks, &mut sides, ended, (now_ms, turn)).await,
            Err(error) => Err(error),
        };
        for side in &mut sides {
            side.end(self);
        }
        result?;
        Ok(tasks.iter().zip(&sides).map(|(task, side)| Composed::new(&side.said, task, side.run)).collect())
    }

    fn begin_all(&mut self, tasks: &[Task<'_>], sides: &mut Vec<Side>) -> Result<(), WriteError> {
        for task in tasks {
            let (prompt, options) = (self.prompt(task.messages)?, self.options(task));
            let mut said = String::new();
            let running = self.begin(&prompt, options, &mut |text| goes_on(&mut said, text, task))?;
            sides.push(Side { said, running: Some(running), run: Run::default() });
        }
        Ok(())
    }

    async fn generate_all<Now: Fn() -> f64, Next: AsyncFn() -> bool>(
        &mut self,
        tasks: &[Task<'_>],
        sides: &mut [Side],
        ended: &mut dyn FnMut(),
        (now_ms, turn): (&Now, &Next),
    ) -> Result<(), WriteError> {
        let mut turns: Vec<Turn> = Vec::new();
        loop {
            if !turn().await {
                return Err(WriteError::Stopped);
            }
            for side in sides.iter_mut().filter(|side| side.has_no_generation()) {
                side.end(self);
                ended();
            }
            let running = sides.iter_mut().filter_map(|side| side.running.as_mut());
            let mut all: Vec<&mut Generation> =
                running.filter_map(|running| running.generation.as_mut()).collect();
            if all.is_empty() {
                return Ok(());
            }
            Generation::step_all(self.model, &mut all, now_ms, &mut turns).await;
            let going = sides.iter_mut().zip(tasks).filter(|(side, _)| side.running.is_some());
            for ((side, task), Turn { chosen, event }) in going.zip(turns.drain(..)) {
                let (Some(event), Some(running)) = (event, &mut side.running) else { continue };
                let said = &mut side.said;
                if self.take(running, (event?, &chosen), &mut |text| goes_on(said, text, task)) {
                    side.end(self);
                    ended();
                }
            }
        }
    }
}

impl Side {
    /// Its text was in the transcript.
    fn has_no_generation(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.generation.is_none())
    }

    /// Gives its pages to the others.
    fn end(&mut self, writer: &mut Writer<'_>) {
        if let Some(running) = self.running.take() {
            self.run = running.end(writer.model);
        }
    }
}

/// Whether a text goes on: until it has more sentences than are wanted.
fn goes_on(said: &mut String, text: &str, task: &Task<'_>) -> bool {
    text.clone_into(said);
    sentences(text, task.language).len() <= task.sentences_max
}
