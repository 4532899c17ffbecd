#pragma once

#include <cstdint>

#if defined(__AVX512F__) || defined(__FMA__)
#include <immintrin.h>
#endif

#include "kernels/cpu/decode_kernels.h"
#include "kernels/cpu/lanes.h"
#include "kernels/cpu/product_panels.h"

// Products of rows with panels of weights: a vector holds one term of neighbouring columns, and each column's sum is
// taken term by term, so that nothing is left to add up across a vector.
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

constexpr std::int64_t kPieceTerms = 512;  // of a panel, which stay in the second cache for all rows
constexpr std::int64_t kLine = 16;         // floats of a line of the cache
// A tile fetches some lines every so many terms: more at once would make it wait for them.
constexpr std::int64_t kFetchTerms = 4;
constexpr int kSoonLines = kTileRows * kTileVectors / 6;  // of what is wanted soon

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

inline void fetch_some(FetchList& list) {
  for (int i = 0; i < kSoonLines && list.run != list.end; ++i) {
    __builtin_prefetch(list.at, 0, 2);
    list.at += kLine;
    if (list.at >= list.run->end && ++list.run != list.end) list.at = list.run->begin;
  }
}

inline std::int64_t least(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// Some terms of some columns' sums, for some rows.
struct Piece {
  const float* rows;
  std::int64_t row_stride;
  std::int64_t row_count;
  const float* weights;
  std::int64_t weight_stride;  // from a term to the next
  std::int64_t terms;
  float* out;
  std::int64_t out_stride;
  std::int64_t columns;
  bool begins;         // the sums; else they go on with what is in `out`
  const float* ahead;  // what is wanted after this piece
  FetchList* soon;
  std::int64_t lines_ahead;  // of `ahead`, that each tile of rows fetches every kFetchTerms terms
};

template <int kRows, int kVectors>
inline void add_terms(const Piece& p, std::int64_t row, const float* ahead) {
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
    for (int v = 0; v < kVectors; ++v) weights[v] = load(p.weights + term * p.weight_stride + v * kLanes, Whole{});
    for (int r = 0; r < kRows; ++r) {
      const Lanes number = splat(rows[r * p.row_stride + term]);
      for (int v = 0; v < kVectors; ++v) sums[r][v] = multiply_add(number, weights[v], sums[r][v]);
    }
  };
  std::int64_t term = 0;
  for (; term + kFetchTerms <= p.terms; term += kFetchTerms) {
    for (std::int64_t i = 0; i < p.lines_ahead; ++i, ahead += kLine) __builtin_prefetch(ahead, 0, 2);
    if (p.soon != nullptr) fetch_some(*p.soon);
    for (std::int64_t i = 0; i < kFetchTerms; ++i) add(term + i);
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
inline void add_to_rows(const Piece& p, std::int64_t row, const float* ahead) {
  for (; row + kRows <= p.row_count; row += kRows) {
    add_terms<kRows, kVectors>(p, row, ahead);
    ahead += p.lines_ahead * kLine * (p.terms / kFetchTerms);
  }
  if constexpr (kRows > 1) {
    if (row < p.row_count) add_to_rows<kRows / 2, kVectors>(p, row, ahead);
  }
}

inline void add_piece(const Piece& p) {
  switch ((p.columns + kLanes - 1) / kLanes) {
    case 1:
      return add_to_rows<kTileRows, 1>(p, 0, p.ahead);
    case 2:
      return add_to_rows<kTileRows, 2>(p, 0, p.ahead);
    default:
      return add_to_rows<kTileRows, kTileVectors>(p, 0, p.ahead);
  }
}

void multiply(const ProductProblem& p) {
  // Rows of a block stay in the second cache while the weights pass by.
  constexpr std::int64_t kBlockFloats = 96 * 1024;
  const std::int64_t fitting = kBlockFloats / p.length / kTileRows * kTileRows;
  const std::int64_t block = fitting < kTileRows ? kTileRows : fitting;
  for (std::int64_t begin = 0; begin < p.row_count; begin += block) {
    const std::int64_t rows = least(block, p.row_count - begin);
    const std::int64_t tiles = (rows + kTileRows - 1) / kTileRows;
    for (std::int64_t column = p.first_column; column < p.end_column;) {
      const Panel panel = panel_of(column, p.columns);
      const std::int64_t end = least(least(panel.first + panel.width, column + kTileVectors * kLanes), p.end_column);
      for (std::int64_t term = 0; term < p.length; term += kPieceTerms) {
        const float* weights = p.panels + panel.first * p.length + term * panel.width + (column - panel.first);
        const std::int64_t terms = least(kPieceTerms, p.length - term);
        add_piece({.rows = p.rows + begin * p.row_stride + term,
                   .row_stride = p.row_stride,
                   .row_count = rows,
                   .weights = weights,
                   .weight_stride = panel.width,
                   .terms = terms,
                   .out = p.out + begin * p.out_stride + column,
                   .out_stride = p.out_stride,
                   .columns = end - column,
                   .begins = term == 0,
                   .ahead = weights + terms * panel.width,
                   .soon = p.soon,
                   .lines_ahead = (panel.width * kFetchTerms / kLine + tiles - 1) / tiles});
      }
      column = end;
    }
  }
}

}  // namespace
}  // namespace tritonrl::kernels::cpu
