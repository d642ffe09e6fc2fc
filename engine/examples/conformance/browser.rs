//! The worker in a browser, through the client that ships: a script opens the browser, takes requests as lines of JSON and
//! answers each with a line.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pith_engine::chat::Moment;
use serde_json::{Map, Value, json};

use super::files::Anyhow;
use super::subject::{Generated, Rounding, Runner, Subject, Template};

pub struct Browser {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    backend: String,
    rounding: Rounding,
    /// Folders, and under which path their files are served.
    mounts: Vec<(PathBuf, &'static str)>,
    /// Whether the model that is loaded is an encoder.
    loaded: Option<bool>,
}

impl Browser {
    /// `command` is the script and what it needs; `folders` hold models.
    pub fn open(
        command: &[String],
        backend: &str,
        folders: [&Path; 2],
        rounding: Rounding,
    ) -> Anyhow<Browser> {
        let mounts =
            folders.map(Path::to_owned).into_iter().zip(["/models/", "/encoder/"]).collect::<Vec<_>>();
        let (program, args) = command.split_first().ok_or("no script is named")?;
        let mut script = Command::new(program);
        script.args(args).args(["--backend", backend]);
        for (folder, path) in &mounts {
            script.arg("--mount").arg(format!("{path}={}", folder.display()));
        }
        let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let answers = BufReader::new(child.stdout.take().ok_or("the script has no output")?);
        let requests = child.stdin.take();
        Ok(Browser { child, requests, answers, backend: backend.to_owned(), rounding, mounts, loaded: None })
    }

    /// Closes the browser; an error where its console has errors.
    pub fn close(mut self) -> Anyhow<()> {
        drop(self.requests.take());
        match self.child.wait()? {
            status if status.success() => Ok(()),
            status => Err(format!("the browser's script: {status}").into()),
        }
    }

    fn ask(&mut self, call: &str, values: Value) -> Anyhow<Value> {
        let requests = self.requests.as_mut().ok_or("the script has no input")?;
        writeln!(requests, "{}", json!({ "call": call, "values": values }))?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err("the browser's script has ended".into());
        }
        let mut answer: Value = serde_json::from_str(&line)?;
        let Some(error) = answer.get("error") else { return Ok(answer["value"].take()) };
        let (code, detail) =
            (error["code"].as_str().unwrap_or_default(), error["detail"].as_str().unwrap_or_default());
        // The engine's details begin with its own code, which often is the same.
        Err(if detail.starts_with(code) { detail.to_owned() } else { format!("{code}: {detail}") }.into())
    }

    fn url(&self, file: &Path) -> Anyhow<String> {
        let found = self.mounts.iter().find_map(|(folder, path)| {
            let inside = file.strip_prefix(folder).ok()?;
            Some(format!("{path}{}", inside.to_string_lossy()))
        });
        found.ok_or_else(|| format!("{} is in no folder that is served", file.display()).into())
    }
}

impl Runner for Browser {
    fn is_encoder(&self) -> bool {
        self.loaded == Some(true)
    }

    async fn evaluate(&mut self, ids: &[u32], first: usize, decode: &[u32]) -> Anyhow<Vec<Vec<f32>>> {
        let answer = self.ask("evaluate", json!([ids, { "first": first, "decode": decode }]))?;
        let bytes = STANDARD.decode(answer["values"].as_str().ok_or("no values")?)?;
        let floats: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        let cols = answer["cols"].as_u64().ok_or("no columns")? as usize;
        Ok(floats.chunks(cols.max(1)).map(<[f32]>::to_vec).collect())
    }

    async fn choices(&mut self, _: &[u32], _: &[u32]) -> Anyhow<Option<Vec<u32>>> {
        Ok(None)
    }
}

impl Subject for Browser {
    fn backend(&self) -> &str {
        &self.backend
    }

    async fn load(&mut self, files: &[PathBuf], context_tokens: Option<usize>) -> Anyhow<()> {
        let url = self.url(files.first().ok_or("no file")?)?;
        if self.loaded.take().is_some() {
            self.ask("unload", json!([]))?;
        }
        let (cache, precision) = (self.rounding.cache.name(), self.rounding.precision.name());
        let options = json!({ "contextTokens": context_tokens, "cacheType": cache, "precision": precision });
        let answer = self.ask("load", json!([url, options]))?;
        self.loaded = Some(answer["encoder"] == true);
        Ok(())
    }

    async fn load_tokenizer(&mut self, file: &Path) -> Anyhow<()> {
        self.load(&[file.to_owned()], None).await
    }

    async fn generate(&mut self, ids: &[u32], count: usize) -> Anyhow<Generated> {
        let answer = self.ask("generate", json!([ids, { "maxTokens": count }]))?;
        let text = answer["text"].as_str().unwrap_or_default().to_owned();
        let ids = serde_json::from_value(answer["ids"].clone())?;
        Ok(Generated { ids, text, ended: answer["finishReason"] == "stop" })
    }

    async fn embed(&mut self, texts: &[&str]) -> Anyhow<Vec<Vec<f32>>> {
        Ok(serde_json::from_value(self.ask("embed", json!([texts]))?)?)
    }

    async fn tokenize(&mut self, text: &str, special: bool) -> Anyhow<Vec<u32>> {
        let options = json!({ "addSpecial": special, "parseSpecial": special });
        Ok(serde_json::from_value(self.ask("tokenize", json!([text, options]))?)?)
    }

    async fn detokenize(&mut self, ids: &[u32]) -> Anyhow<Vec<u8>> {
        let text = self.ask("detokenize", json!([ids, { "special": true }]))?;
        Ok(text.as_str().ok_or("no text")?.as_bytes().to_vec())
    }

    async fn render(
        &mut self,
        template: &Template<'_>,
        turns: Option<&[Value]>,
        variables: &Map<String, Value>,
        now: Moment,
    ) -> Anyhow<String> {
        let Moment { year, month, day, hour, minute, second } = now;
        // As the arguments of `Date`, whose months begin at 0.
        let now = json!([year, month - 1, day, hour, minute, second]);
        let template =
            json!({ "text": template.text, "bosToken": template.bos_token, "eosToken": template.eos_token });
        let answer =
            self.ask("applyTemplate", json!([template, turns, { "variables": variables, "now": now }]))?;
        Ok(answer.as_str().ok_or("no text")?.to_owned())
    }
}
