#include "ttir/ir/parser_rules.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "ttir/ir/parser_types.h"

namespace tritonrl::ttir {
namespace {

unsigned bit_width(Element element) {
  return element == Element::kI1 ? 1 : static_cast<unsigned>(8 * bytes_of(element));
}

bool is_number(Element element) { return element < Element::kPointer; }

Shape without_ones(const Shape& shape) {
  Shape rest;
  std::ranges::copy_if(shape, std::back_inserter(rest), [](std::int64_t size) { return size != 1; });
  return rest;
}

class Rules {
 public:
  Rules(const Operation& operation, std::span<const Type> types, std::span<const Type> results)
      : op_(operation), types_(types), results_(results) {}

  std::string broken() {
    check();
    return std::move(problem_);
  }

 private:
  bool has(std::size_t index) const { return index < op_.operands.size() && op_.operands[index] != kNoValue; }
  const Type& operand(std::size_t index) const { return types_[op_.operands[index]]; }
  const Type& result() const { return results_[0]; }

  // Keeps the first problem; true when `holds`, so that a check which needs it may follow.
  bool require(bool holds, const char* problem) {
    if (!holds && problem_.empty()) problem_ = problem;
    return holds;
  }
  bool require_integers(const Type& type) {
    return require(is_integer(type.element), "this operation is for integers");
  }
  bool require_floats(const Type& type) { return require(is_float(type.element), "this operation is for floats"); }
  bool require_same_shape(const Type& a, const Type& b) {
    return require(a.shape == b.shape, "operands and results differ in shape");
  }
  // The index into the shape of `type` that an attribute must hold.
  std::optional<std::size_t> axis_in(const char* name, std::size_t rank) {
    const Attribute* const attribute = op_.attribute(name);
    const auto* const axis = attribute == nullptr ? nullptr : std::get_if<std::int64_t>(attribute);
    if (!require(axis != nullptr && *axis >= 0 && static_cast<std::size_t>(*axis) < rank,
                 "the axis is no dimension of the tensor"))
      return std::nullopt;
    return static_cast<std::size_t>(*axis);
  }
  // Dimensions named once each.
  bool is_permutation(std::span<const std::int64_t> order, std::size_t rank) {
    Shape sorted(order.begin(), order.end());
    std::ranges::sort(sorted);
    bool holds = sorted.size() == rank;
    for (std::size_t i = 0; holds && i < rank; ++i) holds = sorted[i] == static_cast<std::int64_t>(i);
    return require(holds, "the order does not name each dimension once");
  }

  void check();
  void check_conversion();
  void check_select();
  void check_memory_access();
  void check_atomic();
  void check_reshaping();
  void check_dot();
  void check_dot_scaled();
  void check_combination();
  void check_elementwise();
  void check_gather();
  void check_block_descriptor();
  void check_descriptor_rows();

  const Operation& op_;
  std::span<const Type> types_;
  std::span<const Type> results_;
  std::string problem_;
};

void Rules::check() {
  switch (op_.opcode) {
    case Opcode::kArithAddF:
    case Opcode::kArithCmpF:
    case Opcode::kArithDivF:
    case Opcode::kArithMaximumF:
    case Opcode::kArithMaxNumF:
    case Opcode::kArithMinimumF:
    case Opcode::kArithMinNumF:
    case Opcode::kArithMulF:
    case Opcode::kArithNegF:
    case Opcode::kArithRemF:
    case Opcode::kArithSubF:
    case Opcode::kMathAbsF:
    case Opcode::kMathAcos:
    case Opcode::kMathAsin:
    case Opcode::kMathAtan:
    case Opcode::kMathAtan2:
    case Opcode::kMathCbrt:
    case Opcode::kMathCeil:
    case Opcode::kMathCopySign:
    case Opcode::kMathCos:
    case Opcode::kMathCosh:
    case Opcode::kMathErf:
    case Opcode::kMathErfc:
    case Opcode::kMathExp:
    case Opcode::kMathExp2:
    case Opcode::kMathExpM1:
    case Opcode::kMathFloor:
    case Opcode::kMathFma:
    case Opcode::kMathIsFinite:
    case Opcode::kMathIsInf:
    case Opcode::kMathIsNaN:
    case Opcode::kMathLog:
    case Opcode::kMathLog10:
    case Opcode::kMathLog1p:
    case Opcode::kMathLog2:
    case Opcode::kMathPowF:
    case Opcode::kMathRound:
    case Opcode::kMathRoundEven:
    case Opcode::kMathRsqrt:
    case Opcode::kMathSin:
    case Opcode::kMathSinh:
    case Opcode::kMathSqrt:
    case Opcode::kMathTan:
    case Opcode::kMathTanh:
    case Opcode::kMathTrunc:
    case Opcode::kTtClampF:
    case Opcode::kTtPreciseDivF:
    case Opcode::kTtPreciseSqrt:
      require_floats(operand(0));
      return;
    case Opcode::kArithAddI:
    case Opcode::kArithAndI:
    case Opcode::kArithCeilDivSI:
    case Opcode::kArithCeilDivUI:
    case Opcode::kArithCmpI:
    case Opcode::kArithDivSI:
    case Opcode::kArithDivUI:
    case Opcode::kArithFloorDivSI:
    case Opcode::kArithMaxSI:
    case Opcode::kArithMaxUI:
    case Opcode::kArithMinSI:
    case Opcode::kArithMinUI:
    case Opcode::kArithMulI:
    case Opcode::kArithMulSIExtended:
    case Opcode::kArithMulUIExtended:
    case Opcode::kArithOrI:
    case Opcode::kArithRemSI:
    case Opcode::kArithRemUI:
    case Opcode::kArithShLI:
    case Opcode::kArithShRSI:
    case Opcode::kArithShRUI:
    case Opcode::kArithSubI:
    case Opcode::kArithXOrI:
    case Opcode::kMathAbsI:
    case Opcode::kMathCtlz:
    case Opcode::kMathCtPop:
    case Opcode::kMathCttz:
    case Opcode::kMathIPowI:
    case Opcode::kTtMulhiUI:
      require_integers(operand(0));
      return;
    case Opcode::kArithAddUIExtended:
      require_integers(operand(0));
      require(results_[1] == with_element(operand(0), Element::kI1), "the carry is an i1 for each element");
      return;
    case Opcode::kMathFPowI:
      require_floats(operand(0));
      require_integers(operand(1));
      require_same_shape(operand(0), operand(1));
      return;
    case Opcode::kArithSelect:
      return check_select();
    case Opcode::kArithBitcast:
    case Opcode::kArithExtF:
    case Opcode::kArithExtSI:
    case Opcode::kArithExtUI:
    case Opcode::kArithFPToSI:
    case Opcode::kArithFPToUI:
    case Opcode::kArithIndexCast:
    case Opcode::kArithIndexCastUI:
    case Opcode::kArithSIToFP:
    case Opcode::kArithTruncF:
    case Opcode::kArithTruncI:
    case Opcode::kArithUIToFP:
    case Opcode::kTtBitcast:
    case Opcode::kTtFpToFp:
    case Opcode::kTtIntToPtr:
    case Opcode::kTtPtrToInt:
      return check_conversion();
    case Opcode::kTtLoad:
    case Opcode::kTtStore:
      return check_memory_access();
    case Opcode::kTtAtomicCas:
    case Opcode::kTtAtomicRmw:
      return check_atomic();
    case Opcode::kTtAddPtr:
      require(operand(0).element == Element::kPointer, "the first operand is no pointer");
      require_integers(operand(1));
      require_same_shape(operand(0), operand(1));
      return;
    case Opcode::kTtMakeTensorPtr:
      is_permutation(op_.list("order"), result().block.size());
      return;
    case Opcode::kTtBroadcast:
    case Opcode::kTtCat:
    case Opcode::kTtExpandDims:
    case Opcode::kTtJoin:
    case Opcode::kTtReshape:
    case Opcode::kTtSplat:
    case Opcode::kTtSplit:
    case Opcode::kTtTrans:
      return check_reshaping();
    case Opcode::kTtUnsplat:
      require(operand(0).is_tensor() && element_count(operand(0).shape) == 1, "the tensor has not exactly one element");
      return;
    case Opcode::kTtGetNumPrograms:
    case Opcode::kTtGetProgramId:
      require(result() == scalar(Element::kI32), "the result is an i32");
      return;
    case Opcode::kTtMakeRange: {
      const std::int64_t start = op_.integer("start", 0);
      const std::int64_t end = op_.integer("end", 0);
      if (!require(start >= INT32_MIN && start < end && end <= INT32_MAX, "start and end are no range of i32")) return;
      require(result().element == Element::kI32 && result().shape == Shape{end - start},
              "the result is no i32 tensor of end - start elements");
      return;
    }
    case Opcode::kTtDot:
      return check_dot();
    case Opcode::kTtDotScaled:
      return check_dot_scaled();
    case Opcode::kTtMapElementwise:
    case Opcode::kTtReduce:
    case Opcode::kTtScan:
      return check_combination();
    case Opcode::kTtElementwiseInlineAsm:
    case Opcode::kTtExternElementwise:
      return check_elementwise();
    case Opcode::kTtHistogram:
      require_integers(operand(0));
      require_integers(result());
      require(operand(0).shape.size() == 1 && result().shape.size() == 1, "a histogram has one dimension");
      return;
    case Opcode::kTtGather:
      return check_gather();
    case Opcode::kTtDescriptorLoad:
    case Opcode::kTtDescriptorReduce:
    case Opcode::kTtDescriptorStore:
      return check_block_descriptor();
    case Opcode::kTtDescriptorGather:
    case Opcode::kTtDescriptorScatter:
      return check_descriptor_rows();
    case Opcode::kLlvmIntrAssume:
    case Opcode::kTtAssert:
      require(operand(0).element == Element::kI1, "the condition is no i1");
      return;
    case Opcode::kTtPrint:
      require(op_.list("isSigned").size() == op_.operands.size(), "isSigned has not one entry for each operand");
      return;
    case Opcode::kScfFor:
      require(!operand(0).is_tensor() && is_integer(operand(0).element), "the loop's bounds are no integers");
      return;
    default:
      return;
  }
}

void Rules::check_conversion() {
  const Type& from = operand(0);
  const Type& to = result();
  require_same_shape(from, to);
  const bool wider = bit_width(to.element) > bit_width(from.element);
  const bool narrower = bit_width(to.element) < bit_width(from.element);
  bool holds = true;
  switch (op_.opcode) {
    case Opcode::kArithExtF:
      holds = is_float(from.element) && is_float(to.element) && wider;
      break;
    case Opcode::kArithTruncF:
      holds = is_float(from.element) && is_float(to.element) && narrower;
      break;
    case Opcode::kArithExtSI:
    case Opcode::kArithExtUI:
      holds = is_integer(from.element) && is_integer(to.element) && wider;
      break;
    case Opcode::kArithTruncI:
      holds = is_integer(from.element) && is_integer(to.element) && narrower;
      break;
    case Opcode::kArithIndexCast:
    case Opcode::kArithIndexCastUI:
      holds = is_integer(from.element) && is_integer(to.element);
      break;
    case Opcode::kArithFPToSI:
    case Opcode::kArithFPToUI:
      holds = is_float(from.element) && is_integer(to.element);
      break;
    case Opcode::kArithSIToFP:
    case Opcode::kArithUIToFP:
      holds = is_integer(from.element) && is_float(to.element);
      break;
    case Opcode::kTtFpToFp:
      holds = is_float(from.element) && is_float(to.element);
      break;
    case Opcode::kTtIntToPtr:
      holds = from.element == Element::kI64 && to.element == Element::kPointer;
      break;
    case Opcode::kTtPtrToInt:
      holds = from.element == Element::kPointer && to.element == Element::kI64;
      break;
    case Opcode::kTtBitcast:
      holds = (is_number(from.element) && is_number(to.element) && !wider && !narrower) ||
              (from.element == Element::kPointer && to.element == Element::kPointer);
      break;
    default:
      holds = is_number(from.element) && is_number(to.element) && !wider && !narrower;
  }
  if (!holds && problem_.empty()) problem_ = "there is no such conversion from " + from.text() + " to " + to.text();
}

void Rules::check_select() {
  const Type& condition = operand(0);
  require(condition.element == Element::kI1, "the condition is no i1");
  require(!condition.is_tensor() || condition.shape == result().shape, "the condition has another shape");
}

void Rules::check_memory_access() {
  const Type& pointer = operand(0);
  const std::span<const std::int64_t> checked = op_.list("boundaryCheck");
  if (pointer.element == Element::kPointer) {
    require(checked.empty(), "boundaryCheck is for pointers to blocks");
    return;
  }
  const auto rank = static_cast<std::int64_t>(pointer.block.size());
  require(std::ranges::all_of(checked, [rank](std::int64_t axis) { return axis >= 0 && axis < rank; }),
          "boundaryCheck names no dimension of the block");
}

void Rules::check_atomic() {
  const Type& pointer = operand(0);
  if (!require(pointer.element == Element::kPointer, "the first operand is no pointer")) return;
  const Type value = pointee_type(pointer);
  const bool is_rmw = op_.opcode == Opcode::kTtAtomicRmw;
  require(results_.size() == 1 && result() == value, "the result is not what the pointer points to");
  require(operand(1) == value, "the value is not what the pointer points to");
  if (!is_rmw) require(operand(2) == value, "the value is not what the pointer points to");
  if (is_rmw && has(2)) require(operand(2) == with_element(value, Element::kI1), "the mask is no i1 for each pointer");
  const std::string_view operation = op_.word("atomic_rmw_op", "exch");
  if (operation == "fadd") {
    require_floats(value);
  } else if (operation != "exch") {
    require_integers(value);
  }
}

void Rules::check_reshaping() {
  const Type& from = operand(0);
  const Type& to = result();
  Type element = to;
  element.shape = from.shape;
  if (!require(to.is_tensor(), "the result is no tensor")) return;
  if (!require(element == from, "operand and result differ in their elements")) return;
  if (op_.opcode == Opcode::kTtSplat) {
    require(!from.is_tensor(), "only a scalar is splat");
    return;
  }
  if (!require(from.is_tensor(), "the operand is no tensor")) return;
  Shape expected = from.shape;
  switch (op_.opcode) {
    case Opcode::kTtReshape:
      require(element_count(from.shape) == element_count(to.shape), "the number of elements changes");
      return;
    case Opcode::kTtBroadcast:
      if (!require(from.shape.size() == to.shape.size(), "the number of dimensions changes")) return;
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (expected[i] == 1) expected[i] = to.shape[i];
      break;
    case Opcode::kTtCat:
      if (!require(expected.size() == 1, "only tensors of one dimension are joined end to end")) return;
      expected[0] *= 2;
      break;
    case Opcode::kTtExpandDims: {
      const std::optional<std::size_t> axis = axis_in("axis", expected.size() + 1);
      if (!axis) return;
      expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(*axis), 1);
      break;
    }
    case Opcode::kTtJoin:
      expected.push_back(2);
      break;
    case Opcode::kTtSplit:
      if (!require(expected.size() > 1 && expected.back() == 2, "the last dimension has not size 2")) return;
      expected.pop_back();
      break;
    default: {
      const std::span<const std::int64_t> order = op_.list("order");
      if (!is_permutation(order, expected.size())) return;
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = from.shape[static_cast<std::size_t>(order[i])];
    }
  }
  require(to.shape == expected, "the result has another shape than this operation gives");
}

void Rules::check_dot() {
  const Shape& a = operand(0).shape;
  const Shape& b = operand(1).shape;
  const Shape& d = result().shape;
  const std::size_t rank = d.size();
  if (!require((rank == 2 || rank == 3) && a.size() == rank && b.size() == rank,
               "the tensors have not 2 or 3 dimensions"))
    return;
  require(a[rank - 1] == b[rank - 2], "the inner sizes differ");
  require(d[rank - 2] == a[rank - 2] && d[rank - 1] == b[rank - 1], "the result's sizes are not those of the operands");
  require(rank == 2 || (a[0] == d[0] && b[0] == d[0]), "the batches differ");
  const bool floats = is_float(operand(0).element) && is_float(operand(1).element) && is_float(result().element);
  const bool integers =
      is_integer(operand(0).element) && is_integer(operand(1).element) && is_integer(result().element);
  require(floats || integers, "the tensors are neither all of floats nor all of integers");
}

void Rules::check_dot_scaled() {
  const Shape& d = result().shape;
  const std::size_t rank = d.size();
  if (!require((rank == 2 || rank == 3) && operand(0).shape.size() == rank && operand(1).shape.size() == rank,
               "the tensors have not 2 or 3 dimensions"))
    return;
  require_floats(result());
  // The sizes in numbers: formats of four bits hold two to a byte, along K or along the other dimension.
  Shape a = operand(0).shape;
  Shape b = operand(1).shape;
  const auto unpack = [&](Shape& shape, const char* format, const char* packed_in_k, std::size_t k, std::size_t other) {
    if (op_.word(format, "") == "e2m1") shape[op_.integer(packed_in_k, 1) != 0 ? k : other] *= 2;
  };
  unpack(a, "a_elem_type", "lhs_k_pack", rank - 1, rank - 2);
  unpack(b, "b_elem_type", "rhs_k_pack", rank - 2, rank - 1);
  const std::int64_t k = a[rank - 1];
  require(k == b[rank - 2], "the inner sizes differ");
  require(d[rank - 2] == a[rank - 2] && d[rank - 1] == b[rank - 1], "the result's sizes are not those of the operands");
  require(rank == 2 || (a[0] == d[0] && b[0] == d[0]), "the batches differ");
  for (std::size_t side = 0; side < 2; ++side) {
    require(bytes_of(operand(side).element) <= 2 && is_number(operand(side).element), "an operand has no such format");
    if (!has(3 + side)) continue;
    const Type& scale = operand(3 + side);
    if (!require(scale.shape.size() == rank && bytes_of(scale.element) == 1, "a scale is no tensor of bytes")) return;
    require(scale.shape[rank - 2] == (side == 0 ? a[rank - 2] : b[rank - 1]), "a scale has another number of rows");
    require(scale.shape[rank - 1] * 32 == k || scale.shape[rank - 1] * 16 == k, "a scale is not for 16 or 32 numbers");
    require(rank == 2 || scale.shape[0] == d[0], "the batches differ");
  }
}

void Rules::check_combination() {
  const bool is_map = op_.opcode == Opcode::kTtMapElementwise;
  if (!require(!op_.operands.empty() && !results_.empty(), "there is nothing to combine")) return;
  const Shape& shape = operand(0).shape;
  if (!require(!shape.empty(), "the operands are no tensors")) return;
  for (std::size_t i = 1; i < op_.operands.size(); ++i) require_same_shape(operand(0), operand(i));

  Shape expected = shape;
  std::int64_t copies = 2;  // arguments of the region for each operand
  std::int64_t yields = 1;  // values handed on for each result
  if (is_map) {
    copies = yields = op_.integer("pack", 1);
    if (!require(copies >= 1 && element_count(shape) % copies == 0, "the elements cannot be packed so")) return;
  } else {
    const std::optional<std::size_t> axis = axis_in("axis", shape.size());
    if (!axis) return;
    if (op_.opcode == Opcode::kTtReduce) expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(*axis));
    if (!require(results_.size() == op_.operands.size(), "there are not as many results as operands")) return;
  }
  for (std::size_t i = 0; i < results_.size(); ++i) {
    require(results_[i].shape == expected, "a result has another shape than this operation gives");
    if (!is_map) {
      Type element = results_[i];
      element.shape = shape;
      require(element == operand(i), "a result has other elements than its operand");
    }
  }

  // Reduce and scan take all left operands, then all right ones; map takes the packed elements of each in turn.
  const std::vector<ValueId>& arguments = op_.regions[0].blocks[0].arguments;
  const auto per_operand = static_cast<std::size_t>(copies);
  if (!require(arguments.size() == op_.operands.size() * per_operand, "the region has another number of arguments"))
    return;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Type scalar = operand(is_map ? i / per_operand : i % op_.operands.size());
    scalar.shape.clear();
    require(types_[arguments[i]] == scalar, "the region's arguments are not the operands' elements");
  }
  const auto per_result = static_cast<std::size_t>(yields);
  for (const Block& block : op_.regions[0].blocks) {
    const Operation& last = block.operations.back();
    if (!last.successors.empty()) continue;
    if (!require(last.operands.size() == results_.size() * per_result, "the region hands on another number of values"))
      return;
    for (std::size_t i = 0; i < last.operands.size(); ++i) {
      Type scalar = results_[i / per_result];
      scalar.shape.clear();
      require(types_[last.operands[i]] == scalar, "the region hands on values of other types than the results");
    }
  }
}

void Rules::check_elementwise() {
  if (op_.opcode == Opcode::kTtExternElementwise && !require(results_.size() == 1, "there is not one result")) return;
  if (!require(!results_.empty(), "there are no results")) return;
  for (std::size_t i = 0; i < op_.operands.size(); ++i) require_same_shape(operand(i), result());
  for (const Type& type : results_) require_same_shape(type, result());
}

void Rules::check_gather() {
  if (!require(op_.operands.size() == 2 && results_.size() == 1, "there are not two operands and a result")) return;
  const Type& source = operand(0);
  const Type& indices = operand(1);
  require_integers(indices);
  require(result().shape == indices.shape && result().element == source.element && result().pointee == source.pointee,
          "the result has not the indices' shape and the source's elements");
  if (!require(source.is_tensor() && indices.shape.size() == source.shape.size(),
               "source and indices differ in their number of dimensions"))
    return;
  const std::optional<std::size_t> axis = axis_in("axis", source.shape.size());
  for (std::size_t i = 0; axis && i < source.shape.size(); ++i)
    require(i == *axis || indices.shape[i] <= source.shape[i], "the indices are larger than the source");
}

void Rules::check_block_descriptor() {
  const Type& descriptor = operand(0);
  if (!require(descriptor.element == Element::kDescriptor, "the first operand is no descriptor")) return;
  const bool is_load = op_.opcode == Opcode::kTtDescriptorLoad;
  const Type& tensor = is_load ? result() : operand(1);
  require(op_.operands.size() == descriptor.block.size() + (is_load ? 1 : 2), "there is not one index a dimension");
  require(tensor.is_tensor() && tensor.element == descriptor.pointee &&
              without_ones(tensor.shape) == without_ones(descriptor.block),
          "the tensor is not the descriptor's block");
}

void Rules::check_descriptor_rows() {
  const bool is_gather = op_.opcode == Opcode::kTtDescriptorGather;
  if (!require(op_.operands.size() == (is_gather ? 3 : 4) && results_.size() == (is_gather ? 1 : 0),
               "there is another number of operands"))
    return;
  const Type& descriptor = operand(0);
  const Type& rows = operand(1);
  const Type& tensor = is_gather ? result() : operand(3);
  if (!require(descriptor.element == Element::kDescriptor, "the first operand is no descriptor")) return;
  require(rows.element == Element::kI32 && rows.shape.size() == 1, "the rows are no i32 tensor of one dimension");
  require(operand(2) == scalar(Element::kI32), "the column is no i32");
  require(descriptor.block.size() == 2 && descriptor.block[0] == 1, "the descriptor's block is not one row");
  if (!problem_.empty()) return;
  require(tensor.element == descriptor.pointee && tensor.shape == Shape{rows.shape[0], descriptor.block[1]},
          "the tensor is not as many rows as there are indices");
}

}  // namespace

bool is_terminator(Opcode opcode) {
  switch (opcode) {
    case Opcode::kCfBr:
    case Opcode::kCfCondBr:
    case Opcode::kScfCondition:
    case Opcode::kScfYield:
    case Opcode::kTtMapElementwiseReturn:
    case Opcode::kTtReduceReturn:
    case Opcode::kTtReturn:
    case Opcode::kTtScanReturn:
      return true;
    default:
      return false;
  }
}

bool is_combination(Opcode opcode) {
  return opcode == Opcode::kTtMapElementwise || opcode == Opcode::kTtReduce || opcode == Opcode::kTtScan;
}

std::string broken_rule(const Operation& operation, std::span<const Type> types, std::span<const Type> results) {
  return Rules(operation, types, results).broken();
}

}  // namespace tritonrl::ttir
