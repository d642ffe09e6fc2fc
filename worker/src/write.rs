//! A summary in a language model's words, line by line.

use pith_engine::digest::Keep;
use pith_engine::writer::{WriteError, Writer};

use crate::browser::now_ms;
use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{Event, Stage, Summary};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// Lets the model called `name` shorten each line of `summary`. After each line what there is goes out as a draft. A line of
/// which nothing that it wrote may stand keeps the page's own words alone.
///
/// # Errors
/// `ModelNotLoaded`, `WrongModel`, `NoTokenizer`, `NoChatTemplate`, `BadTemplate`, `Cancelled`, what the device reports.
pub async fn write(
    residency: &mut Residency,
    page: &PageMemory,
    summary: &mut Summary,
    name: &str,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let resident = residency.model(name, None, ticket).await?;
    resident.expect_encoder(false)?;
    let no_template = || WorkerError::NoChatTemplate { name: name.to_owned() };
    resident.tokenizer()?;
    let (Some(tokenizer), Some(template)) = (&resident.tokenizer, &resident.chat) else {
        return Err(no_template());
    };
    let template = template.as_ref().map_err(Clone::clone)?;
    let context = page.digest.prompt_context(&nonce())?;
    let model = &mut resident.model;
    let mut writer = Writer { model, tokenizer, template, keep: Keep::Shortened, constrained: true };
    let turn = async || ticket.checkpoint().await.is_ok();
    let total = summary.lines.len() as u64;
    for at in 0..summary.lines.len() {
        ticket.progress(Stage::Decode, at as u64, total);
        let source = &summary.lines[at].text;
        let written = writer.shorten(&context, source, &now_ms, &turn).await.map_err(failure)?;
        if written.is_written() && written.text != *source {
            summary.lines[at].written = Some(written.text);
        }
        ticket.post(Event::Draft { summary: summary.clone() });
    }
    Ok(())
}

fn failure(error: WriteError) -> WorkerError {
    match error {
        WriteError::Chat(error) => error.into(),
        WriteError::Tokenizer(error) => error.into(),
        WriteError::Run(error) => error.into(),
        WriteError::Stopped => WorkerError::Cancelled,
    }
}

/// 32 hexadecimal digits drawn at random.
fn nonce() -> String {
    (0..4).map(|_| format!("{:08x}", (js_sys::Math::random() * f64::from(u32::MAX)) as u32)).collect()
}
