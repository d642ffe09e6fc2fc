//! What every plan keeps, whatever file it was made from.

use pith_engine::formats::Precision;
use pith_engine::gguf::Header;
use pith_engine::models;
use pith_engine::plan::{CacheFormat, Features, Limits, Options, Threads};
use pith_engine::planner::{self, TRANSFER_BYTES_MAX, Transfer, Plan};

/// A plan with small limits, so that much is split; None where the file is refused.
pub fn plan_of(header: &Header, how: u8) -> Option<Plan> {
    let spec = models::read(header).map_err(|error| assert!(error.to_string().len() < 2000)).ok()?;
    let limits = Limits {
        binding_bytes: 1 << (16 + how % 16),
        buffer_bytes: 1 << 28,
        in_fours: how & 16 != 0,
        sorts_experts: how & 16 == 0,
        threads: Threads { count: 1 + usize::from(how >> 5 & 1), bytes_min: 0 },
        features: Features::default(),
    };
    let cache = CacheFormat::ALL[usize::from(how / 32) % CacheFormat::ALL.len()];
    let precision = if how & 128 != 0 { Precision::Fast } else { Precision::Exact };
    let options =
        Options { context_tokens: 64, slice_tokens: 8, logits_rows: 2, sequences: 2, cache, precision };
    let plan = planner::build(spec, header, options, &limits).ok()?;
    check_transfers(header, &plan.transfers);
    Some(plan)
}

/// Transfers lie in the file's data, are short and ascend.
pub fn check_transfers(header: &Header, transfers: &[Transfer]) {
    let mut before = (0, 0);
    for transfer in transfers {
        assert!(transfer.len_bytes > 0 && transfer.len_bytes <= TRANSFER_BYTES_MAX, "{transfer:?}");
        let end = transfer.offset_bytes.checked_add(transfer.len_bytes as u64).unwrap();
        let inside = |t: &&pith_engine::gguf::TensorInfo| {
            let tensor_end = t.size_bytes.and_then(|size| t.offset_bytes.checked_add(size));
            t.file == transfer.file && t.offset_bytes <= transfer.offset_bytes && tensor_end.is_some_and(|e| end <= e)
        };
        assert!(header.tensors.iter().any(|t| inside(&t)), "{transfer:?} lies in no tensor");
        let place = (transfer.file, transfer.offset_bytes);
        assert!(place >= before, "{transfer:?} stands behind a later one");
        before = place;
    }
}
