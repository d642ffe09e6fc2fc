//! Every draw call of WebGL2 against its CPU twin.
#![cfg(feature = "webgl2")]

use crate::devices;
use crate::probes::{attentive, base, eight_tokens, probes, sample, wrong};
use pith_engine::formats::FORMATS;
use pith_engine::runtime::Probe;

#[test]
fn draws_agree_with_the_cpu() {
    let Some(device) = devices::webgl2() else { return };
    let wrong = wrong(&device, &sample(probes()));
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

#[test]
fn attention_agrees_with_the_cpu() {
    let Some(device) = devices::webgl2() else { return };
    let wrong = wrong(&device, &attentive());
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

#[test]
fn a_token_creates_nothing() {
    let Some(device) = devices::webgl2() else { return };
    let probe = Probe { formats: vec![FORMATS[3]], ..base() };
    let [before, after] = eight_tokens(&device, &probe);
    assert_eq!(after.objects_created, before.objects_created);
    assert_eq!(after.readback_bytes - before.readback_bytes, 8 * 16);
    let per_token = (after.dispatches - before.dispatches) / 8;
    println!("{per_token} draws a token of {} layers", probe.layers);
    // Outside of layers: embedding, norm, head, chunks, choice, feed.
    assert!(per_token <= 12 * probe.layers as u64 + 6, "{per_token} draws");
}
