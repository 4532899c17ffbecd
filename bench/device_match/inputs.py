"""Inputs from a name: the same bytes on every machine. Only random_raw and IEEE arithmetic are used, since numpy may
change its distributions and libm differs between machines."""

import zlib

import numpy as np

from dtypes import INTEGERS, PRECISION, UNSIGNED, decode, encode, is_float, storage, width

COUNT = 2048


class Source:
    def __init__(self, name):
        self._generator = np.random.PCG64(zlib.crc32(name.encode()))

    def raw(self, count):
        return self._generator.random_raw(count)

    def uniform(self, count, low=0.0, high=1.0):
        return low + (high - low) * ((self.raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53)

    def normal(self, count, scale=1.0):
        """About normal: the sum of four uniform numbers."""
        total = sum(self.uniform(count, -1.0, 1.0) for _ in range(4))
        return total * (scale * 0.875)

    def integers(self, count, low, high):
        """low <= x < high, as int64."""
        return low + (self.raw(count) % np.uint64(high - low)).astype(np.int64)

    def bits(self, count, dtype):
        """Any bit pattern of the type."""
        if dtype == "i1":
            return (self.raw(count) & np.uint64(1)).astype(np.bool_)
        return np.frombuffer(self.raw(count).tobytes(), dtype=np.uint64).astype(f"u{storage(dtype).itemsize}").view(storage(dtype))

    def spread(self, count, dtype, low=-20, high=20):
        """Numbers of both signs whose exponents lie evenly in [low, high)."""
        mantissa = self.uniform(count, 1.0, 2.0) * np.where(self.raw(count) & np.uint64(1), 1.0, -1.0)
        return encode(np.ldexp(mantissa, self.integers(count, low, high)), dtype)

    def values(self, count, dtype):
        """Special values, numbers of moderate size and arbitrary patterns, mixed."""
        if dtype == "i1":
            return self.bits(count, dtype)
        special = specials(dtype)
        if is_float(dtype):
            low = max(-20, PRECISION[dtype][1])
            moderate = self.spread(count, dtype, low, min(20, -PRECISION[dtype][1]))
        else:
            moderate = self.integers(count, 0 if dtype in UNSIGNED else -100, 100).astype(storage(dtype))
        anything = self.bits(count, dtype)
        choice = self.integers(count, 0, 3)
        mixed = np.where(choice == 0, moderate, anything)
        mixed = np.where(choice == 1, special[self.integers(count, 0, len(special))], mixed)
        mixed[: len(special)] = special[:count]
        return mixed.astype(storage(dtype))

    def pairs(self, count, dtype):
        """Two arrays of values(), every pair of special values among them."""
        x, y = self.values(count, dtype), self.values(count, dtype)
        if dtype == "i1":
            return x, y
        special = specials(dtype)
        room = min(count, len(special) ** 2)
        index = np.arange(room)
        x[:room] = special[index // len(special)]
        y[:room] = special[index % len(special)]
        return x, y


def specials(dtype):
    if dtype in INTEGERS:
        info = np.iinfo(storage(dtype))
        some = [0, 1, 2, 3, 7, 10, info.max, info.max - 1, info.max // 2, info.max // 2 + 1, 100]
        if info.min < 0:
            some += [-1, -2, -3, -7, -10, info.min, info.min + 1, info.min // 2, -100]
        return np.array(some, dtype=storage(dtype))
    mantissa, smallest = PRECISION[dtype]
    unit = 2.0**-mantissa
    some = [0.0, 1.0, 1.0 + unit, 1.0 - unit / 2, 0.5, 1.5, 2.5, 3.5, 2.0, 3.0, 1.0 / 3.0, 100.0]
    some += [2.0**smallest, 2.0 ** (smallest - mantissa), 2.0**smallest * (1 - unit), 2.0**smallest * 1.5]
    patterns = [encode(np.array(some), dtype)]
    if dtype == "f8e4":
        top = np.array([0x7E, 0x7F], dtype=np.uint8)  # largest, NaN
    else:
        infinity = bits_of_infinity(dtype)
        size = storage(dtype).itemsize
        quiet = infinity + (1 << (mantissa - 1))
        top = np.array([infinity - 1, infinity, quiet], dtype=f"u{size}").view(storage(dtype))
    patterns.append(top)
    positive = np.concatenate(patterns)
    sign = np.array(1 << (width(dtype) - 1), dtype=f"u{storage(dtype).itemsize}")
    negative = (positive.view(sign.dtype) | sign).view(storage(dtype))
    return np.concatenate([positive, negative])


def bits_of_infinity(dtype):
    mantissa = PRECISION[dtype][0]
    return ((1 << (width(dtype) - 1 - mantissa)) - 1) << mantissa


def finite(array, dtype, otherwise=1.0):
    """The same array with NaN and infinity replaced."""
    return np.where(np.isfinite(decode(array, dtype)), array, encode(np.array(otherwise), dtype)).astype(storage(dtype))
