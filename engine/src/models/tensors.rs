//! Look-up of tensors with their shapes checked, and the list of those nobody asked for.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::error::ModelError;
use crate::formats::Format;
use crate::gguf::{Header, TensorInfo};
use crate::plan::{Matrix, Runs, Vector};

/// The tensor directory while a model is read from it.
pub struct Tensors<'a> {
    by_name: HashMap<&'a str, &'a TensorInfo>,
    used: HashSet<String>,
    /// For each optional part of a layer: a layer without it, and one with it.
    parts: BTreeMap<String, [Option<String>; 2]>,
}

impl<'a> Tensors<'a> {
    /// The tensors of a file but for those that are passed over.
    pub fn new(header: &'a Header, unused: impl Fn(&str) -> bool) -> Self {
        let read = header.tensors.iter().filter(|t| !unused(&t.name));
        let by_name = read.map(|t| (t.name.as_str(), t)).collect();
        Tensors { by_name, used: HashSet::new(), parts: BTreeMap::new() }
    }

    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Whether the file has `name`, which either all layers of a model have or none.
    pub fn in_all(&mut self, name: &str) -> bool {
        self.in_alike(name, "")
    }

    /// Whether the file has `name`, which either all layers of a `kind` have or none.
    pub fn in_alike(&mut self, name: &str, kind: &str) -> bool {
        let found = self.has(name);
        if let Some(part) = name.strip_prefix("blk.").and_then(|rest| rest.split_once('.')) {
            let layers = self.parts.entry(format!("{} {kind}", part.1)).or_default();
            layers[usize::from(found)].get_or_insert_with(|| name.to_owned());
        }
        found
    }

    /// A tensor that is absent although another layer has its like, if there is one.
    pub fn first_gap(&self) -> Option<&str> {
        self.parts.values().find_map(|[without, with]| without.as_deref().filter(|_| with.is_some()))
    }

    /// Lets tensors go unread where the file has them.
    pub fn pass_over(&mut self, names: &[&str]) {
        self.used.extend(names.iter().map(|&name| name.to_owned()));
    }

    /// `[rows, cols]` of a tensor that must exist.
    ///
    /// # Errors
    /// `MissingTensor`.
    pub fn shape(&self, name: &str) -> Result<(usize, usize), ModelError> {
        let t = self.get(name)?;
        Ok((t.rows() as usize, t.cols() as usize))
    }

    fn get(&self, name: &str) -> Result<&'a TensorInfo, ModelError> {
        self.by_name.get(name).copied().ok_or_else(|| ModelError::MissingTensor { name: name.to_owned() })
    }

    /// The matrix `base.weight` of exactly `rows` by `cols`, with `base.bias` where the file has one.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape`, `UnsupportedType`; of the bias as well.
    pub fn matrix(&mut self, base: &str, rows: usize, cols: usize) -> Result<Matrix, ModelError> {
        let mut matrix = self.table(base, rows, cols)?;
        let bias = format!("{base}.bias");
        if self.in_all(&bias) {
            matrix.bias.push(self.vector(&bias, rows)?);
        }
        Ok(matrix)
    }

    /// The matrix `base.weight`, whose rows are looked up: it has no bias.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape`, `UnsupportedType`.
    pub fn table(&mut self, base: &str, rows: usize, cols: usize) -> Result<Matrix, ModelError> {
        let mut matrix = self.bare_matrix(&format!("{base}.weight"), rows, cols)?;
        matrix.scale = self.scale(base, matrix.format, 1)?;
        Ok(matrix)
    }

    /// The matrix `name` of exactly `rows` by `cols`, and nothing beside it.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape`, `UnsupportedType`.
    pub fn bare_matrix(&mut self, name: &str, rows: usize, cols: usize) -> Result<Matrix, ModelError> {
        let t = self.get(name)?;
        if t.dims.len() > 2 || t.cols() != cols as u64 || t.rows() != rows as u64 {
            return Err(wrong_shape(t, &format!("{cols} x {rows}")));
        }
        let format = format_of(t)?;
        if format.row_bytes(cols).is_none() {
            return Err(wrong_shape(t, &format!("rows of a multiple of {} values", format.block_len)));
        }
        self.used.insert(name.to_owned());
        Ok(Matrix { tensor: name.to_owned(), format, rows, cols, bias: Vec::new(), runs: None, scale: None })
    }

    /// The rows of `count` matrices `[rows, cols]` stored one after another in `base.weight`.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape`, `UnsupportedType`; of the biases as well.
    pub fn stack(
        &mut self,
        base: &str,
        count: usize,
        rows: usize,
        cols: usize,
    ) -> Result<Matrix, ModelError> {
        let mut matrix = self.bare_stack(base, count, rows, cols)?;
        matrix.scale = self.scale(base, matrix.format, count)?;
        let bias = format!("{base}.bias");
        if self.in_all(&bias) {
            self.expect_dims(&bias, &[rows, count])?;
            matrix.bias.push(self.flat(&bias, rows * count)?);
        }
        Ok(matrix)
    }

    /// Two such stacks in one, `[2 rows, cols]` a matrix, the rows of the first before those of the second.
    pub fn two_stacks(
        &mut self,
        base: &str,
        count: usize,
        rows: usize,
        cols: usize,
    ) -> Result<[Matrix; 2], ModelError> {
        let both = self.bare_stack(base, count, 2 * rows, cols)?;
        let part = |first| {
            let runs = Some(Runs { first, len: rows, step: 2 * rows });
            Matrix { rows: count * rows, runs, ..both.clone() }
        };
        Ok([part(0), part(rows)])
    }

    /// The rows of stacked matrices, and nothing beside them.
    fn bare_stack(
        &mut self,
        base: &str,
        count: usize,
        rows: usize,
        cols: usize,
    ) -> Result<Matrix, ModelError> {
        let name = format!("{base}.weight");
        let t = self.get(&name)?;
        if t.dims != [cols as u64, rows as u64, count as u64] {
            return Err(wrong_shape(t, &format!("{cols} x {rows} x {count}")));
        }
        let format = format_of(t)?;
        if format.row_bytes(cols).is_none() {
            return Err(wrong_shape(t, &format!("rows of a multiple of {} values", format.block_len)));
        }
        self.used.insert(name.clone());
        Ok(Matrix {
            tensor: name,
            format,
            rows: count * rows,
            cols,
            bias: Vec::new(),
            runs: None,
            scale: None,
        })
    }

    /// The factors of `count` matrices, where the format leaves room for them and the file has them.
    fn scale(&mut self, base: &str, format: &Format, count: usize) -> Result<Option<Vector>, ModelError> {
        if format.tensor_scale_plane().is_none() {
            return Ok(None);
        }
        let name = format!("{base}.scale");
        if self.in_all(&name) { self.flat(&name, count).map(Some) } else { Ok(None) }
    }

    /// Dimensions of a tensor; 0 where it is absent.
    pub fn dims(&self, name: &str) -> usize {
        self.by_name.get(name).map_or(0, |t| t.dims.len())
    }

    /// Refuses a tensor of other dimensions, innermost first. Files may leave out the outer ones that are 1.
    ///
    /// # Errors
    /// `WrongShape`, or `MissingTensor`.
    pub fn expect_dims(&self, name: &str, dims: &[usize]) -> Result<(), ModelError> {
        let t = self.get(name)?;
        let outer = dims.get(t.dims.len()..).unwrap_or_default();
        let same = t.dims.len() <= dims.len() && t.dims.iter().zip(dims).all(|(&a, &b)| a == b as u64);
        if same && outer.iter().all(|&n| n == 1) {
            return Ok(());
        }
        Err(wrong_shape(t, &dims.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")))
    }

    /// The values of `name` in whatever shape, `len` in all.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape` (also for a format with blocks), `UnsupportedType`.
    pub fn flat(&mut self, name: &str, len: usize) -> Result<Vector, ModelError> {
        let t = self.get(name)?;
        let format = format_of(t)?;
        if t.len() != len as u64 || format.block_len != 1 {
            return Err(wrong_shape(t, &format!("{len} plain values")));
        }
        self.used.insert(name.to_owned());
        Ok(Vector { tensor: name.to_owned(), format, len })
    }

    /// The vector `name` of exactly `len` values.
    ///
    /// # Errors
    /// `MissingTensor`, `WrongShape`, `UnsupportedType`.
    pub fn vector(&mut self, name: &str, len: usize) -> Result<Vector, ModelError> {
        let t = self.get(name)?;
        if t.len() != len as u64 || t.rows() != 1 {
            return Err(wrong_shape(t, &len.to_string()));
        }
        let format = format_of(t)?;
        if format.row_bytes(len).is_none() {
            return Err(wrong_shape(t, &format!("a multiple of {} values", format.block_len)));
        }
        self.used.insert(name.to_owned());
        Ok(Vector { tensor: name.to_owned(), format, len })
    }

    /// A tensor that nothing asked for, if there is one.
    pub fn first_unused(&self) -> Option<String> {
        let mut left: Vec<&str> = self.by_name.keys().copied().filter(|n| !self.used.contains(*n)).collect();
        left.sort_unstable();
        left.first().map(|s| (*s).to_owned())
    }
}

fn format_of(t: &TensorInfo) -> Result<&'static Format, ModelError> {
    Format::by_id(t.type_id).ok_or_else(|| ModelError::UnsupportedType {
        tensor: t.name.clone(),
        type_name: crate::gguf::type_name(t.type_id)
            .map_or_else(|| format!("type {}", t.type_id), str::to_owned),
    })
}

fn wrong_shape(t: &TensorInfo, expected: &str) -> ModelError {
    let found = t.dims.iter().map(u64::to_string).collect::<Vec<_>>().join(" x ");
    ModelError::WrongShape { name: t.name.clone(), expected: expected.to_owned(), found }
}
