//! Pages of the KV cache that were read from one model and given to another give the same logits, bit for bit, as those that
//! stayed where they were: in every cache type, on the CPU, WebGPU and WebGL2.

use crate::devices;
use pith_engine::backend::Device;
use pith_engine::plan::CacheFormat;
use pith_engine::runtime::{Error, Model, Probe, Sequence};
use pollster::block_on;

const PAGE: usize = Model::PAGE_TOKENS;

fn devices() -> Vec<Device> {
    let mut all = devices::cpu_and_webgpu();
    #[cfg(feature = "webgl2")]
    all.extend(devices::webgl2());
    all
}

fn load(device: &Device, cache: CacheFormat) -> Model {
    block_on(Probe { cache, prompt_tokens: 200, ..Probe::default() }.load(device)).unwrap()
}

fn ids(seed: u32, len: u32) -> Vec<u32> {
    (0..len).map(|i| (i * 37 + seed) % 96).collect()
}

/// The logits after `ids`, of a sequence that may have the beginning of them.
fn answer(model: &mut Model, sequence: &mut Sequence, ids: &[u32]) -> Vec<u32> {
    for slice in ids[sequence.len_tokens()..].chunks(model.slice_tokens()) {
        model.feed(sequence, slice).unwrap();
    }
    model.settle(sequence, ids);
    let mut logits = Vec::new();
    block_on(model.logits(&mut logits)).unwrap();
    logits.into_iter().map(f32::to_bits).collect()
}

/// The pages of `ids` that a model has, each on its own.
fn read(model: &mut Model, ids: &[u32]) -> Vec<Vec<u8>> {
    let sequence = model.begin_with(ids);
    let mut all = Vec::new();
    block_on(model.read_pages(&sequence, 0..sequence.len_tokens() / PAGE, &mut all)).unwrap();
    model.end(sequence);
    all.chunks(model.page_bytes()).map(<[u8]>::to_vec).collect()
}

fn restore(model: &mut Model, ids: &[u32], pages: &[Vec<u8>]) {
    let mut sequence = model.begin_with(ids);
    for page in &pages[sequence.len_tokens() / PAGE..] {
        let at = sequence.len_tokens();
        model.restore_page(&mut sequence, &ids[at..at + PAGE], page).unwrap();
    }
    model.end(sequence);
}

#[test]
fn pages_mean_the_same_in_another_model() {
    for device in devices() {
        for cache in CacheFormat::ALL {
            let what = format!("{} {}", device.info().name, cache.name());
            let mut before = load(&device, cache);
            // Other pages stand in front, so that the same contents come to lie elsewhere.
            let other = ids(50, 33);
            let mut sequence = before.begin_with(&other);
            answer(&mut before, &mut sequence, &other);
            let (first, second) = (ids(3, 70), [&ids(3, 66)[..], &ids(50, 20)[..]].concat());
            let mut reader = before.begin_with(&first);
            answer(&mut before, &mut reader, &first);
            before.end(reader);
            before.end(sequence);
            let pages = read(&mut before, &first);
            assert_eq!(pages.len(), 2, "{what}");
            assert_ne!(pages[0], pages[1], "{what}");
            let mut again = before.begin_with(&second);
            let want = answer(&mut before, &mut again, &second);

            let mut after = load(&device, cache);
            restore(&mut after, &first, &pages);
            assert_eq!(read(&mut after, &first), pages, "{what}");
            let mut sequence = after.begin_with(&second);
            assert_eq!(sequence.len_tokens(), 2 * PAGE, "{what}");
            assert!(answer(&mut after, &mut sequence, &second) == want, "{what}: other logits");
            after.end(sequence);
            // What is there already is not needed twice.
            restore(&mut after, &first, &pages);
            let sequence = after.begin_with(&second);
            assert_eq!(sequence.len_tokens(), 2 * PAGE, "{what}");
        }
    }
}

#[test]
fn bytes_and_tokens_that_do_not_fit_are_refused() {
    let mut model = load(&Device::cpu(), CacheFormat::F16);
    let (prompt, bytes) = (ids(3, 70), vec![0; model.page_bytes()]);
    assert_eq!(bytes.len() % 4, 0);
    let mut sequence = model.begin();
    let refused = |result: Result<(), Error>| result.unwrap_err().code();
    let short = model.restore_page(&mut sequence, &prompt[..PAGE], &bytes[1..]);
    assert_eq!(refused(short), "wrong_transfer");
    let few = model.restore_page(&mut sequence, &prompt[..PAGE - 1], &bytes);
    assert_eq!(refused(few), "bad_slice");
    let unknown = model.restore_page(&mut sequence, &[96; PAGE], &bytes);
    assert_eq!(refused(unknown), "unknown_token");
    // Behind a page that is not full there is no place for one.
    model.feed(&mut sequence, &prompt[..5]).unwrap();
    let behind = model.restore_page(&mut sequence, &prompt[..PAGE], &bytes);
    assert_eq!(refused(behind), "bad_slice");
    let none = block_on(model.read_pages(&sequence, 0..1, &mut Vec::new()));
    assert_eq!(refused(none), "bad_slice");
    model.end(sequence);
    let mut sequence = model.begin();
    let mut restored = 0;
    let full = loop {
        match model.restore_page(&mut sequence, &prompt[..PAGE], &bytes) {
            Ok(()) => restored += 1,
            Err(error) => break error.code(),
        }
    };
    assert_eq!((full, restored), ("context_full", model.info().context_tokens / PAGE));
}

#[test]
fn an_encoder_keeps_no_pages() {
    let mut model = block_on(Probe { encoder: true, ..Probe::default() }.load(&Device::cpu())).unwrap();
    assert_eq!(model.page_bytes(), 0);
    let mut sequence = model.begin();
    assert_eq!(model.restore_page(&mut sequence, &[1; PAGE], &[]).unwrap_err().code(), "wrong_transfer");
}
