#pragma once

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

inline constexpr int kLoosestPrecedence = 1;

// How tight Python's binary operators bind; all of these group from the left. 0 for every other operator.
constexpr int binary_precedence(Op op) {
  switch (op) {
    case Op::kBitOr:
      return kLoosestPrecedence;
    case Op::kBitXor:
      return 2;
    case Op::kBitAnd:
      return 3;
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return 4;
    case Op::kAdd:
    case Op::kSub:
      return 5;
    case Op::kMul:
    case Op::kDiv:
    case Op::kFloorDiv:
    case Op::kMod:
    case Op::kMatMul:
      return 6;
    default:
      return 0;
  }
}

}  // namespace tritonrl::pysource
