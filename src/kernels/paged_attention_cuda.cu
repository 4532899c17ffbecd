#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "kernels/cuda_lanes.cuh"
#include "kernels/paged_attention.h"

// Attention over pages. Where each request has one query, bandwidth is all that counts: a block reads keys and values
// of one key head once, for all query heads that share it, and tensor cores do the arithmetic; long contexts are split
// over several blocks, and a second kernel joins them. Everything else goes to a plain kernel.
namespace tritonrl::kernels::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;
constexpr int kTile = 16;  // tokens of a warp at a time; they lie in one page
constexpr int kRows = 8;   // query heads of a product, padded
constexpr int kBlockTokens = kWarps * kTile;
constexpr int kBlocksEach = 2;  // of a multiprocessor: each thread has room for a tile of both keys and values
constexpr int kMostSplits = 64;
constexpr float kLog2e = 1.44269504F;  // exponentials are powers of two here

__device__ std::uint32_t pack(float low, float high, __nv_bfloat16 /*type*/) {
  const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&two);
}
__device__ std::uint32_t pack(float low, float high, __half /*type*/) {
  const __half2 two = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&two);
}

// d += a * b; of a only the first eight rows are there.
template <typename T>
__device__ void multiply(float (&d)[2], std::uint32_t a0, std::uint32_t a2, std::uint32_t b0, std::uint32_t b1) {
  [[maybe_unused]] float unused2;
  [[maybe_unused]] float unused3;
// The instruction's name is text.
#define TRITONRL_MULTIPLY(type)                                             \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type       \
               ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%5}, {%7,%8}, {%0,%1,%9,%9};" \
               : "+f"(d[0]), "+f"(d[1]), "=f"(unused2), "=f"(unused3)       \
               : "r"(a0), "r"(0), "r"(a2), "r"(b0), "r"(b1), "f"(0.0F))
  if constexpr (std::is_same_v<T, __half>) {
    TRITONRL_MULTIPLY("f16");
  } else {
    TRITONRL_MULTIPLY("bf16");
  }
#undef TRITONRL_MULTIPLY
}

struct Words {
  std::uint32_t of[4];
};

template <typename T>
__device__ Words load_words(const T* from, bool inside) {
  const uint4 words = inside ? *reinterpret_cast<const uint4*>(from) : uint4{0, 0, 0, 0};
  return {{words.x, words.y, words.z, words.w}};
}

// What a split has of a head: the sum of exp2(score - greatest) * value is in sums, that of exp2(score - greatest)
// here.
struct Scale {
  float greatest;
  float sum;
};

// greatest may be -infinity on both sides: nothing was seen.
__device__ float fade(float from, float to) { return to == -INFINITY ? 0.0F : exp2f(from - to); }

struct Splits {
  float* sums;   // [splits, requests, heads, head_dim]
  Scale* scale;  // [splits, requests, heads]
  int count;
};

// In products of 16 x 8 x 16 the lane 4g+c has row g of the left operand, column g of the right one, and columns 2c,
// 2c+1 of the result; of the summed index it has 2c, 2c+1, 2c+8, 2c+9. The summed index of queries and keys may be
// permuted alike, and so may the columns of values: so that every load is of 16 bytes.
template <typename T, int kHeadDim>
__global__ void __launch_bounds__(kThreads, kBlocksEach) split_attention(PagedAttention work, Splits splits) {
  constexpr int kKeyBlocks = kHeadDim / 32;
  constexpr int kValueBlocks = kHeadDim / 64;
  wait_for_previous();
  const int request = static_cast<int>(blockIdx.x);
  const int kv_head = static_cast<int>(blockIdx.y);
  const int split = static_cast<int>(blockIdx.z);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int g = lane / 4;
  const int c = lane % 4;
  const int group = static_cast<int>(work.heads / work.kv_heads);
  const int context = work.context_lengths[request];
  const int page_size = static_cast<int>(work.page_size);
  const std::int32_t* pages = work.block_table + request * work.max_pages;
  const std::int64_t first_head = static_cast<std::int64_t>(work.query_starts[request]) * work.heads + kv_head * group;

  const int blocks = (context + kBlockTokens - 1) / kBlockTokens;
  const int per_split = (blocks + splits.count - 1) / splits.count;
  const int begin = split * per_split * kBlockTokens;
  const int end = min(context, begin + per_split * kBlockTokens);

  Words query[kKeyBlocks];
  const T* queries = static_cast<const T*>(work.q) + (first_head + min(g, group - 1)) * kHeadDim;
#pragma unroll
  for (int b = 0; b < kKeyBlocks; ++b) query[b] = load_words(queries + b * 32 + c * 8, g < group);

  float total[kValueBlocks][8][2] = {};
  float greatest = -INFINITY;
  float sum = 0;
  const float scale = work.scale * kLog2e;
  const std::int64_t slot_stride = work.kv_heads * kHeadDim;
  // What the lane reads of a slot's keys, and of the values of four tokens.
  const T* lane_keys = static_cast<const T*>(work.k_pages) + kv_head * kHeadDim + g * slot_stride + c * 8;
  const T* lane_values = static_cast<const T*>(work.v_pages) + kv_head * kHeadDim + 2 * c * slot_stride + g * 8;

  Words key[2][kKeyBlocks];
  Words value[kValueBlocks][4];
  const auto load_keys = [&](std::int64_t slot, int left) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int b = 0; b < kKeyBlocks; ++b) {
        key[half][b] = load_words(lane_keys + (slot + half * 8) * slot_stride + b * 32, half * 8 + g < left);
      }
    }
  };
  const auto load_values = [&](std::int64_t slot, int left) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int token = i / 2 * 8 + i % 2;
#pragma unroll
      for (int b = 0; b < kValueBlocks; ++b) {
        // Zeros, not what lies there: no weight makes a NaN harmless.
        value[b][i] = load_words(lane_values + (slot + token) * slot_stride + b * 64, token + 2 * c < left);
      }
    }
  };
  const auto slot_of = [&](int token) {
    return token < end ? static_cast<std::int64_t>(pages[token / page_size]) * page_size + token % page_size : 0;
  };
  int first = begin + warp * kTile;
  std::int64_t slot = slot_of(first);
  load_keys(slot, end - first);
  load_values(slot, end - first);
  slot = slot_of(first + kBlockTokens);  // read a tile ahead
  for (; first < end; first += kBlockTokens) {
    const int next = first + kBlockTokens;
    float score[2][2] = {};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int b = 0; b < kKeyBlocks; ++b) {
        multiply<T>(score[half], query[b].of[0], query[b].of[1], key[half][b].of[0], key[half][b].of[1]);
        multiply<T>(score[half], query[b].of[2], query[b].of[3], key[half][b].of[2], key[half][b].of[3]);
      }
    }
    load_keys(slot, end - next);  // what comes next is on its way while this tile is worked on
    float now = greatest;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int token = i / 2 * 8 + 2 * c + i % 2;
      float& one = score[i / 2][i % 2];
      one = first + token < end ? one * scale : -INFINITY;
      now = fmaxf(now, one);
    }
    now = fmaxf(now, __shfl_xor_sync(0xffffffffU, now, 1));
    now = fmaxf(now, __shfl_xor_sync(0xffffffffU, now, 2));
    const float faded = fade(greatest, now);
    greatest = now;
    sum *= faded;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float& one = score[i / 2][i % 2];
      one = exp2f(one - now);  // now is finite: the first token of a tile is inside
      sum += one;
    }
    const std::uint32_t weights_low = pack(score[0][0], score[0][1], T{});
    const std::uint32_t weights_high = pack(score[1][0], score[1][1], T{});
#pragma unroll
    for (int b = 0; b < kValueBlocks; ++b) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        total[b][j][0] *= faded;
        total[b][j][1] *= faded;
        // Element j of two neighbouring tokens side by side.
        const std::uint32_t selector = j % 2 == 0 ? 0x5410U : 0x7632U;
        const std::uint32_t low = __byte_perm(value[b][0].of[j / 2], value[b][1].of[j / 2], selector);
        const std::uint32_t high = __byte_perm(value[b][2].of[j / 2], value[b][3].of[j / 2], selector);
        multiply<T>(total[b][j], weights_low, weights_high, low, high);
      }
    }
    load_values(slot, end - next);
    slot = slot_of(next + kBlockTokens);
  }
  sum += __shfl_xor_sync(0xffffffffU, sum, 1);
  sum += __shfl_xor_sync(0xffffffffU, sum, 2);

  __shared__ float warp_total[kWarps][kRows][kHeadDim];
  __shared__ Scale warp_scale[kWarps][kRows];
#pragma unroll
  for (int b = 0; b < kValueBlocks; ++b) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      warp_total[warp][g][b * 64 + (2 * c) * 8 + j] = total[b][j][0];
      warp_total[warp][g][b * 64 + (2 * c + 1) * 8 + j] = total[b][j][1];
    }
  }
  if (c == 0) warp_scale[warp][g] = {greatest, sum};
  __syncthreads();

  for (int item = static_cast<int>(threadIdx.x); item < group * kHeadDim; item += kThreads) {
    const int head = item / kHeadDim;
    const int d = item % kHeadDim;
    float most = -INFINITY;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) most = fmaxf(most, warp_scale[w][head].greatest);
    float joined = 0;
    float joined_sum = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const float factor = fade(warp_scale[w][head].greatest, most);
      joined += warp_total[w][head][d] * factor;
      joined_sum += warp_scale[w][head].sum * factor;
    }
    if (splits.count == 1) {
      static_cast<T*>(work.out)[(first_head + head) * kHeadDim + d] =
          static_cast<T>(joined_sum > 0 ? joined / joined_sum : 0.0F);
    } else {
      const std::int64_t place =
          (static_cast<std::int64_t>(split) * gridDim.x + request) * work.heads + kv_head * group + head;
      splits.sums[place * kHeadDim + d] = joined;
      if (d == 0) splits.scale[place] = {most, joined_sum};
    }
  }
}

// A block for a head of a request, a thread for an element of it.
template <typename T>
__global__ void join_splits(PagedAttention work, Splits splits) {
  wait_for_previous();
  const std::int64_t head = blockIdx.x;  // of all requests
  const std::int64_t heads = gridDim.x;
  __shared__ float greatest[kMostSplits];
  __shared__ float sums[kMostSplits];
  for (int split = static_cast<int>(threadIdx.x); split < splits.count; split += static_cast<int>(blockDim.x)) {
    const Scale scale = splits.scale[split * heads + head];
    greatest[split] = scale.greatest;
    sums[split] = scale.sum;
  }
  __syncthreads();
  float most = -INFINITY;
  for (int split = 0; split < splits.count; ++split) most = fmaxf(most, greatest[split]);
  float sum = 0;
  float total = 0;
  const float* totals = splits.sums + head * work.head_dim + threadIdx.x;
#pragma unroll 8
  for (int split = 0; split < splits.count; ++split) {  // what an empty one has are zeros
    const float factor = fade(greatest[split], most);
    sum += sums[split] * factor;
    total += totals[split * heads * work.head_dim] * factor;
  }
  const std::int64_t row =
      static_cast<std::int64_t>(work.query_starts[head / work.heads]) * work.heads + head % work.heads;
  static_cast<T*>(work.out)[row * work.head_dim + threadIdx.x] = static_cast<T>(sum > 0 ? total / sum : 0.0F);
}

constexpr int kMaxLaneElements = 16;  // head_dim up to 512

// Any shape and type, any number of queries: a warp has one query of one head, its lanes the elements.
template <typename T>
__global__ void plain_attention(PagedAttention work) {
  const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.x / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t token = item / work.heads;
  const std::int64_t head = item % work.heads;
  if (token >= work.query_starts[work.requests]) return;
  std::int64_t request = 0;
  for (std::int64_t low = 0, high = work.requests; low < high;) {
    const std::int64_t middle = (low + high) / 2;
    if (work.query_starts[middle + 1] <= token) {
      low = request = middle + 1;
    } else {
      high = middle;
    }
  }
  const std::int64_t context = work.context_lengths[request] - (work.query_starts[request + 1] - 1 - token);
  const std::int64_t kv_head = head / (work.heads / work.kv_heads);
  const auto* query = static_cast<const T*>(work.q) + item * work.head_dim;
  float total[kMaxLaneElements] = {};
  float greatest = -INFINITY;
  float sum = 0;
  for (std::int64_t i = 0; i < context; ++i) {
    const std::int64_t page = work.block_table[request * work.max_pages + i / work.page_size];
    const std::int64_t row = ((page * work.page_size + i % work.page_size) * work.kv_heads + kv_head) * work.head_dim;
    const auto* key = static_cast<const T*>(work.k_pages) + row;
    float score = 0;
    for (std::int64_t d = lane; d < work.head_dim; d += 32)
      score += static_cast<float>(query[d]) * static_cast<float>(key[d]);
    for (int step = 16; step > 0; step /= 2) score += __shfl_xor_sync(0xffffffffU, score, step);
    score *= work.scale * kLog2e;
    const float now = fmaxf(greatest, score);
    const float faded = fade(greatest, now);
    const float weight = exp2f(score - now);
    greatest = now;
    sum = sum * faded + weight;
    const auto* value = static_cast<const T*>(work.v_pages) + row;
#pragma unroll
    for (int e = 0; e < kMaxLaneElements; ++e) {
      const std::int64_t d = lane + 32 * e;
      if (d < work.head_dim) total[e] = total[e] * faded + weight * static_cast<float>(value[d]);
    }
  }
#pragma unroll
  for (int e = 0; e < kMaxLaneElements; ++e) {
    const std::int64_t d = lane + 32 * e;
    if (d < work.head_dim) {
      static_cast<T*>(work.out)[item * work.head_dim + d] = static_cast<T>(sum > 0 ? total[e] / sum : 0.0F);
    }
  }
}

void check(cudaError_t error) {
  if (error != cudaSuccess) throw base::HostError(std::string("paged attention: ") + cudaGetErrorString(error));
}

bool splittable(const PagedAttention& work) {
  return work.dtype != DType::kFloat32 && work.max_queries == 1 && work.page_size % kTile == 0 &&
         work.heads / work.kv_heads <= kRows && (work.head_dim == 64 || work.head_dim == 128);
}

// A wave of blocks, as many as run at once, takes as long as a split has tiles and as its beginning and end; to join
// splits takes some more. In tiles, from measurements at batch 1, 64 and 256.
std::int64_t splits_of(const PagedAttention& work) {
  constexpr std::int64_t kEnds = 2;
  constexpr std::int64_t kJoin = 2;
  int device = 0;
  int processors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const auto above = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t at_once = std::int64_t{kBlocksEach} * processors;
  const std::int64_t blocks = work.requests * work.kv_heads;
  const std::int64_t tiles = above(work.max_pages * work.page_size, kBlockTokens);
  std::int64_t best = 1;
  std::int64_t least = above(blocks, at_once) * (tiles + kEnds);
  for (std::int64_t count = 2; count <= std::min<std::int64_t>(tiles, kMostSplits); ++count) {
    const std::int64_t cost = above(blocks * count, at_once) * (above(tiles, count) + kEnds) + kJoin;
    if (cost < least) {
      best = count;
      least = cost;
    }
  }
  return best;
}

template <typename T, int kHeadDim>
void launch_splits(const PagedAttention& work, cudaStream_t stream) {
  const std::int64_t count = work.scratch == nullptr ? 1 : splits_of(work);
  const std::int64_t heads = work.requests * work.heads;
  const Splits splits{.sums = work.scratch,
                      .scale = reinterpret_cast<Scale*>(work.scratch + count * heads * kHeadDim),
                      .count = static_cast<int>(count)};
  const dim3 grid(static_cast<unsigned>(work.requests), static_cast<unsigned>(work.kv_heads),
                  static_cast<unsigned>(count));
  launch_early(split_attention<T, kHeadDim>, grid, kThreads, 0, stream, work, splits);
  if (count > 1) launch_early(join_splits<T>, static_cast<unsigned>(heads), kHeadDim, 0, stream, work, splits);
}

template <typename T>
void launch_half(const PagedAttention& work, cudaStream_t stream) {
  work.head_dim == 64 ? launch_splits<T, 64>(work, stream) : launch_splits<T, 128>(work, stream);
}

template <typename T>
void launch_plain(const PagedAttention& work, cudaStream_t stream) {
  base::check(work.head_dim <= 32 * kMaxLaneElements, "heads of more than 512 elements");
  const std::int64_t items = work.requests * work.max_queries * work.heads;  // at least all tokens' heads
  plain_attention<T><<<static_cast<unsigned>((items + kWarps - 1) / kWarps), kThreads, 0, stream>>>(work);
}

}  // namespace

std::int64_t paged_attention_scratch(const PagedAttention& work) {
  if (!splittable(work)) return 0;
  const std::int64_t count = splits_of(work);
  return count == 1 ? 0 : count * work.requests * work.heads * (work.head_dim + 2);
}

void paged_attention(const PagedAttention& work, Stream stream) {
  if (work.requests == 0) return;
  const bool split = splittable(work);
  switch (work.dtype) {
    case DType::kFloat32:
      launch_plain<float>(work, stream);
      break;
    case DType::kBFloat16:
      split ? launch_half<__nv_bfloat16>(work, stream) : launch_plain<__nv_bfloat16>(work, stream);
      break;
    case DType::kFloat16:
      split ? launch_half<__half>(work, stream) : launch_plain<__half>(work, stream);
      break;
  }
  check(cudaGetLastError());
}

}  // namespace tritonrl::kernels::cuda
