//! The one place that matches [`Request`]: what each request does, and in which of three ways it runs. Some are answered at once,
//! some run beside the queue because they need no loaded model, the others wait for their turn with the models.

use std::rc::Rc;

use pith_engine::digest::languages;
use pith_engine::tokenizer::EncodeOptions;
use web_sys::Blob;

use crate::blocks::{Blocks, open_page};
use crate::browser::now_ms;
use crate::encode::encode;
use crate::error::WorkerError;
use crate::fit::Wanted;
use crate::generate::Order;
use crate::job::{Manner, Uses};
use crate::lora::attach;
use crate::open_files::again_if_changed;
use crate::origin::Origin;
use crate::protocol::{DetectedLanguage, Floats, Outcome, Precision, Request, Template};
use crate::recovery::recovering;
use crate::residency::EMBEDDING;
use crate::router::Router;
use crate::store::shelf;
use crate::tune::tune;
use crate::verify::verify;
use crate::wish::{LoraWish, Wish};
use crate::{ask, embed, evaluate, keep, summarize, template, write};

/// What travels beside a request.
pub struct Attached {
    /// Local files.
    pub files: Vec<Blob>,
    /// Of a page.
    pub blocks: Blocks,
}

/// Takes a request. Its one end, `done` or `failed`, is posted later.
pub fn receive(router: &Rc<Router>, id: u32, request: Request, Attached { files, blocks }: Attached) {
    let Some(ticket) = router.open(id) else { return };
    let model = |name: &str| Uses::Model(name.to_owned());
    match request {
        // At once.
        Request::Ping {} => router.finish(id, Ok(Outcome::Ok)),
        Request::Cancel { target } => {
            router.cancel(target);
            router.finish(id, Ok(Outcome::Ok));
        }
        Request::Pause { target } => {
            router.pause(target);
            router.finish(id, Ok(Outcome::Ok));
        }
        Request::Resume { target } => {
            router.resume(target);
            router.finish(id, Ok(Outcome::Ok));
        }
        Request::Configure { settings } => {
            router.configure(&settings);
            router.finish(id, Ok(Outcome::Ok));
        }
        Request::DetectLanguage { text } => {
            let found =
                |(name, confidence): (&str, f64)| DetectedLanguage { language: name.into(), confidence };
            let languages = languages(&text).into_iter().map(found).collect();
            router.finish(id, Ok(Outcome::Languages { languages }));
        }

        // Beside the queue.
        Request::Status {} => router.beside(ticket, async |router, _| router.status().await),
        Request::Fit { source, backend, context_tokens, cache_type } => {
            router.beside(ticket, async move |router, ticket| {
                let context_tokens = context_tokens.map(|n| n as usize);
                let precision = Precision::default().into();
                let wanted = Wanted { context_tokens, cache: cache_type.into(), precision };
                let origin = Origin::find(&source, files, ticket).await?;
                let files = again_if_changed(async || origin.open(ticket).await).await?;
                router.fit(files, backend, wanted, ticket).await
            });
        }
        Request::Download { source } => router.beside(ticket, async move |_, ticket| {
            keep::store(&source, files, ticket).await.map(|model| Outcome::Stored { model })
        }),
        Request::Verify { name, repair } => {
            router.beside(ticket, async move |_, ticket| verify(&name, repair, ticket).await);
        }
        Request::Pin { name, pinned } => router.beside(ticket, async move |_, _| {
            shelf().await?.note(&name, |record| record.pinned = pinned).await.map(|()| Outcome::Ok)
        }),
        Request::Export { name } => router.beside(ticket, async move |_, _| keep::export(&name).await),
        Request::Delete { name } => router.beside(ticket, async move |_, _| keep::delete(&name).await),

        // In turn, with the models.
        Request::Load { name, source, backend, context_tokens, cache_type, precision, force, tier } => {
            let wish = Wish { name, source, backend, context_tokens, cache_type, precision, force, tier };
            router.load(ticket, wish, files);
        }
        Request::LoadLora { model: name, name: lora, source } => {
            router.turn(ticket, (model(&name), Manner::Afterwards), async move |residency, ticket| {
                let wish = LoraWish { name: lora, source };
                let attached = recovering(residency, &name, ticket, async |residency| {
                    let resident = residency.model(&name, None, ticket).await?;
                    Ok(resident.has_lora(&wish).then(|| resident.info.clone()))
                });
                if let Some(model) = attached.await? {
                    return Ok(Outcome::Loaded { model });
                }
                let origin = Origin::find(&wish.source, files, ticket).await?;
                let model = recovering(residency, &name, ticket, async |residency| {
                    residency.model(&name, None, ticket).await?;
                    attach(residency, &name, wish.clone(), origin.clone(), ticket).await
                });
                Ok(Outcome::Loaded { model: model.await? })
            });
        }
        Request::Unload { name } => {
            router.turn(
                ticket,
                (model(&name), Manner::Afterwards),
                async move |residency, _| match residency.remove(&name) {
                    true => Ok(Outcome::Ok),
                    false => Err(WorkerError::ModelNotLoaded { name }),
                },
            );
        }
        Request::Memory {} => router.turn(ticket, (Uses::Nothing, Manner::Beside), async |residency, _| {
            Ok(Outcome::Memory { report: residency.memory() })
        }),
        Request::Embed { model: name, texts, lora } => {
            router.turn(ticket, (model(&name), Manner::Beside), async move |residency, ticket| {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let vectors = recovering(residency, &name, ticket, async |residency| {
                    let resident = residency.model(&name, lora.as_ref(), ticket).await?;
                    embed::embed(resident, &texts, ticket).await
                })
                .await?;
                Ok(Outcome::Vectors { vectors: vectors.into_iter().map(Floats).collect() })
            });
        }
        Request::Tokenize { model: name, text, add_special, parse_special } => {
            router.turn(ticket, (model(&name), Manner::Beside), async move |residency, ticket| {
                let resident = residency.model(&name, None, ticket).await?;
                let options = EncodeOptions { add_special, parse_special };
                let ids = encode(resident.tokenizer()?, &text, options, ticket).await?;
                Ok(Outcome::Ids { ids })
            });
        }
        Request::Detokenize { model: name, ids, special } => {
            router.turn(ticket, (model(&name), Manner::Beside), async move |residency, ticket| {
                let resident = residency.model(&name, None, ticket).await?;
                embed::detokenize(resident, &ids, special).map(|text| Outcome::Plain { text })
            });
        }
        Request::ApplyTemplate { template, messages, variables, now } => {
            let uses = match &template {
                Template::Model { model: name } => model(name),
                Template::Text { .. } => Uses::Residency,
            };
            router.turn(ticket, (uses, Manner::Beside), async move |residency, ticket| {
                let text = template::apply(residency, &template, messages, variables, now, ticket).await?;
                Ok(Outcome::Plain { text })
            });
        }
        Request::Generate {
            model: name,
            prompt,
            sampling,
            max_tokens,
            stop,
            overflow,
            prompt_lookup,
            logprobs,
            keep_prompt,
            format,
            lora,
        } => {
            let order = Order {
                prompt,
                sampling,
                max_tokens,
                stop,
                overflow,
                prompt_lookup,
                logprobs,
                keep_prompt,
                format,
            };
            router.generate(ticket, (name, lora), order);
        }
        Request::Evaluate { model: name, ids, first, decode, lora } => {
            router.turn(ticket, (model(&name), Manner::Instead), async move |residency, ticket| {
                recovering(residency, &name, ticket, async |residency| {
                    let resident = residency.model(&name, lora.as_ref(), ticket).await?;
                    evaluate::evaluate(resident, &ids, first, &decode).await
                })
                .await
            });
        }
        Request::Summarize { page, options } => {
            router.turn(ticket, (model(EMBEDDING), Manner::Instead), async move |residency, ticket| {
                let start_ms = now_ms();
                let page = open_page(&mut residency.pages, page, &blocks, ticket).await?;
                summarize::summarize(residency, page, &options, start_ms, ticket).await
            });
        }
        Request::Ask {
            page,
            question,
            limit,
            writer,
            history,
            unsupported,
            variant,
            keep_prompt,
            resume,
        } => {
            router.turn(ticket, (model(EMBEDDING), Manner::Instead), async move |residency, ticket| {
                ask::check(&question)?;
                let start_ms = now_ms();
                let page = open_page(&mut residency.pages, page, &blocks, ticket).await?;
                let wish =
                    ask::Wish { question, limit, writer, history, unsupported, variant, keep_prompt, resume };
                ask::ask(residency, page, &wish, start_ms, ticket).await
            });
        }
        Request::SuggestQuestions { page } => {
            router.turn(ticket, (model(EMBEDDING), Manner::Instead), async move |residency, ticket| {
                let page = open_page(&mut residency.pages, page, &blocks, ticket).await?;
                ask::suggest(residency, page, ticket).await
            });
        }
        Request::PreparePrompt { page, task, budget_tokens, part } => {
            router.turn(ticket, (model(EMBEDDING), Manner::Instead), async move |residency, ticket| {
                let page = open_page(&mut residency.pages, page, &blocks, ticket).await?;
                write::prepare(residency, page, &task, (budget_tokens, part), ticket).await
            });
        }
        Request::Attribute { page, text, unsupported } => {
            router.turn(ticket, (model(EMBEDDING), Manner::Instead), async move |residency, ticket| {
                let page = open_page(&mut residency.pages, page, &blocks, ticket).await?;
                write::attribute(residency, page, &text, unsupported, ticket).await
            });
        }
        Request::Tune { model: name } => {
            router.turn(ticket, (model(&name), Manner::Instead), async move |residency, ticket| {
                tune(residency, &name, ticket).await.map(|report| Outcome::Tuned { report })
            });
        }
        Request::TestWriter { model: name } => {
            router.turn(ticket, (model(&name), Manner::Instead), async move |residency, ticket| {
                let test = recovering(residency, &name, ticket, async |residency| {
                    write::test(residency, &name, ticket).await
                });
                Ok(Outcome::WriterTest { test: test.await? })
            });
        }
    }
}
