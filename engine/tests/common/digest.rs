//! Digests for callers that have nothing else to do.

use pith_engine::digest::{Answer, Digest, DigestError, Hit, Limits, Page, QueryVectors};
use pollster::block_on;

pub fn digest(page: &Page, limits: &Limits) -> Result<Digest, DigestError> {
    block_on(Digest::new(page, limits, &async || true))
}

#[allow(dead_code)] // Not every test asks.
pub fn ask(digest: &Digest, question: &str, vectors: Option<QueryVectors<'_>>, limit: usize) -> Vec<Hit> {
    answer(digest, question, vectors, limit).hits
}

pub fn answer(digest: &Digest, question: &str, vectors: Option<QueryVectors<'_>>, limit: usize) -> Answer {
    let turn = async || true;
    block_on(async {
        let question = digest.question(question, &turn).await?;
        digest.rank_question(&question, vectors, limit, &turn).await
    })
    .unwrap()
}
