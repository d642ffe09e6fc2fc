// Word i of a cell: the value itself.
fn cache_word(i: u32) -> u32 { return bitcast<u32>(row[i]); }
