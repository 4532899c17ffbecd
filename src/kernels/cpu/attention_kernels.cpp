#include "kernels/cpu/attention_kernels.h"

#include "kernels/cpu/attention_tiles.h"
#include "kernels/cpu/lanes.h"

// Compiled once for each instruction set, TRITONRL_ISA.
namespace tritonrl::kernels::cpu {
namespace {

// Rows and vectors of a tile of sums: as many as the registers hold.
constexpr int kTileRows = 6;
#if defined(__AVX512F__)
constexpr int kTileVectors = 4;
#else
constexpr int kTileVectors = 2;
#endif

std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// A matrix whose elements are read one by one, by any strides: transposed just as well.
struct Scalars {
  const float* first;
  std::int64_t row_stride;
  std::int64_t column_stride;
};
// Rows of whole vectors.
struct Rows {
  float* first;
  std::int64_t stride;
};

template <int TileRows, int Vectors>
void multiply_tile(const Rows& c, const Scalars& a, const Rows& b, std::int64_t inner, bool add) {
  Lanes sums[TileRows][Vectors];
  for (int i = 0; i < TileRows; ++i) {
    for (int j = 0; j < Vectors; ++j) sums[i][j] = add ? load(c.first + i * c.stride + j * kLanes, Whole{}) : Lanes{};
  }
  for (std::int64_t k = 0; k < inner; ++k) {
    Lanes row[Vectors];
    for (int j = 0; j < Vectors; ++j) row[j] = load(b.first + k * b.stride + j * kLanes, Whole{});
    for (int i = 0; i < TileRows; ++i) {
      const Lanes scalar = splat(a.first[i * a.row_stride + k * a.column_stride]);
      for (int j = 0; j < Vectors; ++j) sums[i][j] += scalar * row[j];
    }
  }
  for (int i = 0; i < TileRows; ++i) {
    for (int j = 0; j < Vectors; ++j) store(c.first + i * c.stride + j * kLanes, sums[i][j], Whole{});
  }
}

template <int Vectors>
void multiply_columns(const Rows& c, const Scalars& a, const Rows& b, std::int64_t rows, std::int64_t inner, bool add) {
  std::int64_t i = 0;
  const auto at = [&](std::int64_t row) { return Rows{c.first + row * c.stride, c.stride}; };
  const auto from = [&](std::int64_t row) {
    return Scalars{a.first + row * a.row_stride, a.row_stride, a.column_stride};
  };
  for (; i + kTileRows <= rows; i += kTileRows) multiply_tile<kTileRows, Vectors>(at(i), from(i), b, inner, add);
  for (; i + 2 <= rows; i += 2) multiply_tile<2, Vectors>(at(i), from(i), b, inner, add);
  for (; i < rows; ++i) multiply_tile<1, Vectors>(at(i), from(i), b, inner, add);
}

// c [rows, columns] = (c +) a [rows, inner] * b [inner, columns]; columns are a multiple of a vector's.
void multiply(const Rows& c, const Scalars& a, const Rows& b, std::int64_t rows, std::int64_t columns,
              std::int64_t inner, bool add) {
  std::int64_t j = 0;
  for (; j + kTileVectors * kLanes <= columns; j += kTileVectors * kLanes) {
    multiply_columns<kTileVectors>({c.first + j, c.stride}, a, {b.first + j, b.stride}, rows, inner, add);
  }
  for (; j < columns; j += kLanes) {
    multiply_columns<1>({c.first + j, c.stride}, a, {b.first + j, b.stride}, rows, inner, add);
  }
}

// Scratch memory is handed out in order.
class Shelf {
 public:
  explicit Shelf(float* first) : next_(first) {}
  float* take(std::int64_t count) {
    float* taken = next_;
    next_ += count;
    return taken;
  }

 private:
  float* next_;
};

void fill_zero(float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = 0;
}

// [length, dim] rows that lie apart, as rows of whole vectors with zeros at their ends.
void pack(const float* from, std::int64_t stride, std::int64_t length, std::int64_t dim, float* to) {
  const std::int64_t padded = padded_dim(dim);
  for (std::int64_t row = 0; row < length; ++row) {
    for (std::int64_t i = 0; i < dim; ++i) to[row * padded + i] = from[row * stride + i];
    for (std::int64_t i = dim; i < padded; ++i) to[row * padded + i] = 0;
  }
}

// The same transposed, [dim, columns], with zeros after `length`.
void pack_transposed(const float* from, std::int64_t stride, std::int64_t length, std::int64_t dim,
                     std::int64_t columns, float* to) {
  for (std::int64_t first = 0; first < length; first += kLanes) {
    const std::int64_t last = least(first + kLanes, length);
    for (std::int64_t i = 0; i < dim; ++i) {
      for (std::int64_t row = first; row < last; ++row) to[i * columns + row] = from[row * stride + i];
    }
  }
  for (std::int64_t i = 0; i < dim; ++i) fill_zero(to + i * columns + length, columns - length);
}

// How many of the keys [first_key, first_key + keys) the query may see.
std::int64_t visible_keys(std::int64_t query, std::int64_t first_key, std::int64_t keys) {
  const std::int64_t count = query + 1 - first_key;
  return count < 0 ? 0 : least(count, keys);
}

// Where a text lies, and what its rows take.
struct Text {
  std::int64_t start;
  std::int64_t length;
  std::int64_t dim;
  std::int64_t padded;
  std::int64_t columns;  // of keys side by side
  std::int64_t q_stride;
  std::int64_t k_stride;
};

Text text_of(const PackedTextShape& shape, std::int64_t text) {
  const std::int64_t start = shape.text_starts[text];
  const std::int64_t length = shape.text_starts[text + 1] - start;
  return {.start = start,
          .length = length,
          .dim = shape.head_dim,
          .padded = padded_dim(shape.head_dim),
          .columns = rounded_up(length, kColumnStep),
          .q_stride = shape.heads * shape.head_dim,
          .k_stride = shape.kv_heads * shape.head_dim};
}

// Calls use(head, first, queries) for the blocks of queries of the heads that share a key head.
template <typename Use>
void for_each_block(const PackedTextShape& shape, std::int64_t kv_head, std::int64_t length, const Use& use) {
  const std::int64_t group = shape.heads / shape.kv_heads;
  for (std::int64_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
    for (std::int64_t first = 0; first < length; first += kQueryBlock) {
      use(head, first, least(kQueryBlock, length - first));
    }
  }
}

// One row of scores becomes weights under the greatest score so far; returns their sum. Lanes past `visible` become
// zero.
float exponentiate(float* scores, std::int64_t visible, std::int64_t width, float scale, float subtracted) {
  Lanes sums{};
  float rest = 0;
  for_lanes(visible, [&](std::int64_t i, auto extent) {
    const Lanes weights = exp_of(load(scores + i, extent) * scale - subtracted);
    store(scores + i, weights, extent);
    if constexpr (requires { extent.count; }) {
      for (std::int64_t j = 0; j < extent.count; ++j) rest += weights[j];
    } else {
      sums += weights;
    }
  });
  for (std::int64_t i = visible; i < width; ++i) scores[i] = 0;
  return sum_of(sums) + rest;
}

float greatest_score(const float* scores, std::int64_t visible) {
  Lanes greatest = splat(scores[0]);
  float rest = scores[0];
  for_lanes(visible, [&](std::int64_t i, auto extent) {
    if constexpr (requires { extent.count; }) {
      for (std::int64_t j = i; j < visible; ++j) rest = scores[j] > rest ? scores[j] : rest;
    } else {
      greatest = greater_of(greatest, load(scores + i, extent));
    }
  });
  const float most = greatest_of(greatest);
  return most > rest ? most : rest;
}

}  // namespace

namespace TRITONRL_ISA {

void attend_text(const PackedAttentionForward& work, std::int64_t text, std::int64_t kv_head, float* scratch) {
  const auto& shape = work.shape;
  const auto [start, length, dim, padded, columns, q_stride, k_stride] = text_of(shape, text);
  Shelf shelf(scratch);
  float* keys = shelf.take(dim * columns);
  float* values = shelf.take(length * padded);
  float* scores = shelf.take(kQueryBlock * kKeyBlock);
  float* sums = shelf.take(kQueryBlock * padded);
  float* tops = shelf.take(kQueryBlock);
  float* totals = shelf.take(kQueryBlock);
  pack_transposed(work.k + start * k_stride + kv_head * dim, k_stride, length, dim, columns, keys);
  pack(work.v + start * work.v_stride + kv_head * dim, work.v_stride, length, dim, values);

  for_each_block(shape, kv_head, length, [&](std::int64_t head, std::int64_t first, std::int64_t queries) {
    const float* q = work.q + (start + first) * q_stride + head * dim;
    fill_zero(sums, queries * padded);
    for (std::int64_t i = 0; i < queries; ++i) {
      tops[i] = -__builtin_inff();
      totals[i] = 0;
    }
    for (std::int64_t key = 0; key < first + queries; key += kKeyBlock) {
      const std::int64_t count = least(kKeyBlock, first + queries - key);
      const std::int64_t width = least(rounded_up(count, kLanes), columns - key);
      multiply({scores, kKeyBlock}, {q, q_stride, 1}, {keys + key, columns}, queries, width, dim, false);
      for (std::int64_t i = 0; i < queries; ++i) {
        float* row = scores + i * kKeyBlock;
        const std::int64_t visible = visible_keys(first + i, key, count);
        if (visible == 0) {
          fill_zero(row, width);
          continue;
        }
        const float block_top = greatest_score(row, visible) * shape.scale;
        const float top = block_top > tops[i] ? block_top : tops[i];
        if (top > tops[i]) {
          const float shrink = totals[i] == 0 ? 0.0F : exp_of(splat(tops[i] - top))[0];
          totals[i] *= shrink;
          for_lanes(padded, [&](std::int64_t j, auto extent) {
            float* sum = sums + i * padded + j;
            store(sum, load(sum, extent) * shrink, extent);
          });
          tops[i] = top;
        }
        totals[i] += exponentiate(row, visible, width, shape.scale, top);
      }
      multiply({sums, padded}, {scores, kKeyBlock, 1}, {values + key * padded, padded}, queries, padded, count, true);
    }
    for (std::int64_t i = 0; i < queries; ++i) {
      float* out = work.out + (start + first + i) * q_stride + head * dim;
      const float share = 1.0F / totals[i];
      for (std::int64_t j = 0; j < dim; ++j) out[j] = sums[i * padded + j] * share;
      work.log_sums[(start + first + i) * shape.heads + head] = tops[i] + __builtin_logf(totals[i]);
    }
  });
}

void attend_text_backward(const PackedAttentionBackward& work, std::int64_t text, std::int64_t kv_head,
                          float* scratch) {
  const auto& shape = work.shape;
  const auto [start, length, dim, padded, columns, q_stride, k_stride] = text_of(shape, text);
  Shelf shelf(scratch);
  float* keys_across = shelf.take(dim * columns);
  float* values_across = shelf.take(dim * columns);
  float* keys = shelf.take(length * padded);
  float* grad_keys = shelf.take(length * padded);
  float* grad_values = shelf.take(length * padded);
  float* weights = shelf.take(kQueryBlock * kKeyBlock);
  float* grad_scores = shelf.take(kQueryBlock * kKeyBlock);
  float* queries_packed = shelf.take(kQueryBlock * padded);
  float* grads_packed = shelf.take(kQueryBlock * padded);
  float* grad_queries = shelf.take(kQueryBlock * padded);
  float* along = shelf.take(kQueryBlock);
  const float* k = work.k + start * k_stride + kv_head * dim;
  pack_transposed(k, k_stride, length, dim, columns, keys_across);
  pack_transposed(work.v + start * work.v_stride + kv_head * dim, work.v_stride, length, dim, columns, values_across);
  pack(k, k_stride, length, dim, keys);
  fill_zero(grad_keys, length * padded);
  fill_zero(grad_values, length * padded);

  for_each_block(shape, kv_head, length, [&](std::int64_t head, std::int64_t first, std::int64_t queries) {
    const std::int64_t offset = (start + first) * q_stride + head * dim;
    pack(work.q + offset, q_stride, queries, dim, queries_packed);
    pack(work.grad_out + offset, q_stride, queries, dim, grads_packed);
    fill_zero(grad_queries, queries * padded);
    for (std::int64_t i = 0; i < queries; ++i) {
      Lanes products{};
      for_lanes(dim, [&](std::int64_t j, auto extent) {
        products += load(work.out + offset + i * q_stride + j, extent) * load(grads_packed + i * padded + j, extent);
      });
      along[i] = sum_of(products);
    }
    for (std::int64_t key = 0; key < first + queries; key += kKeyBlock) {
      const std::int64_t count = least(kKeyBlock, first + queries - key);
      const std::int64_t width = least(rounded_up(count, kLanes), columns - key);
      multiply({weights, kKeyBlock}, {queries_packed, padded, 1}, {keys_across + key, columns}, queries, width, dim,
               false);
      multiply({grad_scores, kKeyBlock}, {grads_packed, padded, 1}, {values_across + key, columns}, queries, width, dim,
               false);
      for (std::int64_t i = 0; i < queries; ++i) {
        float* row = weights + i * kKeyBlock;
        float* grad_row = grad_scores + i * kKeyBlock;
        const std::int64_t visible = visible_keys(first + i, key, count);
        exponentiate(row, visible, width, shape.scale, work.log_sums[(start + first + i) * shape.heads + head]);
        for_lanes(width, [&](std::int64_t j, auto extent) {
          const Lanes grad = load(row + j, extent) * (load(grad_row + j, extent) - along[i]) * shape.scale;
          store(grad_row + j, grad, extent);
        });
      }
      multiply({grad_values + key * padded, padded}, {weights, 1, kKeyBlock}, {grads_packed, padded}, count, padded,
               queries, true);
      multiply({grad_keys + key * padded, padded}, {grad_scores, 1, kKeyBlock}, {queries_packed, padded}, count, padded,
               queries, true);
      multiply({grad_queries, padded}, {grad_scores, kKeyBlock, 1}, {keys + key * padded, padded}, queries, padded,
               count, true);
    }
    for (std::int64_t i = 0; i < queries; ++i) {
      for (std::int64_t j = 0; j < dim; ++j) work.grad_q[offset + i * q_stride + j] = grad_queries[i * padded + j];
    }
  });
  for (std::int64_t i = 0; i < length; ++i) {
    const std::int64_t to = (start + i) * k_stride + kv_head * dim;
    for (std::int64_t j = 0; j < dim; ++j) {
      work.grad_k[to + j] = grad_keys[i * padded + j];
      work.grad_v[to + j] = grad_values[i * padded + j];
    }
  }
}

}  // namespace TRITONRL_ISA

}  // namespace tritonrl::kernels::cpu
