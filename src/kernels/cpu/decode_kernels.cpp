#include "kernels/cpu/decode_kernels.h"

#include <cstdint>
#include <cstring>

#include "kernels/cpu/lanes.h"
#include "kernels/cpu/product_tiles.h"

// Compiled once for each instruction set, TRITONRL_ISA.
namespace tritonrl::kernels::cpu {
namespace {

// A tile of kScoreRows x 4 sums, a row's lanes and four keys' fill the registers.
#if defined(__AVX512F__)
constexpr int kScoreRows = 6;
#else
constexpr int kScoreRows = 2;
#endif
constexpr int kTileColumns = 4;
using Four = float __attribute__((vector_size(4 * sizeof(float))));

// The sums of four vectors.
inline Four sums_of(Lanes a, Lanes b, Lanes c, Lanes d) {
#if defined(__AVX512F__)
  const auto pairs = [](Lanes x, Lanes y) {
    return __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29) +
           __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  };
  const Lanes ab = pairs(a, b);
  const Lanes cd = pairs(c, d);
  const Lanes fours = __builtin_shufflevector(ab, cd, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
                      __builtin_shufflevector(ab, cd, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  return (__builtin_shufflevector(fours, fours, 0, 1, 2, 3) + __builtin_shufflevector(fours, fours, 4, 5, 6, 7)) +
         (__builtin_shufflevector(fours, fours, 8, 9, 10, 11) + __builtin_shufflevector(fours, fours, 12, 13, 14, 15));
#elif defined(__AVX2__)
  const auto pairs = [](Lanes x, Lanes y) {
    return __builtin_shufflevector(x, y, 0, 8, 1, 9, 4, 12, 5, 13) +
           __builtin_shufflevector(x, y, 2, 10, 3, 11, 6, 14, 7, 15);
  };
  const Lanes ab = pairs(a, b);
  const Lanes cd = pairs(c, d);
  const Lanes fours = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
                      __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(fours, fours, 0, 1, 2, 3) + __builtin_shufflevector(fours, fours, 4, 5, 6, 7);
#else
  const auto pairs = [](Lanes x, Lanes y) {
    return __builtin_shufflevector(x, y, 0, 4, 1, 5) + __builtin_shufflevector(x, y, 2, 6, 3, 7);
  };
  const Lanes ab = pairs(a, b);
  const Lanes cd = pairs(c, d);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
#endif
}

// rows[r] . weights[c] for all r and c; strides count floats.
struct DotProblem {
  const float* rows;
  std::int64_t row_stride;
  const float* weights;
  std::int64_t weight_stride;
  std::int64_t length;
  float* out;
  std::int64_t out_stride;
  const float* ahead;  // weights that are wanted after these, at the same stride: fetched meanwhile
};

// Weights that will be wanted soon.
struct Ahead {
  const float* weights;
  std::int64_t count;
};

template <int kRows, int kColumns>
void dot_tile(const DotProblem& p, std::int64_t row, std::int64_t column, const Ahead& ahead) {
  const float* rows = p.rows + row * p.row_stride;
  const float* weights = p.weights + column * p.weight_stride;
  Lanes total[kRows][4] = {};
  const auto step = [&](std::int64_t at, auto extent) {
    for (std::int64_t i = 0; i < ahead.count; ++i) __builtin_prefetch(ahead.weights + i * p.weight_stride + at);
    Lanes weight[kColumns];
    for (int c = 0; c < kColumns; ++c) weight[c] = load(weights + c * p.weight_stride + at, extent);
    for (int r = 0; r < kRows; ++r) {
      const Lanes lanes = load(rows + r * p.row_stride + at, extent);
      for (int c = 0; c < kColumns; ++c) total[r][c] = multiply_add(lanes, weight[c], total[r][c]);
    }
  };
  for_lanes(p.length, step);
  for (int r = 0; r < kRows; ++r) {
    const Four sums = sums_of(total[r][0], total[r][1], total[r][2], total[r][3]);
    std::memcpy(p.out + (row + r) * p.out_stride + column, &sums, kColumns * sizeof(float));
  }
}

template <int kColumns>
void dot_columns(const DotProblem& p, std::int64_t begin, std::int64_t end, std::int64_t column) {
  // Each tile fetches its share of what comes ahead.
  const std::int64_t share = end - begin < kScoreRows ? kColumns : 1;
  std::int64_t fetched = 0;
  const auto ahead = [&] {
    const Ahead next{p.ahead + (column + fetched) * p.weight_stride, least(share, kColumns - fetched)};
    fetched += next.count;
    return next;
  };
  std::int64_t row = begin;
  for (; row + kScoreRows <= end; row += kScoreRows) dot_tile<kScoreRows, kColumns>(p, row, column, ahead());
  for (; row + 2 <= end; row += 2) dot_tile<2, kColumns>(p, row, column, ahead());
  for (; row < end; ++row) dot_tile<1, kColumns>(p, row, column, ahead());
}

float greatest_in(const float* values, std::int64_t count) {
  Lanes greatest = splat(values[0]);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) greatest = greater_of(load(values + i, Whole{}), greatest);
  float result = greatest_of(greatest);
  for (; i < count; ++i) result = values[i] > result ? values[i] : result;
  return result;
}

// out = exp((values - shift) * scale); their sum.
float exponentials(const float* values, std::int64_t count, float shift, float scale, float* out) {
  Lanes total{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes value = exp_of((load(values + i, Whole{}) - shift) * scale);
    store(out + i, value, Whole{});
    total += value;
  }
  float rest = 0;
  if (const Part part{count - i}; part.count > 0) {
    store(out + i, exp_of((load(values + i, part) - shift) * scale), part);
    for (; i < count; ++i) rest += out[i];
  }
  return sum_of(total) + rest;
}

// kVectors vectors of one query's result.
template <int kVectors, typename Extent>
void weigh_values(const float* values, const float* ahead, std::int64_t slot_stride, const float* weights,
                  std::int64_t count, float* out, Extent extent) {
  Lanes total[kVectors];
  for (int v = 0; v < kVectors; ++v) total[v] = load(out + v * kLanes, extent);
  for (std::int64_t i = 0; i < count; ++i, values += slot_stride, ahead += slot_stride) {
    for (int v = 0; v < kVectors; ++v) __builtin_prefetch(ahead + v * kLanes);
    for (int v = 0; v < kVectors; ++v) total[v] += load(values + v * kLanes, extent) * weights[i];
  }
  for (int v = 0; v < kVectors; ++v) store(out + v * kLanes, total[v], extent);
}

// Slots are read in the order in which they lie, all heads of one before the next: memory is what takes the time.
void attend(const AttendProblem& p) {
  const std::int64_t pages = (p.context_length + p.page_size - 1) / p.page_size;
  const std::int64_t stride = pages * p.page_size;
  const std::int64_t heads = p.kv_heads * p.group;
  const auto page_of = [&](const float* all, std::int64_t page) {
    return all + p.pages[page] * p.page_size * p.slot_stride;
  };
  for (std::int64_t page = 0; page < pages; ++page) {
    const std::int64_t start = page * p.page_size;
    const std::int64_t count = least(p.page_size, p.context_length - start);
    const float* keys = page_of(p.keys, page);
    const float* ahead = page + 1 < pages ? page_of(p.keys, page + 1) : page_of(p.values, 0);
    for (std::int64_t slot = 0; slot < count; slot += kTileColumns) {
      for (std::int64_t kv_head = 0; kv_head < p.kv_heads; ++kv_head) {
        const DotProblem scores{.rows = p.queries + kv_head * p.group * p.length,
                                .row_stride = p.length,
                                .weights = keys + slot * p.slot_stride + kv_head * p.length,
                                .weight_stride = p.slot_stride,
                                .length = p.length,
                                .out = p.scores + kv_head * p.group * stride + start + slot,
                                .out_stride = stride,
                                .ahead = ahead + slot * p.slot_stride + kv_head * p.length};
        if (slot + kTileColumns <= count) {
          dot_columns<kTileColumns>(scores, 0, p.group, 0);
        } else {
          for (std::int64_t i = 0; slot + i < count; ++i) dot_columns<1>(scores, 0, p.group, i);
        }
      }
    }
  }
  for (std::int64_t i = 0; i < heads * p.length; ++i) p.out[i] = 0;
  for (std::int64_t head = 0; head < heads; ++head) {
    float* scores = p.scores + head * stride;
    const float greatest = greatest_in(scores, p.context_length);
    const float share = 1 / exponentials(scores, p.context_length, greatest, p.scale, scores);
    for (std::int64_t i = 0; i < p.context_length; ++i) scores[i] *= share;
  }
  for (std::int64_t page = 0; page < pages; ++page) {
    const std::int64_t start = page * p.page_size;
    const std::int64_t count = least(p.page_size, p.context_length - start);
    for (std::int64_t head = 0; head < heads; ++head) {
      const float* values = page_of(p.values, page) + head / p.group * p.length;
      const float* ahead = page_of(p.values, page + 1 < pages ? page + 1 : page) + head / p.group * p.length;
      const float* weights = p.scores + head * stride + start;
      float* out = p.out + head * p.length;
      std::int64_t at = 0;
      for (; at + 4 * kLanes <= p.length; at += 4 * kLanes) {
        weigh_values<4>(values + at, ahead + at, p.slot_stride, weights, count, out + at, Whole{});
      }
      for (; at + kLanes <= p.length; at += kLanes) {
        weigh_values<1>(values + at, ahead + at, p.slot_stride, weights, count, out + at, Whole{});
      }
      if (at < p.length) {
        weigh_values<1>(values + at, ahead + at, p.slot_stride, weights, count, out + at, Part{p.length - at});
      }
    }
  }
}

// What of the weights is not below a bound.
struct Mass {
  float sum = 0;
  std::int64_t count = 0;
};

Mass mass_from(const float* weights, std::int64_t count, float bound) {
  Lanes total{};
  IntLanes kept{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Lanes value = load(weights + i, Whole{});
    const IntLanes in = value >= bound;
    total += in ? value : Lanes{};
    kept -= in;
  }
  Mass mass{.sum = sum_of(total)};
  for (std::int64_t lane = 0; lane < kLanes; ++lane) mass.count += kept[lane];
  for (; i < count; ++i) {
    if (weights[i] < bound) continue;
    mass.sum += weights[i];
    ++mass.count;
  }
  return mass;
}

// The largest bound whose mass is `enough`. Weights lie in [0, 1], where floats are ordered as their bits are.
template <typename Enough>
float bound_of(const float* weights, std::int64_t count, float lowest, const Enough& enough) {
  std::int32_t low = __builtin_bit_cast(std::int32_t, lowest);
  std::int32_t high = __builtin_bit_cast(std::int32_t, 1.0F) + 1;
  while (high - low > 1) {
    const std::int32_t middle = low + (high - low) / 2;
    (enough(mass_from(weights, count, __builtin_bit_cast(float, middle))) ? low : high) = middle;
  }
  return __builtin_bit_cast(float, low);
}

// The first weight, of those not below the bound, at which the running sum passes `wanted`; the last of them where
// rounding keeps it from passing.
std::int64_t find_by_sum(const float* weights, std::int64_t count, float bound, double wanted) {
  constexpr std::int64_t kBlock = 256;
  double before = 0;
  std::int64_t last = 0;  // a block that has some
  for (std::int64_t start = 0; start < count; start += kBlock) {
    const Mass block = mass_from(weights + start, least(kBlock, count - start), bound);
    if (block.count == 0) continue;
    last = start;
    if (before + block.sum > wanted) break;
    before += block.sum;
  }
  std::int64_t found = last;
  for (std::int64_t i = last; i < least(last + kBlock, count) && before <= wanted; ++i) {
    if (weights[i] < bound) continue;
    found = i;
    before += weights[i];
  }
  return found;
}

Drawn draw(const DrawProblem& p) {
  const float greatest = greatest_in(p.logits, p.count);
  const float raw_log_sum = __builtin_logf(exponentials(p.logits, p.count, greatest, 1, p.scratch));
  const auto drawn = [&](std::int64_t id, float log_prob) {
    return Drawn{.id = id, .log_prob = log_prob, .raw_log_prob = (p.logits[id] - greatest) - raw_log_sum};
  };
  if (p.temperature == 0) {
    std::int64_t id = 0;
    while (id + 1 < p.count && p.logits[id] != greatest) ++id;
    return drawn(id, 0);
  }
  const float scale = 1 / p.temperature;
  if (scale != 1) exponentials(p.logits, p.count, greatest, scale, p.scratch);
  const float* weights = p.scratch;
  float bound = __builtin_bit_cast(float, 1);  // above zero: what has no weight is never drawn
  if (p.top_k > 0 && p.top_k < p.count) {
    bound = bound_of(weights, p.count, bound, [&](const Mass& mass) { return mass.count >= p.top_k; });
  }
  if (p.top_p < 1) {
    const float wanted = p.top_p * mass_from(weights, p.count, bound).sum;
    bound = bound_of(weights, p.count, bound, [&](const Mass& mass) { return mass.sum >= wanted; });
  }
  bound = p.min_p > bound ? p.min_p : bound;
  const float kept = mass_from(weights, p.count, bound).sum;
  const std::int64_t id = find_by_sum(weights, p.count, bound, p.uniform * static_cast<double>(kept));
  return drawn(id, (p.logits[id] - greatest) * scale - __builtin_logf(kept));
}

}  // namespace

namespace TRITONRL_ISA {
const DecodeKernels& decode_table() {
  static constexpr DecodeKernels kTable{.multiply = multiply, .attend = attend, .draw = draw};
  return kTable;
}
}  // namespace TRITONRL_ISA

}  // namespace tritonrl::kernels::cpu
