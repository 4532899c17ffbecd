#include <cstdint>

#include "kernels/cuda_lanes.cuh"
#include "kernels/sample_tokens.h"

// A row of logits is summed up in parts by as many blocks, so that one draw alone has the whole device. Then a block a
// draw finds the part and the token in it. Filters cost that block another 31 times the row, which then comes from the
// second cache, as they find the exact bound by halving.
namespace tritonrl::kernels::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / kWarp;
constexpr int kEach = 8;  // neighbouring logits of a thread
constexpr std::int64_t kPart = kThreads * kEach;

std::int64_t parts_of(std::int64_t vocabulary) { return (vocabulary + kPart - 1) / kPart; }

// Of a part: sums of exp(logit - greatest), and of the same at the temperature.
struct Part {
  float greatest;
  float raw_sum;
  float sum;
};

// philox4x32-10, as base::philox4x32 has it.
__device__ double uniform(std::uint64_t seed, std::uint32_t position) {
  std::uint32_t counter[4] = {position, 0, 0, 0};
  std::uint32_t key[2] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53U} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57U} * counter[2];
    const std::uint32_t next[4] = {
        static_cast<std::uint32_t>(second >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
        static_cast<std::uint32_t>(first >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    for (int i = 0; i < 4; ++i) counter[i] = next[i];
    key[0] += 0x9E3779B9U;
    key[1] += 0xBB67AE85U;
  }
  const std::uint64_t bits = (std::uint64_t{counter[0]} << 21U) ^ (counter[1] >> 11U);
  return static_cast<double>(bits) * 0x1p-53;
}

struct Logits {
  float of[kEach];
};

// This thread's of a part; -infinity past the row's end.
__device__ Logits load_logits(const float* row, std::int64_t count, std::int64_t part) {
  const std::int64_t begin = part * kPart + threadIdx.x * kEach;
  Logits logits;
  if (count % 4 == 0 && begin + kEach <= count) {
#pragma unroll
    for (int i = 0; i < kEach; i += 4) {
      const auto four = load_pack<4>(row + begin + i);
      for (int j = 0; j < 4; ++j) logits.of[i + j] = four.values[j];
    }
  } else {
#pragma unroll
    for (int i = 0; i < kEach; ++i) logits.of[i] = begin + i < count ? row[begin + i] : -INFINITY;
  }
  return logits;
}

__device__ float greatest_of(const Logits& logits) {
  float greatest = logits.of[0];
#pragma unroll
  for (int i = 1; i < kEach; ++i) greatest = fmaxf(greatest, logits.of[i]);
  return greatest;
}

__global__ void __launch_bounds__(kThreads) sum_parts(SampleTokens work, Part* parts) {
  const std::int64_t draw = blockIdx.y;
  const Logits logits = load_logits(work.logits + work.rows[draw] * work.vocabulary, work.vocabulary,
                                    static_cast<std::int64_t>(blockIdx.x));
  const float temperature = work.temperatures[draw];
  const float scale = temperature == 0 ? 1 : 1 / temperature;
  const float greatest = block_max(greatest_of(logits));
  // Against -infinity nothing is subtracted: the sums are zero.
  const float from = greatest == -INFINITY ? 0 : greatest;
  float raw_sum = 0;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    raw_sum += expf(logits.of[i] - from);
    sum += expf((logits.of[i] - from) * scale);
  }
  raw_sum = block_sum(raw_sum);
  sum = block_sum(sum);
  if (threadIdx.x == 0) parts[draw * gridDim.x + blockIdx.x] = {greatest, raw_sum, sum};
}

struct Row {
  const float* logits;
  std::int64_t count;
  std::int64_t parts;
  float greatest;
  float scale;

  __device__ float weight(float logit) const { return expf((logit - greatest) * scale); }
  // This thread's sum of the weights in a part that are not below the bound.
  __device__ float sum_from(float bound, std::int64_t part) const {
    const Logits logits_here = load_logits(logits, count, part);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const float one = weight(logits_here.of[i]);
      sum += one >= bound ? one : 0.0F;
    }
    return sum;
  }
  // Of the whole row; every thread gets it.
  __device__ float sum_from(float bound) const {
    float sum = 0;
    for (std::int64_t part = 0; part < parts; ++part) sum += sum_from(bound, part);
    return block_sum(sum);
  }
  __device__ float count_from(float bound) const {
    float kept = 0;  // exact up to 2^24
    for (std::int64_t part = 0; part < parts; ++part) {
      const Logits logits_here = load_logits(logits, count, part);
#pragma unroll
      for (int i = 0; i < kEach; ++i) kept += weight(logits_here.of[i]) >= bound ? 1.0F : 0.0F;
    }
    return block_sum(kept);
  }
};

// The largest bound at which `enough` holds; weights lie in [0, 1], where floats are ordered as their bits are.
template <typename Enough>
__device__ float bound_of(float lowest, const Enough& enough) {
  int low = __float_as_int(lowest);
  int high = __float_as_int(1.0F) + 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (enough(__int_as_float(middle)) ? low : high) = middle;
  }
  return __int_as_float(low);
}

struct Range {
  double begin;
  double end;
};

// The sum of the values of threads before this one, and with its own. The end of a thread is the begin of the next, to
// the bit.
__device__ Range running_sum(double value) {
  __shared__ double of_warp[kWarps];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  double inclusive = value;
  for (int step = 1; step < kWarp; step *= 2) {
    const double other = __shfl_up_sync(0xffffffffU, inclusive, step);
    if (lane >= step) inclusive += other;
  }
  const double exclusive = __shfl_up_sync(0xffffffffU, inclusive, 1);
  if (lane == kWarp - 1) of_warp[warp] = inclusive;
  __syncthreads();
  double before = 0;
  for (int other = 0; other < warp; ++other) before += of_warp[other];
  return {before + (lane == 0 ? 0 : exclusive), before + inclusive};
}

// Where the running sum of a part's weights passes `wanted`; where rounding keeps it from passing, the last weight.
__device__ std::int64_t find_in_part(const Row& row, std::int64_t part, float bound, double wanted) {
  __shared__ int owner;
  __shared__ int last;
  __shared__ std::int64_t found;
  if (threadIdx.x == 0) {
    owner = -1;
    last = 0;
    found = part * kPart;
  }
  const Range range = running_sum(row.sum_from(bound, part));  // also waits for the three above
  const int self = static_cast<int>(threadIdx.x);
  if (range.end > range.begin) atomicMax(&last, self);
  if (range.begin <= wanted && wanted < range.end) owner = self;
  __syncthreads();
  if (self == (owner < 0 ? last : owner)) {
    const Logits logits = load_logits(row.logits, row.count, part);
    double reached = range.begin;
    for (int i = 0; i < kEach && reached <= wanted; ++i) {
      const float one = row.weight(logits.of[i]);
      if (one < bound) continue;
      found = part * kPart + self * kEach + i;
      reached += one;
    }
  }
  __syncthreads();
  return found;
}

struct Chosen {
  std::int64_t part;
  double wanted;  // of the part's sum
};

// The part in which the running sum over `sums` passes the share of all.
__device__ Chosen choose_part(const float* sums, std::int64_t parts, double share) {
  __shared__ Chosen chosen;
  if (threadIdx.x == 0) {
    double all = 0;
    for (std::int64_t part = 0; part < parts; ++part) all += sums[part];
    const double wanted = share * all;
    double reached = 0;
    chosen = {0, 0};
    for (std::int64_t part = 0; part < parts; ++part) {
      if (!(sums[part] > 0)) continue;
      chosen = {part, wanted - reached};
      reached += sums[part];
      if (reached > wanted) break;
    }
  }
  __syncthreads();
  return chosen;
}

__device__ std::int64_t first_greatest(const Row& row, const Part* parts) {
  __shared__ unsigned long long first;
  if (threadIdx.x == 0) first = static_cast<unsigned long long>(row.count - 1);
  __syncthreads();
  for (std::int64_t part = 0; part < row.parts; ++part) {
    if (parts[part].greatest != row.greatest) continue;
    const Logits logits = load_logits(row.logits, row.count, part);
    for (int i = 0; i < kEach; ++i) {
      if (logits.of[i] != row.greatest) continue;
      atomicMin(&first, static_cast<unsigned long long>(part * kPart + threadIdx.x * kEach + i));
      break;
    }
    break;
  }
  __syncthreads();
  return static_cast<std::int64_t>(first);
}

__global__ void __launch_bounds__(kThreads) draw_tokens(SampleTokens work, const Part* all_parts) {
  extern __shared__ float sums[];  // of the parts, at the temperature and above the bound
  const std::int64_t draw = blockIdx.x;
  const float temperature = work.temperatures[draw];
  Row row{.logits = work.logits + work.rows[draw] * work.vocabulary,
          .count = work.vocabulary,
          .parts = (work.vocabulary + kPart - 1) / kPart,
          .greatest = 0,
          .scale = temperature == 0 ? 1 : 1 / temperature};
  const Part* parts = all_parts + draw * row.parts;
  float greatest = -INFINITY;
  for (std::int64_t part = threadIdx.x; part < row.parts; part += kThreads) {
    greatest = fmaxf(greatest, parts[part].greatest);
  }
  row.greatest = block_max(greatest);
  float raw_sum = 0;
  float sum = 0;
  for (std::int64_t part = threadIdx.x; part < row.parts; part += kThreads) {
    const Part one = parts[part];
    const float below = one.greatest - row.greatest;
    raw_sum += one.raw_sum == 0 ? 0 : one.raw_sum * expf(below);
    sums[part] = one.sum == 0 ? 0 : one.sum * expf(below * row.scale);
    sum += sums[part];
  }
  raw_sum = block_sum(raw_sum);

  std::int64_t id = 0;
  float log_prob = 0;
  if (temperature == 0) {
    id = first_greatest(row, parts);
  } else {
    float kept = block_sum(sum);
    float bound = __int_as_float(1);  // above zero: what has no weight is never drawn
    const bool filtered =
        (work.top_k[draw] > 0 && work.top_k[draw] < row.count) || work.top_p[draw] < 1 || work.min_p[draw] > 0;
    if (filtered) {
      const auto top_k = static_cast<float>(work.top_k[draw]);
      if (top_k > 0 && work.top_k[draw] < row.count) {
        bound = bound_of(bound, [&](float middle) { return row.count_from(middle) >= top_k; });
      }
      const float top_p = work.top_p[draw];
      if (top_p < 1) {
        const float wanted = top_p * row.sum_from(bound);
        bound = bound_of(bound, [&](float middle) { return row.sum_from(middle) >= wanted; });
      }
      bound = fmaxf(bound, work.min_p[draw]);
      kept = row.sum_from(bound);
      for (std::int64_t part = 0; part < row.parts; ++part) {
        const float of_part = block_sum(row.sum_from(bound, part));
        if (threadIdx.x == 0) sums[part] = of_part;
      }
    }
    const double share =
        uniform(static_cast<std::uint64_t>(work.seeds[draw]), static_cast<std::uint32_t>(work.positions[draw]));
    const Chosen chosen = choose_part(sums, row.parts, share);
    id = find_in_part(row, chosen.part, bound, chosen.wanted);
    log_prob = (row.logits[id] - row.greatest) * row.scale - logf(kept);
  }
  if (threadIdx.x != 0) return;
  work.ids[draw] = id;
  work.log_probs[draw] = log_prob;
  work.raw_log_probs[draw] = (row.logits[id] - row.greatest) - logf(raw_sum);
}

}  // namespace

std::int64_t sample_tokens_scratch(const SampleTokens& work) {
  return work.draws * parts_of(work.vocabulary) * static_cast<std::int64_t>(sizeof(Part) / sizeof(float));
}

void sample_tokens(const SampleTokens& work, Stream stream) {
  if (work.draws == 0) return;
  const auto draws = static_cast<unsigned>(work.draws);
  const auto parts = static_cast<unsigned>(parts_of(work.vocabulary));
  auto* const sums = reinterpret_cast<Part*>(work.scratch);
  sum_parts<<<dim3(parts, draws), kThreads, 0, stream>>>(work, sums);
  draw_tokens<<<draws, kThreads, parts * sizeof(float), stream>>>(work, sums);
  check_launch("sample_tokens");
}

}  // namespace tritonrl::kernels::cuda
