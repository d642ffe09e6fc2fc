//! Messages in, jobs one at a time, exactly one `done` or `failed` out for each.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use pith_engine::tokenizer::EncodeOptions;
use wasm_bindgen_futures::spawn_local;
use web_sys::Blob;

use crate::adapter::{AdapterWish, attach};
use crate::browser::heap_bytes;
use crate::error::WorkerError;
use crate::generate::{Order, generate};
use crate::load::{Wish, load};
use crate::origin::Origin;
use crate::protocol::{BackendInfo, Event, Floats, ModelInfo, Outcome, Request, Stage};
use crate::residency::Residency;
use crate::store::Store;
use crate::ticket::{Ticket, post};
use crate::{ask, embed, evaluate, summarize, template};

/// A request that waits for its turn.
struct Job {
    ticket: Rc<Ticket>,
    request: Request,
    files: Vec<Blob>,
}

/// The worker's whole state. Jobs own the residency in turn; the rest answers at once.
#[derive(Default)]
pub struct Router {
    open: RefCell<BTreeMap<u32, Rc<Ticket>>>,
    waiting: RefCell<VecDeque<Job>>,
    running: Cell<bool>,
    residency: RefCell<Option<Residency>>,
    /// What `status` says while a job has the residency.
    shown: RefCell<(Vec<ModelInfo>, Option<BackendInfo>)>,
}

impl Router {
    /// With nothing loaded.
    pub fn new() -> Rc<Self> {
        let router = Router::default();
        router.residency.replace(Some(Residency::default()));
        Rc::new(router)
    }

    /// Takes a request. `status` and `cancel` are answered now, the others queue up.
    pub fn receive(self: &Rc<Self>, id: u32, request: Request, files: Vec<Blob>) {
        if self.open.borrow().contains_key(&id) {
            return post(id, Event::Failed { error: WorkerError::DuplicateId { id }.failure() });
        }
        let ticket = Rc::new(Ticket::new(id));
        self.open.borrow_mut().insert(id, Rc::clone(&ticket));
        match request {
            Request::Status => spawn_local({
                let router = Rc::clone(self);
                async move { router.finish(id, router.status().await) }
            }),
            Request::Cancel { target } => {
                self.cancel(target);
                self.finish(id, Ok(Outcome::Ok));
            }
            request => self.enqueue(Job { ticket, request, files }),
        }
    }

    fn enqueue(self: &Rc<Self>, job: Job) {
        let ahead = self.waiting.borrow().len() as u64 + u64::from(self.running.get());
        if ahead > 0 {
            job.ticket.progress(Stage::Queue, 0, ahead);
        }
        self.waiting.borrow_mut().push_back(job);
        if !self.running.replace(true) {
            spawn_local(Rc::clone(self).work());
        }
    }

    /// Runs jobs until none waits.
    async fn work(self: Rc<Self>) {
        // `running` makes this the only one that takes it.
        let mut residency = self.residency.take().unwrap_or_default();
        loop {
            let Some(job) = self.waiting.borrow_mut().pop_front() else { break };
            let Job { ticket, request, files } = job;
            let result = run(&mut residency, request, files, &ticket).await;
            self.shown.replace((residency.infos(), residency.devices.automatic()));
            self.finish(ticket.id, result);
        }
        self.residency.replace(Some(residency));
        self.running.set(false);
    }

    /// A request that waits fails at once; one that runs notices between two slices of work.
    fn cancel(&self, target: u32) {
        let at = self.waiting.borrow().iter().position(|job| job.ticket.id == target);
        if let Some(at) = at {
            self.waiting.borrow_mut().remove(at);
            return self.finish(target, Err(WorkerError::Cancelled));
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

    /// Ends every open request: the worker is about to die.
    pub fn fail_all(&self, error: &WorkerError) {
        // A panic may have happened while the table was borrowed.
        let open = self.open.try_borrow_mut().map(|mut open| std::mem::take(&mut *open)).unwrap_or_default();
        for id in open.into_keys() {
            post(id, Event::Failed { error: error.failure() });
        }
    }

    async fn status(&self) -> Result<Outcome, WorkerError> {
        let stored = match Store::open().await {
            Ok(store) => store.list().await?,
            // Nothing can be stored, so nothing is.
            Err(_) => Vec::new(),
        };
        let (models, backend) = self.shown.borrow().clone();
        Ok(Outcome::Status { models, stored, wasm_heap_bytes: heap_bytes(), backend })
    }
}

/// One short arm per request.
async fn run(
    residency: &mut Residency,
    request: Request,
    files: Vec<Blob>,
    ticket: &Ticket,
) -> Result<Outcome, WorkerError> {
    ticket.checkpoint().await?;
    match request {
        Request::Load { name, source, backend, context_tokens, cache_type } => {
            let wish = Wish { name, source, backend, context_tokens, cache_type };
            if let Some(resident) = residency.same(&wish) {
                return Ok(Outcome::Loaded { model: resident.info.clone() });
            }
            let origin = Origin::find(&wish.source, files, ticket).await?;
            load(residency, wish, origin, ticket).await.map(|model| Outcome::Loaded { model })
        }
        Request::LoadAdapter { model, name, source } => {
            let wish = AdapterWish { name, source };
            let resident = residency.model(&model, None, ticket).await?;
            if resident.has_adapter(&wish) {
                return Ok(Outcome::Loaded { model: resident.info.clone() });
            }
            let origin = Origin::find(&wish.source, files, ticket).await?;
            attach(residency, &model, wish, origin, ticket).await.map(|model| Outcome::Loaded { model })
        }
        Request::Unload { name } => match residency.remove(&name) {
            true => Ok(Outcome::Ok),
            false => Err(WorkerError::ModelNotLoaded { name }),
        },
        Request::Delete { name } => Store::open().await?.delete(&name).await.map(|()| Outcome::Ok),
        Request::Embed { model, texts, adapter } => {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let resident = residency.model(&model, adapter.as_ref(), ticket).await?;
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
        Request::Generate { model, prompt, sampling, max_tokens, stop, overflow, lookup, adapter } => {
            let order = Order { prompt, sampling, max_tokens, stop, overflow, lookup };
            generate(residency.model(&model, adapter.as_ref(), ticket).await?, order, ticket).await
        }
        Request::Evaluate { model, ids, first, decode, adapter } => {
            let resident = residency.model(&model, adapter.as_ref(), ticket).await?;
            evaluate::evaluate(resident, &ids, first, &decode).await
        }
        Request::Summarize { page, options } => {
            summarize::summarize(residency, &page, &options, ticket).await
        }
        Request::Ask { page, question, limit } => ask::ask(residency, &page, &question, limit, ticket).await,
        Request::Status | Request::Cancel { .. } => {
            Err(WorkerError::Internal { why: "answered outside the queue".into() })
        }
    }
}
