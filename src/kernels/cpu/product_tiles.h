#pragma once

#include <cstdint>
#include <utility>

#if defined(__AVX512F__) || defined(__FMA__)
#include <immintrin.h>
#endif

#include "kernels/cpu/decode_kernels.h"
#include "kernels/cpu/lanes.h"

// Products of rows with weights. Weights are turned on their side a panel at a time, so that a vector holds one term of
// neighbouring columns and each column's sum is taken term by term: nothing is left to add up across a vector.
namespace tritonrl::kernels::cpu {
namespace {

// A tile's sums, a row's number and a term's weights fill the registers.
#if defined(__AVX512F__)
constexpr int kTileRows = 8;
constexpr int kTileVectors = 3;
#else
constexpr int kTileRows = 4;
constexpr int kTileVectors = 2;
#endif

constexpr std::int64_t kPanelColumns = kTileVectors * kLanes;
constexpr std::int64_t kPanelTerms = 512;  // that are turned at a time: a panel stays in the second cache

// One instruction, whatever the compiler makes of the code around it: tiles of all sizes must round alike.
inline Lanes multiply_add(Lanes a, Lanes b, Lanes sum) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(a, b, sum);
#elif defined(__FMA__)
  return _mm256_fmadd_ps(a, b, sum);
#else
  return sum + a * b;
#endif
}

inline std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// Blocks of kStep x kStep on both sides of the diagonal change places; then those inside of them.
template <int kStep, int... kLane>
inline void exchange_blocks(Lanes* square, std::integer_sequence<int, kLane...> lanes) {
  constexpr int kCount = sizeof...(kLane);
  for (int i = 0; i < kCount; ++i) {
    if ((i & kStep) != 0) continue;
    const Lanes a = square[i];
    const Lanes b = square[i + kStep];
    square[i] = __builtin_shufflevector(a, b, ((kLane & kStep) != 0 ? kCount + kLane - kStep : kLane)...);
    square[i + kStep] = __builtin_shufflevector(a, b, ((kLane & kStep) != 0 ? kCount + kLane : kLane + kStep)...);
  }
  if constexpr (kStep > 1) exchange_blocks<kStep / 2>(square, lanes);
}

// panel[term][column] = weights[column][term], of a square of both.
template <typename Extent>
inline void turn_square(const float* weights, std::int64_t stride, std::int64_t columns, Extent terms, float* panel,
                        std::int64_t panel_stride) {
  Lanes square[kLanes];
  for (int i = 0; i < kLanes; ++i) square[i] = i < columns ? load(weights + i * stride, terms) : Lanes{};
  exchange_blocks<kLanes / 2>(square, std::make_integer_sequence<int, kLanes>());
  for (int i = 0; i < kLanes; ++i) store(panel + i * panel_stride, square[i], Whole{});
}

// All of a panel; columns that are not there are zero, and so are terms up to whole vectors.
inline void turn(const float* weights, std::int64_t stride, std::int64_t columns, std::int64_t terms, int vectors,
                 float* panel) {
  const std::int64_t panel_stride = vectors * kLanes;
  for (std::int64_t column = 0; column < columns; column += kLanes) {
    const float* from = weights + column * stride;
    for_lanes(terms, [&](std::int64_t term, auto extent) {
      float* to = panel + term * panel_stride + column;
      if (column + kLanes <= columns) {
        turn_square(from + term, stride, kLanes, extent, to, panel_stride);
      } else {
        turn_square(from + term, stride, columns - column, extent, to, panel_stride);
      }
    });
  }
}

// A piece of a product: some terms of some columns' sums, for all rows.
struct Piece {
  const float* rows;
  std::int64_t row_stride;
  const float* panel;
  std::int64_t terms;
  float* out;
  std::int64_t out_stride;
  std::int64_t columns;
  bool begins;         // the sums; else they go on with what is in `out`
  const float* ahead;  // weights that are wanted next
  std::int64_t ahead_stride;
};

template <int kRows, int kVectors>
inline void add_terms(const Piece& p, std::int64_t row, std::int64_t fetched, std::int64_t fetching) {
  const float* rows = p.rows + row * p.row_stride;
  float* out = p.out + row * p.out_stride;
  const std::int64_t last = p.columns - (kVectors - 1) * kLanes;
  Lanes sums[kRows][kVectors] = {};
  if (!p.begins) {
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) {
        const float* from = out + r * p.out_stride + v * kLanes;
        sums[r][v] = v + 1 < kVectors || last == kLanes ? load(from, Whole{}) : load(from, Part{last});
      }
    }
  }
  const auto add = [&](std::int64_t term) {
    Lanes weights[kVectors];
    for (int v = 0; v < kVectors; ++v) weights[v] = load(p.panel + (term * kVectors + v) * kLanes, Whole{});
    for (int r = 0; r < kRows; ++r) {
      const Lanes number = splat(rows[r * p.row_stride + term]);
      for (int v = 0; v < kVectors; ++v) sums[r][v] = multiply_add(number, weights[v], sums[r][v]);
    }
  };
  constexpr std::int64_t kLine = 16;  // floats of a line of the cache
  std::int64_t term = 0;
  for (; term + kLine <= p.terms; term += kLine) {
    for (std::int64_t i = fetched; i < fetched + fetching; ++i) {
      __builtin_prefetch(p.ahead + i * p.ahead_stride + term, 0, 2);
    }
    for (std::int64_t i = 0; i < kLine; ++i) add(term + i);
  }
  for (; term < p.terms; ++term) add(term);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      float* to = out + r * p.out_stride + v * kLanes;
      v + 1 < kVectors || last == kLanes ? store(to, sums[r][v], Whole{}) : store(to, sums[r][v], Part{last});
    }
  }
}

template <int kRows, int kVectors>
inline void add_to_rows(const Piece& p, std::int64_t row, std::int64_t end, std::int64_t fetched,
                        std::int64_t fetching) {
  for (; row + kRows <= end; row += kRows) {
    add_terms<kRows, kVectors>(p, row, fetched, p.ahead == nullptr ? 0 : least(fetching, kPanelColumns - fetched));
    fetched = least(fetched + fetching, kPanelColumns);
  }
  if constexpr (kRows > 1) {
    if (row < end) add_to_rows<kRows / 2, kVectors>(p, row, end, fetched, fetching);
  }
}

void multiply(const ProductProblem& p) {
  // Rows of a block stay in the second cache while the weights pass by.
  constexpr std::int64_t kBlockFloats = 96 * 1024;
  const std::int64_t fitting = kBlockFloats / p.length / kTileRows * kTileRows;
  const std::int64_t block = fitting < kTileRows ? kTileRows : fitting;
  alignas(64) float panel[kPanelColumns * kPanelTerms];
  for (std::int64_t begin = 0; begin < p.row_count; begin += block) {
    const std::int64_t rows = least(block, p.row_count - begin);
    // Each tile of rows fetches its share of what comes ahead.
    const std::int64_t fetching = (kPanelColumns * kTileRows + rows - 1) / rows;
    for (std::int64_t column = 0; column < p.weight_count;) {
      const std::int64_t left = (p.weight_count - column + kLanes - 1) / kLanes;
      const int vectors = static_cast<int>(left == kTileVectors + 1 ? (left + 1) / 2 : least(kTileVectors, left));
      const std::int64_t columns = least(vectors * kLanes, p.weight_count - column);
      const float* weights = p.weights + column * p.weight_stride;
      const bool more = column + columns + kPanelColumns <= p.weight_count;
      for (std::int64_t term = 0; term < p.length; term += kPanelTerms) {
        const std::int64_t terms = least(kPanelTerms, p.length - term);
        turn(weights + term, p.weight_stride, columns, terms, vectors, panel);
        const Piece piece{.rows = p.rows + begin * p.row_stride + term,
                          .row_stride = p.row_stride,
                          .panel = panel,
                          .terms = terms,
                          .out = p.out + begin * p.out_stride + column,
                          .out_stride = p.out_stride,
                          .columns = columns,
                          .begins = term == 0,
                          .ahead = more ? weights + columns * p.weight_stride + term : nullptr,
                          .ahead_stride = p.weight_stride};
        switch (vectors) {
          case 1:
            add_to_rows<kTileRows, 1>(piece, 0, rows, 0, fetching);
            break;
          case 2:
            add_to_rows<kTileRows, 2>(piece, 0, rows, 0, fetching);
            break;
          default:
            add_to_rows<kTileRows, kTileVectors>(piece, 0, rows, 0, fetching);
        }
      }
      column += columns;
    }
  }
}

}  // namespace
}  // namespace tritonrl::kernels::cpu
