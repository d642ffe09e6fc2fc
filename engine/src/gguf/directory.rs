use super::cursor::{Cursor, Stop};
use super::error::shown;
use super::limits::{DIMS_MAX, TENSOR_NAME_LEN_BYTES_MAX};
use super::types::{block_shape, type_name};
use super::{GgufError, Header, TensorInfo};

/// Reads one entry of the tensor directory. Its offset is still relative to the data section.
pub(super) fn read_entry(c: &mut Cursor, alignment_bytes: u64) -> Result<TensorInfo, Stop> {
    let at_bytes = c.position_bytes();
    let name = c.string(
        TENSOR_NAME_LEN_BYTES_MAX,
        |at_bytes, len_bytes| GgufError::TensorNameTooLong {
            at_bytes,
            len_bytes,
            limit_bytes: TENSOR_NAME_LEN_BYTES_MAX,
        },
        || "a tensor name".to_owned(),
    )?;
    if name.is_empty() {
        return Err(GgufError::EmptyTensorName { at_bytes }.into());
    }
    let dim_count = c.u32()?;
    if dim_count == 0 || dim_count > DIMS_MAX {
        return Err(GgufError::BadDimCount { at_bytes, tensor: shown(name), dims: dim_count }.into());
    }
    let dims = (0..dim_count).map(|_| c.u64()).collect::<Result<Vec<u64>, Stop>>()?;
    let type_id = c.u32()?;
    let offset_bytes = c.u64()?;
    let size_bytes = size_bytes(name, &dims, type_id)?;
    if !offset_bytes.is_multiple_of(alignment_bytes) {
        return Err(GgufError::Misaligned { tensor: shown(name), offset_bytes, alignment_bytes }.into());
    }
    Ok(TensorInfo { name: name.to_owned(), dims, type_id, file: 0, offset_bytes, size_bytes })
}

/// Bytes of a tensor of these dimensions (innermost first); `None` for an unknown type.
fn size_bytes(name: &str, dims: &[u64], type_id: u32) -> Result<Option<u64>, GgufError> {
    if let Some(axis) = dims.iter().position(|d| *d == 0) {
        return Err(GgufError::ZeroDim { tensor: shown(name), axis });
    }
    let too_big = || GgufError::TensorTooBig { tensor: shown(name) };
    let len = dims.iter().try_fold(1_u64, |len, d| len.checked_mul(*d)).ok_or_else(too_big)?;
    let Some((block_len, block_len_bytes)) = block_shape(type_id) else {
        return Ok(None);
    };
    let cols = dims.first().copied().unwrap_or(1);
    if !cols.is_multiple_of(block_len) {
        return Err(GgufError::PartialBlock {
            tensor: shown(name),
            cols,
            type_name: type_name(type_id).unwrap_or_default(),
            block_len,
        });
    }
    (len / block_len).checked_mul(block_len_bytes).ok_or_else(too_big).map(Some)
}

/// Turns offsets into positions in the file and refuses tensors that share bytes.
pub(super) fn place(tensors: &mut [TensorInfo], data_offset_bytes: u64) -> Result<(), GgufError> {
    for tensor in tensors.iter_mut() {
        let too_big = || GgufError::TensorTooBig { tensor: shown(&tensor.name) };
        let begin_bytes = tensor.offset_bytes.checked_add(data_offset_bytes).ok_or_else(too_big)?;
        begin_bytes.checked_add(size_bytes_min(tensor)).ok_or_else(too_big)?;
        tensor.offset_bytes = begin_bytes;
    }
    let mut by_offset: Vec<&TensorInfo> = tensors.iter().collect();
    by_offset.sort_by_key(|t| t.offset_bytes);
    for pair in by_offset.windows(2) {
        if let [before, after] = pair
            && end_bytes(before) > after.offset_bytes
        {
            return Err(GgufError::TensorOverlap {
                at_bytes: after.offset_bytes,
                tensor: shown(&after.name),
                other: shown(&before.name),
            });
        }
    }
    Ok(())
}

/// A tensor of unknown type has at least one byte.
fn size_bytes_min(tensor: &TensorInfo) -> u64 {
    tensor.size_bytes.unwrap_or(1)
}

fn end_bytes(tensor: &TensorInfo) -> u64 {
    tensor.offset_bytes.saturating_add(size_bytes_min(tensor))
}

impl Header {
    /// Checks that every tensor lies inside a file of this length. The reader does it by itself where it was told the
    /// length; a download may learn the length later.
    ///
    /// # Errors
    /// `TensorOutsideFile` with the first tensor, in file order, that does not.
    pub fn check_file_len(&self, file_len_bytes: u64) -> Result<(), GgufError> {
        match self.tensors.iter().find(|t| end_bytes(t) > file_len_bytes) {
            None => Ok(()),
            Some(tensor) => Err(GgufError::TensorOutsideFile {
                tensor: shown(&tensor.name),
                end_bytes: end_bytes(tensor),
                file_len_bytes,
            }),
        }
    }
}
