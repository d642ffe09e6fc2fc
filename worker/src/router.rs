//! Messages in, jobs one at a time, exactly one `done` or `failed` out for each.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use futures_util::lock::Mutex;
use gloo::timers::callback::Timeout;
use pith_engine::tokenizer::EncodeOptions;
use wasm_bindgen_futures::spawn_local;
use web_sys::Blob;

use crate::blocks::{Blocks, open_page};
use crate::browser::{heap_bytes, now_ms};
use crate::download::set_stall_ms;
use crate::error::WorkerError;
use crate::fit::{Wanted, allow_bytes, judge};
use crate::generate::{Order, generate};
use crate::load::{Access, Wish, load};
use crate::lora::{LoraWish, attach};
use crate::origin::Origin;
use crate::protocol::{
    BackendInfo, Event, Floats, ModelInfo, Outcome, Request, Settings, Stage, Template, Verdict,
};
use crate::residency::{EMBEDDING, Residency};
use crate::store::{choose_store, shelf};
use crate::ticket::{Ticket, post};
use crate::verify::verify;
use crate::{ask, embed, evaluate, keep, summarize, template};

/// What travels beside a request.
pub struct Attached {
    /// Local files.
    pub files: Vec<Blob>,
    /// Of a page.
    pub blocks: Blocks,
}

/// A request that waits for its turn.
struct Job {
    ticket: Rc<Ticket>,
    request: Request,
    attached: Attached,
}

impl Job {
    /// The model that it is about.
    fn model(&self) -> Option<&str> {
        match &self.request {
            Request::Load { name, .. } | Request::Unload { name } => Some(name),
            Request::LoadLora { model, .. }
            | Request::Embed { model, .. }
            | Request::Tokenize { model, .. }
            | Request::Detokenize { model, .. }
            | Request::Generate { model, .. }
            | Request::Evaluate { model, .. }
            | Request::ApplyTemplate { template: Template::Model { model }, .. } => Some(model),
            Request::Summarize { .. } | Request::Ask { .. } => Some(EMBEDDING),
            _ => None,
        }
    }
}

/// The worker's whole state. Jobs own the residency in turn; loads take it for moments, because their files may have to
/// arrive first; the rest answers at once.
#[derive(Default)]
pub struct Router {
    open: RefCell<BTreeMap<u32, Rc<Ticket>>>,
    waiting: RefCell<VecDeque<Job>>,
    running: Cell<bool>,
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

    /// Takes a request. What needs no model is begun now, the others queue up.
    pub fn receive(self: &Rc<Self>, id: u32, request: Request, attached: Attached) {
        if self.open.borrow().contains_key(&id) {
            return post(id, Event::Failed { error: WorkerError::DuplicateId { id }.failure() });
        }
        let ticket = Rc::new(Ticket::new(id));
        self.open.borrow_mut().insert(id, Rc::clone(&ticket));
        let told = |tell: fn(&Ticket), target: u32| {
            if let Some(ticket) = self.open.borrow().get(&target) {
                tell(ticket);
            }
            Ok(Outcome::Ok)
        };
        match request {
            Request::Cancel { target } => {
                self.cancel(target);
                self.finish(id, Ok(Outcome::Ok));
            }
            Request::Ping => self.finish(id, Ok(Outcome::Ok)),
            Request::Pause { target } => self.finish(id, told(Ticket::pause, target)),
            Request::Resume { target } => self.finish(id, told(Ticket::resume, target)),
            Request::Configure { settings } => {
                self.configure(&settings);
                self.finish(id, Ok(Outcome::Ok));
            }
            Request::Status
            | Request::Fit { .. }
            | Request::Download { .. }
            | Request::Verify { .. }
            | Request::Pin { .. }
            | Request::Export { .. }
            | Request::Delete { .. } => {
                let router = Rc::clone(self);
                spawn_local(async move {
                    let result = router.aside(request, attached.files, &ticket).await;
                    router.finish(id, result);
                });
            }
            request => self.enqueue(Job { ticket, request, attached }),
        }
    }

    fn enqueue(self: &Rc<Self>, job: Job) {
        let is_loading = job.model().is_some_and(|model| self.loading.borrow().contains(model));
        let busy = u64::from(self.running.get()) + u64::from(is_loading);
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
            spawn_local(Rc::clone(self).work());
        }
    }

    /// The first job that does not wait for a model to be loaded.
    fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting.borrow_mut();
        let loading = self.loading.borrow();
        let at = waiting.iter().position(|job| job.model().is_none_or(|model| !loading.contains(model)))?;
        waiting.remove(at)
    }

    /// Runs jobs until none can be run.
    async fn work(self: Rc<Self>) {
        while let Some(job) = self.next() {
            let Job { ticket, request, attached } = job;
            if let Request::Load { name, source, backend, context_tokens, cache_type, force } = request {
                let wish = Wish { name, source, backend, context_tokens, cache_type, force };
                self.loading.borrow_mut().insert(wish.name.clone());
                spawn_local(Rc::clone(&self).load(wish, attached.files, ticket));
                continue;
            }
            let mut residency = self.residency.lock().await;
            let is_use = !matches!(request, Request::Memory);
            ticket.post(Event::Begun);
            let result = run(&mut residency, request, attached, &ticket).await;
            self.show(&residency);
            drop(residency);
            self.finish(ticket.id, result);
            if is_use {
                self.wait_for_idleness();
            }
        }
        self.running.set(false);
    }

    async fn load(self: Rc<Self>, wish: Wish, files: Vec<Blob>, ticket: Rc<Ticket>) {
        let name = wish.name.clone();
        let result = self.load_unless_same(wish, files, &ticket).await;
        self.loading.borrow_mut().remove(&name);
        self.finish(ticket.id, result);
        self.wait_for_idleness();
        self.go_on();
    }

    async fn load_unless_same(
        &self,
        wish: Wish,
        files: Vec<Blob>,
        ticket: &Ticket,
    ) -> Result<Outcome, WorkerError> {
        ticket.checkpoint().await?;
        let same = self.residency.lock().await.same(&wish).map(|resident| resident.info.clone());
        if let Some(model) = same {
            return Ok(Outcome::Loaded { model });
        }
        let origin = Origin::find(&wish.source, files, ticket).await?;
        let model = load(&mut Access::Shared(&self.residency), wish, origin, ticket).await;
        self.show(&*self.residency.lock().await);
        model.map(|model| Outcome::Loaded { model })
    }

    fn show(&self, residency: &Residency) {
        self.shown.replace((residency.infos(), residency.devices.automatic()));
    }

    fn configure(self: &Rc<Self>, settings: &Settings) {
        let Settings { store, idle_ms, memory_bytes, stall_ms } = settings;
        store.map(choose_store);
        memory_bytes.map(allow_bytes);
        stall_ms.map(set_stall_ms);
        if let Some(ms) = idle_ms {
            self.idle_ms.set(*ms);
            self.wait_for_idleness();
        }
    }

    /// Models leave the memory when none is used from now on, for as long as the page said.
    fn wait_for_idleness(self: &Rc<Self>) {
        let ms = self.idle_ms.get();
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

    /// A request that waits fails at once; one that runs notices between two slices of work.
    fn cancel(&self, target: u32) {
        let at = self.waiting.borrow().iter().position(|job| job.ticket.id == target);
        let job = at.and_then(|at| self.waiting.borrow_mut().remove(at));
        if let Some(job) = job {
            return self.finish(job.ticket.id, Err(WorkerError::Cancelled));
        }
        if let Some(ticket) = self.open.borrow().get(&target) {
            ticket.cancel();
        }
    }

    /// Posts the one end of a request.
    fn finish(&self, id: u32, result: Result<Outcome, WorkerError>) {
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

    /// Requests that need no model: they run beside those that do.
    async fn aside(
        &self,
        request: Request,
        files: Vec<Blob>,
        ticket: &Ticket,
    ) -> Result<Outcome, WorkerError> {
        match request {
            Request::Status => {
                let shelf = shelf().await?;
                let (models, backend) = self.shown.borrow().clone();
                let (stored, unknown) = (shelf.models().await?, shelf.unknown().await?);
                let (store, wasm_heap_bytes) = (shelf.info().await, heap_bytes());
                Ok(Outcome::Status { models, stored, unknown, store, wasm_heap_bytes, backend })
            }
            Request::Fit { source, backend, context_tokens, cache_type } => {
                let files = Origin::find(&source, files, ticket).await?.open(ticket).await?;
                let mut residency = self.residency.lock().await;
                let chosen = residency.devices.choose(backend).await?;
                let used_bytes = residency.used_bytes(chosen.device.info().kind);
                let wanted =
                    Wanted { context_tokens: context_tokens.map(|n| n as usize), cache: cache_type.into() };
                let fit = judge(&files, &chosen, wanted, used_bytes).await?;
                drop(residency);
                if matches!(fit.verdict, Verdict::TooLarge | Verdict::NoRoom) {
                    files.refuse().await;
                }
                Ok(Outcome::Fit { fit })
            }
            Request::Download { source } => {
                keep::store(&source, files, ticket).await.map(|model| Outcome::Stored { model })
            }
            Request::Verify { name, repair } => verify(&name, repair, ticket).await,
            Request::Pin { name, pinned } => {
                shelf().await?.note(&name, |record| record.pinned = pinned).await.map(|()| Outcome::Ok)
            }
            Request::Export { name } => keep::export(&name).await,
            Request::Delete { name } => shelf().await?.delete(&name).await.map(|()| Outcome::Ok),
            _ => Err(WorkerError::Internal { why: "answered beside the queue".into() }),
        }
    }
}

/// One short arm per request.
async fn run(
    residency: &mut Residency,
    request: Request,
    Attached { files, blocks }: Attached,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    ticket.checkpoint().await?;
    match request {
        Request::LoadLora { model, name, source } => {
            let wish = LoraWish { name, source };
            let resident = residency.model(&model, None, ticket).await?;
            if resident.has_lora(&wish) {
                return Ok(Outcome::Loaded { model: resident.info.clone() });
            }
            let origin = Origin::find(&wish.source, files, ticket).await?;
            attach(residency, &model, wish, origin, ticket).await.map(|model| Outcome::Loaded { model })
        }
        Request::Unload { name } => match residency.remove(&name) {
            true => Ok(Outcome::Ok),
            false => Err(WorkerError::ModelNotLoaded { name }),
        },
        Request::Memory => Ok(Outcome::Memory { report: residency.memory() }),
        Request::Embed { model, texts, lora } => {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let resident = residency.model(&model, lora.as_ref(), ticket).await?;
            let vectors = embed::embed(resident, &texts, ticket).await?;
            Ok(Outcome::Vectors { vectors: vectors.into_iter().map(Floats).collect() })
        }
        Request::Tokenize { model, text, add_special, parse_special } => {
            let resident = residency.model(&model, None, ticket).await?;
            let options = EncodeOptions { add_special, parse_special };
            embed::tokenize(resident, &text, options).map(|ids| Outcome::Ids { ids })
        }
        Request::Detokenize { model, ids, special } => {
            let resident = residency.model(&model, None, ticket).await?;
            embed::detokenize(resident, &ids, special).map(|text| Outcome::Plain { text })
        }
        Request::ApplyTemplate { template, messages, variables, now } => {
            let text = template::apply(residency, &template, messages, variables, now, ticket).await?;
            Ok(Outcome::Plain { text })
        }
        Request::Generate {
            model,
            prompt,
            sampling,
            max_tokens,
            stop,
            overflow,
            prompt_lookup,
            logprobs,
            lora,
        } => {
            let order = Order { prompt, sampling, max_tokens, stop, overflow, prompt_lookup, logprobs };
            generate(residency.model(&model, lora.as_ref(), ticket).await?, order, ticket).await
        }
        Request::Evaluate { model, ids, first, decode, lora } => {
            let resident = residency.model(&model, lora.as_ref(), ticket).await?;
            evaluate::evaluate(resident, &ids, first, &decode).await
        }
        Request::Summarize { page, options } => {
            let start_ms = now_ms();
            let page = open_page(&mut residency.pages, page, &blocks, ticket).await?;
            summarize::summarize(residency, page, &options, start_ms, ticket).await
        }
        Request::Ask { page, question, limit } => {
            ask::check(&question)?;
            let start_ms = now_ms();
            let page = open_page(&mut residency.pages, page, &blocks, ticket).await?;
            ask::ask(residency, page, (&question, limit), start_ms, ticket).await
        }
        _ => Err(WorkerError::Internal { why: "answered outside the queue".into() }),
    }
}
