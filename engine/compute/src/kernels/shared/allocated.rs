//! Memory that vectors hold.

/// Bytes that a vector has allocated.
pub fn vec_bytes<T>(vec: &Vec<T>) -> u64 {
    (vec.capacity() * size_of::<T>()) as u64
}
