"""Element types of the cases. An array here holds the bits of its elements: bf16 lies in uint16, fp8 in uint8."""

import numpy as np

# name: (storage of the bits, name in torch)
DTYPES = {
    "i1": (np.bool_, "bool"),
    "i8": (np.int8, "int8"),
    "i16": (np.int16, "int16"),
    "i32": (np.int32, "int32"),
    "i64": (np.int64, "int64"),
    "u8": (np.uint8, "uint8"),
    "u16": (np.uint16, "uint16"),
    "u32": (np.uint32, "uint32"),
    "u64": (np.uint64, "uint64"),
    "f8e4": (np.uint8, "float8_e4m3fn"),
    "f8e5": (np.uint8, "float8_e5m2"),
    "f16": (np.float16, "float16"),
    "bf16": (np.uint16, "bfloat16"),
    "f32": (np.float32, "float32"),
    "f64": (np.float64, "float64"),
}
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("f16", "bf16", "f32", "f64")
FP8 = ("f8e4", "f8e5")

_UNSIGNED_OF_SIZE = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_SIGNED_OF_SIZE = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}

# mantissa bits, smallest exponent of a normal number
PRECISION = {"f8e4": (3, -6), "f8e5": (2, -14), "f16": (10, -14), "bf16": (7, -126), "f32": (23, -126), "f64": (52, -1022)}


def is_float(dtype):
    return dtype in PRECISION


def storage(dtype):
    return np.dtype(DTYPES[dtype][0])


def width(dtype):
    return 1 if dtype == "i1" else storage(dtype).itemsize * 8


def bits(array):
    """The elements as unsigned integers of the same size."""
    return array.view(np.uint8) if array.dtype == np.bool_ else array.view(_UNSIGNED_OF_SIZE[array.dtype.itemsize])


def _decode_fp8(patterns, mantissa_bits, bias, has_infinity):
    patterns = patterns.astype(np.int64)
    sign = np.where(patterns & 0x80, -1.0, 1.0)
    exponent = (patterns & 0x7F) >> mantissa_bits
    mantissa = (patterns & ((1 << mantissa_bits) - 1)).astype(np.float64) / (1 << mantissa_bits)
    normal = np.ldexp(1.0 + mantissa, exponent - bias)
    value = np.where(exponent == 0, np.ldexp(mantissa, 1 - bias), normal)
    if has_infinity:
        top = exponent == 31
        value = np.where(top, np.where(mantissa == 0, np.inf, np.nan), value)
    else:
        value = np.where((patterns & 0x7F) == 0x7F, np.nan, value)
    return sign * value


def decode(array, dtype):
    """The values as float64; only 64-bit integers lose digits."""
    if dtype == "bf16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    if dtype == "f8e4":
        return _decode_fp8(array, 3, 7, has_infinity=False)
    if dtype == "f8e5":
        return _decode_fp8(array, 2, 15, has_infinity=True)
    with np.errstate(all="ignore"):
        return array.astype(np.float64)


def encode(values, dtype):
    """float64 values, rounded to the nearest of a float type; the same bits on every machine."""
    values = np.asarray(values, dtype=np.float64)
    with np.errstate(all="ignore"):
        if dtype == "bf16":
            word = values.astype(np.float32).view(np.uint32).astype(np.uint64)
            rounded = ((word + 0x7FFF + ((word >> 16) & 1)) >> 16).astype(np.uint16)
            return np.where(np.isnan(values), np.uint16(0x7FC0), rounded)
        if dtype in FP8:
            table = decode(np.arange(256, dtype=np.uint8), dtype)
            finite = np.flatnonzero(np.isfinite(table))
            finite = finite[np.argsort(table[finite], kind="stable")]
            ordered = table[finite]
            middle = (ordered[1:] + ordered[:-1]) / 2
            return finite[np.searchsorted(middle, np.nan_to_num(values))].astype(np.uint8)
        return values.astype(storage(dtype))


def to_torch(array, dtype, device):
    import torch

    array = np.ascontiguousarray(array)
    if dtype == "i1":
        return torch.from_numpy(array.copy()).to(device)
    raw = torch.from_numpy(array.view(_SIGNED_OF_SIZE[array.dtype.itemsize]).copy())
    return raw.view(getattr(torch, DTYPES[dtype][1])).to(device)


def from_torch(tensor, dtype):
    import torch

    tensor = tensor.detach().cpu().contiguous()
    if dtype == "i1":
        return tensor.view(torch.uint8).numpy().astype(np.bool_)
    signed = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return tensor.view(signed).numpy().view(storage(dtype)).copy()
