#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "synth/pointwise.h"

namespace tritonrl::synth {

// A loop over a line of elements: what comes before it, what each piece does, what is made of it afterwards.
struct Pass {
  std::string_view begin;
  std::string_view body;
  std::string_view end;
};

// How a line in parts is reduced: what a program leaves of its acc, and what is made of the parts v, along axis 0.
struct Split {
  std::string_view part;
  std::string_view join;
};

// An operator along one dimension, a line, in words that rows and columns share: v the elements, $tile$ the shape of a
// piece, $axis$ the line's direction in it, $inside$ which lanes are real, n the line's length, <m> a result per line
// beside the elements.
struct LineOp {
  std::string_view name;
  std::string_view torch;  // {x}, {d} the dimension, {k} keepdim
  std::string_view words;
  std::string_view neutral;  // what lanes outside the line hold
  std::string_view whole;    // the line at once; leaves r, or v where the operator maps
  std::vector<Pass> passes;  // the line in pieces; the last leaves r
  std::string_view map;      // v of one element after the passes; empty: the operator reduces to r
  std::string_view carry;    // before the mapping loop
  bool index = false;        // r is an int64 index
  bool scans = false;
  Split split = {};  // empty: it has to see the line as one
};

std::span<const LineOp> line_ops();
const LineOp& line_op(std::string_view name);

// How chains before and after the operator have to take their elements, so that results are not one number everywhere.
Values values_before(const LineOp& op);
Values values_after(const LineOp& op);

}  // namespace tritonrl::synth
