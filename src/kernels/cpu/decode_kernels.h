#pragma once

#include <cstdint>
#include <vector>

#include "kernels/linear_rows.h"

namespace tritonrl::kernels::cpu {

// out[r][c] = rows[r] . weight's column c, for some columns; strides count floats.
struct ProductProblem {
  const float* rows;
  std::int64_t row_stride;
  std::int64_t row_count;
  const float* panels;        // of the whole weight, as product_panels.h cuts it
  std::int64_t columns;       // of the whole weight
  std::int64_t first_column;  // the first of a step
  std::int64_t end_column;
  std::int64_t length;
  float* out;  // of column 0
  std::int64_t out_stride;
  FetchList* soon = nullptr;
};

// A query's heads of neighbouring key heads, over the pages of one request.
struct AttendProblem {
  const float* queries;  // [kv_heads, group, length]
  std::int64_t kv_heads;
  std::int64_t group;  // query heads that share a key head
  std::int64_t length;
  const float* keys;  // of the first key head in page 0, slot 0
  const float* values;
  std::int64_t slot_stride;  // floats from a slot's head to the next slot's
  const std::int32_t* pages;
  std::int64_t page_size;
  std::int64_t context_length;  // slots to look at
  const float* next_keys;       // that are wanted after this: fetched meanwhile
  float scale;
  float* scores;  // scratch: kv_heads * group * (context_length rounded up to pages)
  float* out;     // [kv_heads, group, length]
};

struct DrawProblem {
  const float* logits;
  std::int64_t count;
  float temperature;
  float top_p;
  float min_p;
  std::int64_t top_k;
  double uniform;
  float* scratch;  // count
};

struct Drawn {
  std::int64_t id = 0;
  float log_prob = 0;
  float raw_log_prob = 0;
};

// What decoding spends its time on, compiled for one instruction set. The bits of a result depend on its own operands
// alone: not on how many are computed together, nor on where they stand.
struct DecodeKernels {
  void (*multiply)(const ProductProblem&);
  void (*attend)(const AttendProblem&);
  Drawn (*draw)(const DrawProblem&);
};

// Of all instruction sets that this processor has, the widest first.
const std::vector<const DecodeKernels*>& all_decode_kernels();
// Those of the widest.
const DecodeKernels& decode_kernels();

}  // namespace tritonrl::kernels::cpu
