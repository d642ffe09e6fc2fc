//! The steps of a plan, a folder each: what a step computes, its constants, its shaders for WebGPU and WebGL2, its twin on
//! the CPU, and how it is dispatched and drawn. What several of them share is in `shared`. A new step is a folder, and a
//! line below.

mod shared;

pub use linear::Sum;
use shared::Kernel;
pub use shared::{
    COMMAND_WORDS, CommandError, Cpu, RemoteShards, Scratch, ShardCommand, ShardStore, vec_bytes,
    working_bytes,
};

use crate::plan::{Layout, View, WeightId};
use crate::shaders::{Batch, Choice, Class, Dispatch, Dispatches, Tuning, Variant};
#[cfg(feature = "webgl2")]
use crate::shaders::{DrawCall, Draws};

/// The steps: folder and type.
macro_rules! steps {
    ($($folder:ident: $step:ident,)*) => {
        $(mod $folder;)*
        $(pub use $folder::$step;)*

        /// One step.
        #[derive(Debug, Clone)]
        #[allow(missing_docs)]
        pub enum Step {
            $($step($step),)*
        }

        impl Step {
            /// The name of its folder.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Step::$step(_) => stringify!($folder),)*
                }
            }

            /// Largest accepted distance of a device from the CPU, after this step alone.
            pub fn nmse_max(&self) -> f64 {
                match self {
                    $(Step::$step(_) => $step::NMSE_MAX,)*
                }
            }

            /// The matrix that it multiplies with, whole.
            pub fn weight(&self) -> Option<WeightId> {
                match self {
                    $(Step::$step(step) => step.weight(),)*
                }
            }

            fn dispatch(&self, to: &mut Dispatches) {
                match self {
                    $(Step::$step(step) => step.dispatch(to),)*
                }
            }

            #[cfg(feature = "webgl2")]
            fn draw(&self, to: &mut Draws) {
                match self {
                    $(Step::$step(step) => step.draw(to),)*
                }
            }

            /// What it sends to one other thread and gets back, for slices of so many tokens.
            pub fn sent_bytes(&self, layout: &Layout, slice: usize) -> usize {
                match self {
                    $(Step::$step(step) => step.sent_bytes(layout, slice),)*
                }
            }

            /// Runs it on the CPU.
            pub fn run(&self, cpu: &mut Cpu) {
                match self {
                    $(Step::$step(step) => step.run(cpu),)*
                }
            }
        }

        /// Steps to test on random values. `rows` makes a view with a row of so many values for every token.
        pub fn examples(rows: &mut dyn FnMut(usize) -> View) -> Vec<Step> {
            let mut all = Vec::new();
            $(all.extend($step::examples(rows).into_iter().map(Step::$step));)*
            all
        }

        /// What can be chosen, with all else as it is.
        pub fn choices(tuning: &Tuning) -> Vec<Choice> {
            let mut all = Vec::new();
            $(all.extend($step::choices(tuning));)*
            all
        }

        /// The names of all steps.
        pub const STEPS: &[&str] = &[$(stringify!($folder)),*];

        /// Every shader that any model can ask for on WebGPU, once.
        pub fn variants() -> Vec<Variant> {
            let mut all = Vec::new();
            $(all.extend($step::variants());)*
            all
        }
    };
}

steps! {
    embed_rows: EmbedRows,
    norm_rows: NormRows,
    linear: Linear,
    rope_store: RopeStore,
    attend: Attend,
    conv: Conv,
    mamba2_scan: Mamba2Scan,
    delta_scan: DeltaScan,
    gated_norm: GatedNorm,
    route: Route,
    experts_sort: ExpertsSort,
    experts_up: ExpertsUp,
    experts_down: ExpertsDown,
    scale_rows: ScaleRows,
    clear_rows: ClearRows,
    gate_rows: GateRows,
    pool_rows: PoolRows,
    chunk_tops: ChunkTops,
    pick_top: PickTop,
    shortlist: Shortlist,
    sample: Sample,
}

/// Every shape that can be chosen, once.
pub fn shapes() -> Vec<Tuning> {
    let mut all = Vec::new();
    let mut pending = Class::ALL.map(Tuning::of).to_vec();
    while let Some(tuning) = pending.pop() {
        if all.contains(&tuning) {
            continue;
        }
        all.push(tuning);
        pending.extend(choices(&tuning).into_iter().flat_map(|choice| choice.shapes));
    }
    all
}

/// The dispatches of a list of steps on WebGPU.
pub fn dispatches(layout: &Layout, steps: &[Step], batch: Batch, tuning: &Tuning) -> Vec<Dispatch> {
    let mut to = Dispatches { layout, batch, tuning, list: Vec::new() };
    steps.iter().for_each(|step| step.dispatch(&mut to));
    to.list
}

/// The draw calls of a list of steps on WebGL2.
#[cfg(feature = "webgl2")]
pub fn draws(layout: &Layout, steps: &[Step]) -> Vec<DrawCall> {
    let mut to = Draws { layout, list: Vec::new() };
    steps.iter().for_each(|step| step.draw(&mut to));
    to.list
}
