//! What holds for the headers of all reference files.

use crate::common;
use crate::common::gguf_builder::read;
use pith_engine::gguf::TensorInfo;

/// Where one tensor ends the next begins, but for the padding.
#[test]
fn tensor_sizes_fill_the_reference_files_without_gaps() {
    for path in common::files_with_extension(&common::reference_dir(), "gguf") {
        let bytes = std::fs::read(&path).unwrap();
        let header = read(&bytes, Some(bytes.len() as u64));
        let mut by_offset: Vec<&TensorInfo> = header.tensors.iter().collect();
        by_offset.sort_by_key(|t| t.offset_bytes);
        let mut at = header.data_offset_bytes;
        for tensor in by_offset {
            assert_eq!(tensor.offset_bytes, at, "{}: {}", path.display(), tensor.name);
            at = (at + tensor.size_bytes.unwrap()).next_multiple_of(header.alignment_bytes);
        }
        assert!(at.abs_diff(bytes.len() as u64) < header.alignment_bytes, "{}", path.display());
    }
}
