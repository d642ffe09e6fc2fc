"""GGUF files in memory: writing them, their twins in F32, their parts."""

import ctypes
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType as Type
from gguf import GGML_QUANT_SIZES, GGUFReader, GGUFValueType, GGUFWriter, quants


class Raw:
    """A tensor in blocks: `data` is uint8 of shape [..., rows, bytes of a row]."""

    def __init__(self, kind, data):
        self.kind, self.data = kind, data

    def floats(self):
        return quants.dequantize(self.data, self.kind).astype(np.float32)


def kind_of(tensor):
    if isinstance(tensor, Raw):
        return tensor.kind
    return {np.dtype("float16"): Type.F16, np.dtype("float32"): Type.F32}[tensor.dtype]


def floats(tensor):
    return tensor.floats() if isinstance(tensor, Raw) else tensor.astype(np.float32)


def _value_type(value):
    for python, kind in (
        (bool, GGUFValueType.BOOL),
        (np.uint16, GGUFValueType.UINT16),
        (np.int32, GGUFValueType.INT32),
        (int, GGUFValueType.UINT32),
        (float, GGUFValueType.FLOAT32),
        (str, GGUFValueType.STRING),
    ):
        if isinstance(value, python):
            return kind
    raise TypeError(type(value))


def write(path, keys, tensors):
    """Keys by full name (`general.architecture` and `general.alignment` among them), tensors by name, outermost first."""
    writer = GGUFWriter(path, keys.get("general.architecture", ""))
    if "general.architecture" not in keys:
        writer.kv_data[0].clear()
    for name, value in keys.items():
        if name == "general.alignment":
            writer.add_custom_alignment(value)
        elif isinstance(value, list):
            writer.add_key_value(name, value, GGUFValueType.ARRAY, _value_type(value[0]))
        elif name != "general.architecture":
            writer.add_key_value(name, value, _value_type(value))
    for name, tensor in tensors.items():
        if isinstance(tensor, Raw):
            writer.add_tensor(name, tensor.data, raw_dtype=tensor.kind)
        else:
            writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def twin(path, keys, tensors):
    """The same model with every tensor in F32; a scale beside an NVFP4 tensor is multiplied into it."""
    out = {}
    for name, tensor in tensors.items():
        if name.endswith((".scale", ".input_scale")):
            continue
        values = floats(tensor)
        scale = tensors.get(name.removesuffix("weight") + "scale")
        if name.endswith(".weight") and scale is not None:
            values = values * scale.reshape([-1] + [1] * (values.ndim - 1) if len(scale) > 1 else [1] * values.ndim)
        out[name] = np.ascontiguousarray(values, np.float32)
    write(path, keys, out)


def read(path):
    """Keys and tensors of a file, as `write` takes them."""
    reader = GGUFReader(path)
    keys = {}
    for field in reader.fields.values():
        if field.name.startswith("GGUF."):
            continue
        value = field.contents()
        if field.types[0] == GGUFValueType.ARRAY and not value:
            continue
        if field.types[-1] == GGUFValueType.INT32:
            value = [np.int32(v) for v in value] if isinstance(value, list) else np.int32(value)
        keys[field.name] = value
    tensors = {}
    for t in reader.tensors:
        plain = t.tensor_type in (Type.F16, Type.F32)
        tensors[t.name] = np.array(t.data) if plain else Raw(t.tensor_type, np.array(t.data))
    return keys, tensors


def split(prefix, keys, tensors, count, empty_first):
    """Writes PREFIX-00001-of-0000N.gguf and so on: all keys in the first, runs of tensors in each, as gguf-split does."""
    names = list(tensors)
    with_tensors = count - 1 if empty_first else count
    per_file = -(-len(names) // with_tensors)
    runs = [[]] * (count - with_tensors) + [names[i * per_file : (i + 1) * per_file] for i in range(with_tensors)]
    paths = []
    for i, run in enumerate(runs):
        part = dict(keys) if i == 0 else {}
        part |= {"split.no": np.uint16(i), "split.count": np.uint16(count), "split.tensors.count": np.int32(len(names))}
        paths.append(Path(f"{prefix}-{i + 1:05}-of-{count:05}.gguf"))
        write(paths[-1], part, {n: tensors[n] for n in run})
    return paths


class Quantizer:
    """ggml's quantizers, from a libggml-base."""

    def __init__(self, library):
        self.quantize = ctypes.CDLL(library).ggml_quantize_chunk
        self.quantize.restype = ctypes.c_size_t
        self.quantize.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p]

    def raw(self, values, kind):
        """The values in blocks, or as F16 where a row is not a whole number of them."""
        length, size = GGML_QUANT_SIZES[kind]
        cols = values.shape[-1]
        if cols % length:
            return values.astype(np.float16)
        rows = np.ascontiguousarray(values, np.float32).reshape(-1, cols)
        out = np.empty((len(rows), cols // length * size), np.uint8)
        weights = np.ones(cols, np.float32)
        written = self.quantize(kind, rows.ctypes.data, out.ctypes.data, 0, len(rows), cols, weights.ctypes.data)
        assert written == out.nbytes, (kind, written)
        return Raw(kind, out.reshape(*values.shape[:-1], -1))

    def matrices(self, tensors, kind, others):
        """Every F16 tensor in `kind`; those whose name has one of `others` in the type that it says."""
        out = {}
        for name, tensor in tensors.items():
            special = next((k for part, k in others.items() if part in name), kind)
            out[name] = self.raw(tensor, special) if tensor.dtype == np.float16 else tensor
        return out
