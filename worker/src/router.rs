//! Texts are generated side by side, a piece of each in a round. Other jobs that need a model run one at a time between two
//! rounds, loads and what needs no model beside them; every request gets exactly one `done` or `failed`.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use futures_util::lock::Mutex;
use gloo::timers::callback::Timeout;
use pith_engine::runtime::Probe;
use wasm_bindgen_futures::spawn_local;
use web_sys::Blob;

use crate::browser::{Pace, heap_bytes};
use crate::download::set_stall_ms;
use crate::error::WorkerError;
use crate::fit::{Wanted, allow_bytes, judge};
use crate::generate::{self, Active, Order};
use crate::job::{End, Job, Manner, Turn, Uses, Work};
use crate::kept_prompts::{Keeper, allow, used_bytes};
use crate::load::{Access, load};
use crate::open_files::OpenFiles;
use crate::origin::Origin;
use crate::protocol::{
    BackendChoice, BackendInfo, Event, LoraUse, ModelInfo, Outcome, Settings, Stage, StoreInfo, Verdict,
};
use crate::residency::Residency;
use crate::store::{choose_store, shelf};
use crate::threads::set_threads;
use crate::ticket::{Ticket, post};
use crate::tune::{IdleTuning, want_tuning};
use crate::wish::Wish;

/// The worker's whole state. Jobs own the residency in turn; loads take it for moments, because their files may have to
/// arrive first; the rest answers at once.
#[derive(Default)]
pub struct Router {
    open: RefCell<BTreeMap<u32, Rc<Ticket>>>,
    waiting: RefCell<VecDeque<Job>>,
    running: Cell<bool>,
    /// True while a job has its turn.
    is_in_turn: Cell<bool>,
    /// Models that are being loaded. What is asked of them waits.
    loading: RefCell<BTreeSet<String>>,
    residency: Mutex<Residency>,
    /// What `status` says while a job has the residency.
    shown: RefCell<(Vec<ModelInfo>, Option<BackendInfo>)>,
    idle_ms: Cell<u32>,
    /// Takes idle models out of memory. A new one replaces and ends it.
    idle_timer: RefCell<Option<Timeout>>,
}

impl Router {
    /// With nothing loaded.
    pub fn new() -> Rc<Self> {
        Rc::default()
    }

    /// Opens a request. An open one keeps its id: a second of that id fails here.
    pub fn open(&self, id: u32) -> Option<Rc<Ticket>> {
        if self.open.borrow().contains_key(&id) {
            post(id, Event::Failed { error: WorkerError::DuplicateId { id }.failure() });
            return None;
        }
        let ticket = Rc::new(Ticket::new(id));
        self.open.borrow_mut().insert(id, Rc::clone(&ticket));
        Some(ticket)
    }

    /// Runs what needs no loaded model, beside the queue.
    pub fn beside(
        self: &Rc<Self>,
        ticket: Rc<Ticket>,
        work: impl AsyncFnOnce(&Self, &Ticket) -> End + 'static,
    ) {
        let router = Rc::clone(self);
        spawn_local(async move {
            let result = work(&router, &ticket).await;
            router.finish(ticket.id, result);
        });
    }

    /// Queues a job that works with the models.
    pub fn turn(
        self: &Rc<Self>,
        ticket: Rc<Ticket>,
        (uses, manner): (Uses, Manner),
        work: impl AsyncFnOnce(&mut Residency, &Ticket) -> End + 'static,
    ) {
        let turn: Box<Turn> =
            Box::new(move |residency, ticket| Box::pin(async move { work(residency, ticket).await }));
        self.enqueue(Job { ticket, uses, work: Work::Turn(manner, turn) });
    }

    /// Queues a text that is to be generated.
    pub fn generate(
        self: &Rc<Self>,
        ticket: Rc<Ticket>,
        (model, lora): (String, Option<LoraUse>),
        order: Order,
    ) {
        match generate::check(&order) {
            Ok(()) => {
                let work = Work::Generation(lora, Box::new(order));
                self.enqueue(Job { ticket, uses: Uses::Model(model), work });
            }
            Err(error) => self.finish(ticket.id, Err(error)),
        }
    }

    /// Queues the load of a model.
    pub fn load(self: &Rc<Self>, ticket: Rc<Ticket>, wish: Wish, files: Vec<Blob>) {
        let uses = Uses::Model(wish.name.clone());
        self.enqueue(Job { ticket, uses, work: Work::Load(wish, files) });
    }

    fn enqueue(self: &Rc<Self>, job: Job) {
        let is_loading = job.uses_any(&self.loading.borrow());
        let busy = u64::from(self.is_in_turn.get()) + u64::from(is_loading);
        let ahead = self.waiting.borrow().len() as u64 + busy;
        if ahead > 0 {
            job.ticket.progress(Stage::Queue, 0, ahead);
        }
        self.waiting.borrow_mut().push_back(job);
        self.go_on();
    }

    /// Runs what waits, unless that is under way.
    fn go_on(self: &Rc<Self>) {
        if !self.running.replace(true) {
            spawn_local(Rc::clone(self).run());
        }
    }

    /// The first job that waits for nothing: neither for a model to be loaded nor for texts to end.
    fn next(&self, active: &[Active]) -> Option<Job> {
        let mut waiting = self.waiting.borrow_mut();
        let loading = self.loading.borrow();
        // Models that earlier jobs wait for.
        let mut held: Vec<&String> = Vec::new();
        let mut found = None;
        for (at, job) in waiting.iter().enumerate() {
            let (waits, holds) = job.waits_for(active);
            if let Uses::Model(name) = &job.uses {
                let is_held = held.contains(&name) || loading.contains(name);
                if waits && holds {
                    held.push(name);
                }
                if waits || is_held {
                    continue;
                }
            }
            found = Some(at);
            break;
        }
        waiting.remove(found?)
    }

    /// Runs jobs and rounds in turn until there are none.
    async fn run(self: Rc<Self>) {
        let mut active: Vec<Active> = Vec::new();
        let (pace, mut keeper, mut tuning) = (Pace::new(), Keeper::default(), IdleTuning::default());
        loop {
            match self.next(&active) {
                Some(job) => self.run_job(job, &mut active).await,
                None if active.is_empty() => {
                    let mut residency = self.residency.lock().await;
                    // What a load does at the same time would be measured with it.
                    let may_tune = self.loading.borrow().is_empty();
                    let has_more =
                        keeper.step(&mut residency).await || may_tune && tuning.step(&mut residency).await;
                    if !has_more {
                        break;
                    }
                    drop(residency);
                    self.wait_for_idleness();
                    pace.breathe().await;
                }
                None => {}
            }
            if !active.is_empty() {
                self.run_round(&mut active).await;
                pace.breathe().await;
            }
        }
        self.running.set(false);
    }

    async fn run_job(self: &Rc<Self>, Job { ticket, uses, work }: Job, active: &mut Vec<Active>) {
        let (manner, work) = match work {
            Work::Load(wish, files) => {
                self.loading.borrow_mut().insert(wish.name.clone());
                return spawn_local(Rc::clone(self).run_load(wish, files, ticket));
            }
            Work::Generation(lora, order) => {
                ticket.post(Event::Begun);
                ticket.begin_text();
                let Uses::Model(model) = uses else { return };
                return active.push(Active::new(ticket, model, lora, *order));
            }
            Work::Turn(manner, work) => (manner, work),
        };
        self.is_in_turn.set(true);
        let result = match ticket.unless_cancelled(self.residency.lock()).await {
            Ok(mut residency) => {
                if manner == Manner::Instead {
                    generate::pause(&mut residency, active).await;
                }
                ticket.post(Event::Begun);
                let result = match ticket.checkpoint().await {
                    Ok(()) => work(&mut residency, &ticket).await,
                    Err(error) => Err(error),
                };
                self.show(&residency);
                result
            }
            Err(error) => Err(error),
        };
        self.is_in_turn.set(false);
        self.finish(ticket.id, result);
        if !matches!(uses, Uses::Nothing) {
            self.wait_for_idleness();
        }
    }

    /// The next piece of work of every text. One whose model is not in memory waits for those of other models: there may not be
    /// room for both.
    async fn run_round(self: &Rc<Self>, active: &mut Vec<Active>) {
        let mut residency = self.residency.lock().await;
        let mut names: Vec<String> = Vec::new();
        for one in &*active {
            if !names.contains(&one.model) {
                names.push(one.model.clone());
            }
        }
        for name in &names {
            let is_there = |name: &String| residency.absent(name).is_none();
            if !is_there(name) && names.iter().any(is_there) {
                continue;
            }
            let mut texts = active.extract_if(.., |one| one.model == *name).collect();
            let ended = generate::round(&mut residency, name, &mut texts).await;
            active.append(&mut texts);
            if !ended.is_empty() {
                self.show(&residency);
                self.wait_for_idleness();
            }
            for (ticket, end) in ended {
                self.finish(ticket.id, end);
            }
        }
    }

    async fn run_load(self: Rc<Self>, wish: Wish, files: Vec<Blob>, ticket: Rc<Ticket>) {
        let name = wish.name.clone();
        let result = self.load_unless_same(wish, files, &ticket).await;
        self.loading.borrow_mut().remove(&name);
        self.finish(ticket.id, result);
        self.wait_for_idleness();
        self.go_on();
    }

    async fn load_unless_same(&self, wish: Wish, files: Vec<Blob>, ticket: &Ticket) -> End {
        ticket.checkpoint().await?;
        let residency = ticket.unless_cancelled(self.residency.lock()).await?;
        let same = residency.same(&wish).map(|resident| resident.info.clone());
        drop(residency);
        if let Some(model) = same {
            return Ok(Outcome::Loaded { model });
        }
        let origin = Origin::find(&wish.source, files, ticket).await?;
        let model = load(&mut Access::Shared(&self.residency), wish, origin, ticket).await;
        // A job that has the residency shows it at its end.
        let residency = match self.residency.try_lock() {
            Some(residency) => Some(residency),
            None => ticket.unless_cancelled(self.residency.lock()).await.ok(),
        };
        if let Some(residency) = residency {
            self.show(&residency);
        }
        model.map(|model| Outcome::Loaded { model })
    }

    fn show(&self, residency: &Residency) {
        self.shown.replace((residency.infos(), residency.devices.automatic()));
    }

    /// Which backend runs and why, what is loaded, what is stored.
    ///
    /// # Errors
    /// `Storage`.
    pub async fn status(&self) -> End {
        let shelf = shelf().await?;
        let (models, backend) = self.shown.borrow().clone();
        let (stored, unknown) = (shelf.models().await?, shelf.unknown().await?);
        let store = StoreInfo { prompt_bytes: used_bytes().await, ..shelf.info().await };
        let wasm_heap_bytes = heap_bytes();
        Ok(Outcome::Status { models, stored, unknown, store, wasm_heap_bytes, backend })
    }

    /// Whether a model fits beside those that are loaded. The header of one that does not fit is not kept.
    ///
    /// # Errors
    /// What the file, the device or the store refuse.
    pub async fn fit(
        &self,
        files: OpenFiles,
        backend: BackendChoice,
        wanted: Wanted,
        ticket: &Ticket,
    ) -> End {
        let mut residency = ticket.unless_cancelled(self.residency.lock()).await?;
        let probe = Probe::like(&files.header, wanted.cache);
        let chosen = residency.devices.choose(backend, &probe, ticket).await?;
        let used_bytes = residency.used_bytes(chosen.device.info().kind);
        let fit = judge(&files, &chosen, wanted, used_bytes).await?;
        drop(residency);
        if matches!(fit.verdict, Verdict::TooLarge | Verdict::NoRoom) {
            files.refuse().await;
        }
        Ok(Outcome::Fit { fit })
    }

    /// Changes how the worker behaves.
    pub fn configure(self: &Rc<Self>, settings: &Settings) {
        let Settings { store, idle_ms, memory_bytes, stall_ms, threads, prompt_bytes, tune } = settings;
        store.map(choose_store);
        memory_bytes.map(allow_bytes);
        stall_ms.map(set_stall_ms);
        threads.map(set_threads);
        tune.map(want_tuning);
        if let Some(bytes) = *prompt_bytes {
            spawn_local(allow(bytes));
        }
        if let Some(ms) = idle_ms {
            self.idle_ms.set(*ms);
            self.wait_for_idleness();
        }
    }

    /// Models leave the memory when none is used from now on, for as long as the page said.
    fn wait_for_idleness(self: &Rc<Self>) {
        // A browser takes a longer time for none.
        let ms = self.idle_ms.get().min(i32::MAX as u32);
        let router = Rc::downgrade(self);
        let rest = move || {
            let Some(router) = router.upgrade() else { return };
            let is_busy = router.running.get() || !router.loading.borrow().is_empty();
            if let Some(mut residency) = router.residency.try_lock().filter(|_| !is_busy) {
                residency.rest_all();
                router.show(&residency);
            }
        };
        self.idle_timer.replace((ms > 0).then(|| Timeout::new(ms, rest)));
    }

    /// Ends another request. One that waits fails at once, and so does a text, whatever has the models at that time; another one that
    /// runs notices between two slices of work.
    pub fn cancel(&self, target: u32) {
        let at = self.waiting.borrow().iter().position(|job| job.ticket.id == target);
        let job = at.and_then(|at| self.waiting.borrow_mut().remove(at));
        if let Some(job) = job {
            return self.finish(job.ticket.id, Err(WorkerError::Cancelled));
        }
        let Some(ticket) = self.open.borrow().get(&target).cloned() else { return };
        ticket.cancel();
        if ticket.is_text() {
            self.finish(target, Err(WorkerError::Cancelled));
        }
    }

    /// Holds the network traffic of another request.
    pub fn pause(&self, target: u32) {
        if let Some(ticket) = self.open.borrow().get(&target) {
            ticket.pause();
        }
    }

    /// Goes on with what [`Self::pause`] held.
    pub fn resume(&self, target: u32) {
        if let Some(ticket) = self.open.borrow().get(&target) {
            ticket.resume();
        }
    }

    /// Posts the one end of a request.
    pub fn finish(&self, id: u32, result: End) {
        if self.open.borrow_mut().remove(&id).is_none() {
            return;
        }
        post(
            id,
            match result {
                Ok(result) => Event::Done { result },
                Err(error) => Event::Failed { error: error.failure() },
            },
        );
    }
}
