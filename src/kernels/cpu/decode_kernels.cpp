#include "kernels/cpu/decode_kernels.h"

#include <cstdint>
#include <cstring>

#include "kernels/cpu/lanes.h"
#include "kernels/cpu/product_tiles.h"

// Compiled once for each instruction set, TRITONRL_ISA.
namespace tritonrl::kernels::cpu {
namespace {

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

// Into the second cache, which waits for more lines at once than the first does.
inline void fetch_ahead(const float* line) { __builtin_prefetch(line, 0, 2); }

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

// A page's keys or values of one key head, for the queries that share it.
struct HeadPage {
  const float* slots;
  const float* ahead;  // what is wanted next, fetched meanwhile
  std::int64_t slot_stride;
  std::int64_t count;
  std::int64_t length;
  float* scores;  // the first query's, of the page's slots
  std::int64_t score_stride;
};

// The scores of kSlots slots, for neighbouring queries.
template <int kQueries, int kSlots>
inline void score_slots(const HeadPage& p, const float* queries, bool fetches, std::int64_t slot, float* scores) {
  const float* keys = p.slots + slot * p.slot_stride;
  const float* ahead = p.ahead + slot * p.slot_stride;
  Lanes total[kQueries][kSlots];
  for (auto& of_query : total) {
    for (Lanes& sum : of_query) sum = Lanes{};
  }
  for_lanes(p.length, [&](std::int64_t at, auto extent) {
    Lanes key[kSlots];
    for (int i = 0; i < kSlots; ++i) {
      if (fetches) fetch_ahead(ahead + i * p.slot_stride + at);
      key[i] = load(keys + i * p.slot_stride + at, extent);
    }
    for (int q = 0; q < kQueries; ++q) {
      const Lanes query = load(queries + q * p.length + at, extent);
      for (int i = 0; i < kSlots; ++i) total[q][i] = multiply_add(query, key[i], total[q][i]);
    }
  });
  for (int q = 0; q < kQueries; ++q) {
    const auto slot_or_none = [&](int i) { return i < kSlots ? total[q][i] : Lanes{}; };
    const Four sums = sums_of(slot_or_none(0), slot_or_none(1), slot_or_none(2), slot_or_none(3));
    std::memcpy(scores + q * p.score_stride + slot, &sums, kSlots * sizeof(float));
  }
}

template <int kQueries>
void score_page(const HeadPage& p, const float* queries, std::int64_t query) {
  float* scores = p.scores + query * p.score_stride;
  queries += query * p.length;
  std::int64_t slot = 0;
  for (; slot + 4 <= p.count; slot += 4) score_slots<kQueries, 4>(p, queries, query == 0, slot, scores);
  for (; slot < p.count; ++slot) score_slots<kQueries, 1>(p, queries, query == 0, slot, scores);
}

// kVectors vectors, from `at` on, of neighbouring queries' results.
template <int kQueries, int kVectors, typename Extent>
inline void weigh_values(const HeadPage& p, const float* weights, bool fetches, std::int64_t at, float* out,
                         Extent extent) {
  Lanes total[kQueries][kVectors];
  for (int q = 0; q < kQueries; ++q) {
    for (int v = 0; v < kVectors; ++v) total[q][v] = load(out + q * p.length + at + v * kLanes, extent);
  }
  for (std::int64_t i = 0; i < p.count; ++i) {
    const std::int64_t place = i * p.slot_stride + at;
    Lanes values[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      if (fetches) fetch_ahead(p.ahead + place + v * kLanes);
      values[v] = load(p.slots + place + v * kLanes, extent);
    }
    for (int q = 0; q < kQueries; ++q) {
      const Lanes weight = splat(weights[q * p.score_stride + i]);
      for (int v = 0; v < kVectors; ++v) total[q][v] = multiply_add(values[v], weight, total[q][v]);
    }
  }
  for (int q = 0; q < kQueries; ++q) {
    for (int v = 0; v < kVectors; ++v) store(out + q * p.length + at + v * kLanes, total[q][v], extent);
  }
}

template <int kQueries>
void weigh_page(const HeadPage& p, float* out, std::int64_t query) {
  const float* weights = p.scores + query * p.score_stride;
  const bool fetches = query == 0;
  out += query * p.length;
  std::int64_t at = 0;
  for (; at + 4 * kLanes <= p.length; at += 4 * kLanes) {
    weigh_values<kQueries, 4>(p, weights, fetches, at, out, Whole{});
  }
  for (; at + kLanes <= p.length; at += kLanes) weigh_values<kQueries, 1>(p, weights, fetches, at, out, Whole{});
  if (at < p.length) weigh_values<kQueries, 1>(p, weights, fetches, at, out, Part{p.length - at});
}

void attend(const AttendProblem& p) {
  const std::int64_t pages = (p.context_length + p.page_size - 1) / p.page_size;
  const std::int64_t stride = pages * p.page_size;
  const std::int64_t heads = p.kv_heads * p.group;
  const auto page_of = [&](const float* all, std::int64_t page) {
    return all + p.pages[page] * p.page_size * p.slot_stride;
  };
  // Calls use(page, kv_head) for everything in `all`, which `next` is wanted after.
  const auto for_pages = [&](const float* all, const float* next, const auto& use) {
    for (std::int64_t page = 0; page < pages; ++page) {
      const float* slots = page_of(all, page);
      const float* ahead = page + 1 < pages ? page_of(all, page + 1) : next;
      const std::int64_t start = page * p.page_size;
      for (std::int64_t kv_head = 0; kv_head < p.kv_heads; ++kv_head) {
        use({.slots = slots + kv_head * p.length,
             .ahead = ahead + kv_head * p.length,
             .slot_stride = p.slot_stride,
             .count = least(p.page_size, p.context_length - start),
             .length = p.length,
             .scores = p.scores + kv_head * p.group * stride + start,
             .score_stride = stride},
            kv_head);
      }
    }
  };
  for_pages(p.keys, page_of(p.values, 0), [&](const HeadPage& keys, std::int64_t kv_head) {
    const float* queries = p.queries + kv_head * p.group * p.length;
    std::int64_t query = 0;
    for (; query + 2 <= p.group; query += 2) score_page<2>(keys, queries, query);
    if (query < p.group) score_page<1>(keys, queries, query);
  });
  for (std::int64_t head = 0; head < heads; ++head) {
    float* scores = p.scores + head * stride;
    const float greatest = greatest_in(scores, p.context_length);
    const float share = 1 / exponentials(scores, p.context_length, greatest, p.scale, scores);
    for (std::int64_t i = 0; i < p.context_length; ++i) scores[i] *= share;
  }
  for (std::int64_t i = 0; i < heads * p.length; ++i) p.out[i] = 0;
  for_pages(p.values, p.next_keys, [&](const HeadPage& values, std::int64_t kv_head) {
    float* out = p.out + kv_head * p.group * p.length;
    std::int64_t query = 0;
    for (; query + 2 <= p.group; query += 2) weigh_page<2>(values, out, query);
    if (query < p.group) weigh_page<1>(values, out, query);
  });
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
