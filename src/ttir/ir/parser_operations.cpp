#include <algorithm>
#include <array>

#include "ttir/ir/parser.h"
#include "ttir/ir/parser_types.h"

// One function a form of text; the forms are MLIR's "assemblyFormat" of each operation.
namespace tritonrl::ttir {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 10> kIntegerPredicates{"eq",  "ne",  "slt", "sle", "sgt",
                                                              "sge", "ult", "ule", "ugt", "uge"};
constexpr std::array<std::string_view, 16> kFloatPredicates{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                                            "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
constexpr std::array<std::string_view, 7> kCacheModifiers{"none", "ca", "cg", "wb", "cs", "wt", "cv"};
constexpr std::array<std::string_view, 3> kEvictionPolicies{"evict_normal", "evict_first", "evict_last"};
constexpr std::array<std::string_view, 10> kRmwOperations{"and", "or",  "xor",  "add",  "fadd",
                                                          "max", "min", "umax", "umin", "exch"};
constexpr std::array<std::string_view, 8> kReduceKinds{"add", "min", "max", "inc", "dec", "and", "or", "xor"};
constexpr std::array<std::string_view, 4> kSemantics{"relaxed", "acquire", "release", "acq_rel"};
constexpr std::array<std::string_view, 3> kScopes{"gpu", "cta", "sys"};
constexpr std::array<std::string_view, 2> kRoundings{"rtz", "rtne"};
constexpr std::array<std::string_view, 2> kNanPropagations{"none", "all"};
constexpr std::array<std::string_view, 5> kInputPrecisions{"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"};
constexpr std::array<std::string_view, 7> kScaledFormats{"e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "bf16", "fp16"};
constexpr std::array<std::string_view, 5> kArithRoundings{"to_nearest_even", "downward", "upward", "toward_zero",
                                                          "to_nearest_away"};

}  // namespace

void Parser::parse_form(Draft& draft) {
  switch (draft.operation.opcode) {
    case Opcode::kArithConstant: {
      parse_dictionary(draft);
      Type type;
      set(draft, "value", attributes_.parse_constant(type));
      draft.results.push_back(std::move(type));
      return;
    }
    case Opcode::kArithNegF:
    case Opcode::kTtPreciseSqrt:
      return parse_uniform(draft, 1);
    case Opcode::kMathAtan2:
    case Opcode::kMathCopySign:
    case Opcode::kMathPowF:
    case Opcode::kMathIPowI:
    case Opcode::kTtPreciseDivF:
    case Opcode::kTtMulhiUI:
      return parse_uniform(draft, 2);
    case Opcode::kMathFma:
    case Opcode::kTtClampF:
      return parse_uniform(draft, 3);
    case Opcode::kMathFPowI:
    case Opcode::kTtAddPtr:
      return parse_pair(draft);
    case Opcode::kArithAddUIExtended:
    case Opcode::kArithMulSIExtended:
    case Opcode::kArithMulUIExtended:
      return parse_extended(draft);
    case Opcode::kArithCmpF:
    case Opcode::kArithCmpI:
      return parse_comparison(draft);
    case Opcode::kArithSelect:
      return parse_select(draft);
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
      return parse_conversion(draft);
    case Opcode::kTtBitcast:
    case Opcode::kTtBroadcast:
    case Opcode::kTtExpandDims:
    case Opcode::kTtFpToFp:
    case Opcode::kTtHistogram:
    case Opcode::kTtIntToPtr:
    case Opcode::kTtPtrToInt:
    case Opcode::kTtReshape:
    case Opcode::kTtSplat:
    case Opcode::kTtSplit:
    case Opcode::kTtTrans:
      return parse_arrow(draft, 1);
    case Opcode::kTtCat:
    case Opcode::kTtJoin:
      return parse_arrow(draft, 2);
    case Opcode::kTtDescriptorGather:
    case Opcode::kTtExternElementwise:
    case Opcode::kTtGather:
      return parse_functional(draft);
    case Opcode::kTtMakeRange:
    case Opcode::kTtUnsplat:
      return parse_range(draft);
    case Opcode::kTtGetNumPrograms:
    case Opcode::kTtGetProgramId:
      return parse_program_axis(draft);
    case Opcode::kTtLoad:
      return parse_load(draft);
    case Opcode::kTtStore:
      return parse_store(draft);
    case Opcode::kTtAtomicCas:
    case Opcode::kTtAtomicRmw:
      return parse_atomic(draft);
    case Opcode::kTtAdvance:
    case Opcode::kTtMakeTensorDescriptor:
    case Opcode::kTtMakeTensorPtr:
      return parse_tensor_pointer(draft);
    case Opcode::kTtDescriptorLoad:
    case Opcode::kTtDescriptorReduce:
    case Opcode::kTtDescriptorScatter:
    case Opcode::kTtDescriptorStore:
      return parse_descriptor_access(draft);
    case Opcode::kTtDot:
      return parse_dot(draft);
    case Opcode::kTtDotScaled:
      return parse_dot_scaled(draft);
    case Opcode::kTtElementwiseInlineAsm:
      return parse_inline_asm(draft);
    case Opcode::kTtPrint:
      return parse_print(draft);
    case Opcode::kCfAssert:
    case Opcode::kLlvmIntrAssume:
    case Opcode::kTtAssert:
      return parse_condition(draft);
    case Opcode::kGpuBarrier:
    case Opcode::kTtgBarrier:
      return parse_barrier(draft);
    case Opcode::kUbPoison:
      if (lexer_.at('<')) lexer_.skip_brackets();
      parse_dictionary(draft);
      lexer_.expect(':');
      draft.results.push_back(parse_type(lexer_));
      return;
    case Opcode::kScfFor:
      return parse_for(draft);
    case Opcode::kScfIf:
      return parse_if(draft);
    case Opcode::kScfWhile:
      return parse_while(draft);
    case Opcode::kScfIndexSwitch:
      return parse_index_switch(draft);
    case Opcode::kScfExecuteRegion:
      return parse_execute_region(draft);
    case Opcode::kTtMapElementwise:
    case Opcode::kTtReduce:
    case Opcode::kTtScan:
      return parse_combination(draft);
    case Opcode::kTtCall:
      return parse_call(draft);
    case Opcode::kCfBr:
    case Opcode::kCfCondBr:
      return parse_branch(draft);
    case Opcode::kScfCondition:
    case Opcode::kScfYield:
    case Opcode::kTtMapElementwiseReturn:
    case Opcode::kTtReduceReturn:
    case Opcode::kTtReturn:
    case Opcode::kTtScanReturn:
      return parse_terminator(draft);
    default:
      return parse_uniform(draft, name_of(draft.operation.opcode).starts_with("math.") ? 1 : 2);
  }
}

void Parser::parse_uniform(Draft& draft, std::size_t operands) {
  parse_operands(draft, operands);
  if (draft.operation.opcode == Opcode::kTtClampF) {
    lexer_.expect(',');
    lexer_.expect_word("propagateNan");
    lexer_.expect('=');
    parse_word_into(draft, "propagateNan", kNanPropagations);
  }
  parse_flags(draft);
  parse_dictionary(draft);
  lexer_.expect(':');
  Type type = parse_type(lexer_);
  for (std::size_t i = 0; i < operands; ++i) type_operand(draft, i, type);
  switch (draft.operation.opcode) {
    case Opcode::kMathIsFinite:
    case Opcode::kMathIsInf:
    case Opcode::kMathIsNaN:
      draft.results.push_back(with_element(type, Element::kI1));
      return;
    default:
      draft.results.push_back(std::move(type));
  }
}

// Two operands of a type each; the result is of the first's.
void Parser::parse_pair(Draft& draft) {
  parse_operands(draft, 2);
  parse_flags(draft);
  parse_dictionary(draft);
  lexer_.expect(':');
  parse_operand_types(draft, 0);
  draft.results.push_back(operand_type(draft, 0));
}

void Parser::parse_extended(Draft& draft) {
  parse_operands(draft, 2);
  parse_dictionary(draft);
  lexer_.expect(':');
  const Type type = parse_type(lexer_);
  type_operand(draft, 0, type);
  type_operand(draft, 1, type);
  draft.results = {type, type};
  if (draft.operation.opcode == Opcode::kArithAddUIExtended) {
    lexer_.expect(',');
    draft.results[1] = parse_type(lexer_);
  }
}

void Parser::parse_conversion(Draft& draft) {
  parse_operands(draft, 1);
  parse_flags(draft);
  parse_dictionary(draft);
  lexer_.expect(':');
  type_operand(draft, 0, parse_type(lexer_));
  lexer_.expect_word("to");
  draft.results.push_back(parse_type(lexer_));
}

void Parser::parse_comparison(Draft& draft) {
  const bool integers = draft.operation.opcode == Opcode::kArithCmpI;
  parse_word_into(draft, "predicate", integers ? Words(kIntegerPredicates) : Words(kFloatPredicates));
  lexer_.expect(',');
  parse_operands(draft, 2);
  parse_flags(draft);
  parse_dictionary(draft);
  lexer_.expect(':');
  const Type type = parse_type(lexer_);
  type_operand(draft, 0, type);
  type_operand(draft, 1, type);
  draft.results.push_back(with_element(type, Element::kI1));
}

void Parser::parse_select(Draft& draft) {
  parse_operands(draft, 3);
  parse_dictionary(draft);
  lexer_.expect(':');
  Type condition = scalar(Element::kI1);
  Type type = parse_type(lexer_);
  if (lexer_.accept(',')) {
    condition = std::move(type);
    type = parse_type(lexer_);
  }
  type_operand(draft, 0, condition);
  type_operand(draft, 1, type);
  type_operand(draft, 2, type);
  draft.results.push_back(std::move(type));
}

void Parser::parse_arrow(Draft& draft, std::size_t operands) {
  const Opcode opcode = draft.operation.opcode;
  parse_operands(draft, operands);
  if (opcode == Opcode::kTtHistogram && lexer_.accept(',')) parse_operand(draft);
  if (opcode == Opcode::kTtReshape)
    for (const char* const flag : {"allow_reorder", "efficient_layout"})
      if (lexer_.accept_word(flag)) set(draft, flag, true);
  parse_dictionary(draft);
  if (opcode == Opcode::kTtFpToFp && lexer_.accept(',')) {
    lexer_.expect_word("rounding");
    lexer_.expect('=');
    parse_word_into(draft, "rounding", kRoundings);
  }
  lexer_.expect(':');
  const Type type = parse_type(lexer_);
  for (std::size_t i = 0; i < operands; ++i) type_operand(draft, i, type);
  if (draft.operation.operands.size() > operands) type_operand(draft, operands, with_element(type, Element::kI1));
  lexer_.expect(kArrow);
  draft.results.push_back(parse_type(lexer_));
  if (opcode == Opcode::kTtSplit) draft.results.push_back(draft.results[0]);
}

void Parser::parse_functional(Draft& draft) {
  if (draft.operation.opcode == Opcode::kTtExternElementwise) {
    if (lexer_.at(TokenKind::kValue)) {
      do parse_operand(draft);
      while (lexer_.accept(','));
    }
  } else {
    parse_operand(draft);
    parse_operands_in(draft, '[', ']');
  }
  parse_dictionary(draft);
  parse_function_type(draft);
}

void Parser::parse_range(Draft& draft) {
  const bool is_unsplat = draft.operation.opcode == Opcode::kTtUnsplat;
  if (is_unsplat) parse_operand(draft);
  parse_dictionary(draft);
  lexer_.expect(':');
  Type type = parse_type(lexer_);
  if (is_unsplat) {
    type_operand(draft, 0, type);
    type.shape.clear();
  }
  draft.results.push_back(std::move(type));
}

void Parser::parse_program_axis(Draft& draft) {
  constexpr std::string_view kAxes = "xyz";
  const Token axis = lexer_.take(TokenKind::kWord, "x, y or z");
  const std::size_t number = axis.text.size() == 1 ? kAxes.find(axis.text) : std::string_view::npos;
  if (number == std::string_view::npos) lexer_.fail(axis.offset, "expected x, y or z");
  set(draft, "axis", static_cast<std::int64_t>(number));
  parse_dictionary(draft);
  lexer_.expect(':');
  draft.results.push_back(parse_type(lexer_));
}

// Parses ": type" of the first operand, a pointer to what is returned.
Type Parser::parse_pointer_type(Draft& draft) {
  lexer_.expect(':');
  const std::size_t offset = lexer_.token().offset;
  const Type pointer = parse_type(lexer_);
  if (pointer.element != Element::kPointer && pointer.element != Element::kBlockPointer)
    lexer_.fail(offset, pointer.text() + " is no pointer");
  type_operand(draft, 0, pointer);
  return pointee_type(pointer);
}

void Parser::parse_load(Draft& draft) {
  parse_operand(draft);
  while (draft.operation.operands.size() < 3 && lexer_.accept(',')) parse_operand(draft);
  parse_cache_words(draft);
  parse_dictionary(draft);
  Type value = parse_pointer_type(draft);
  if (draft.operation.operands.size() > 1) type_operand(draft, 1, with_element(value, Element::kI1));
  if (draft.operation.operands.size() > 2) type_operand(draft, 2, value);
  draft.results.push_back(std::move(value));
}

void Parser::parse_store(Draft& draft) {
  parse_operands(draft, 2);
  if (lexer_.accept(',')) parse_operand(draft);
  parse_cache_words(draft);
  parse_dictionary(draft);
  const Type value = parse_pointer_type(draft);
  type_operand(draft, 1, value);
  if (draft.operation.operands.size() > 2) type_operand(draft, 2, with_element(value, Element::kI1));
}

void Parser::parse_atomic(Draft& draft) {
  const bool is_rmw = draft.operation.opcode == Opcode::kTtAtomicRmw;
  if (is_rmw) {
    parse_word_into(draft, "atomic_rmw_op", kRmwOperations);
    lexer_.expect(',');
  }
  parse_word_into(draft, "sem", kSemantics);
  lexer_.expect(',');
  parse_word_into(draft, "scope", kScopes);
  lexer_.expect(',');
  parse_operands(draft, is_rmw ? 2 : 3);
  if (is_rmw && lexer_.accept(',')) parse_operand(draft);
  parse_dictionary(draft);
  parse_function_type(draft);
}

void Parser::parse_tensor_pointer(Draft& draft) {
  const Opcode opcode = draft.operation.opcode;
  const bool is_descriptor = opcode == Opcode::kTtMakeTensorDescriptor;
  // The kinds of the lists: sizes, strides, offsets.
  std::vector<Element> lists{Element::kI32};
  if (is_descriptor) lists = {Element::kI32, Element::kI64};
  if (opcode == Opcode::kTtMakeTensorPtr) lists = {Element::kI64, Element::kI64, Element::kI32};

  parse_operand(draft);
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    lexer_.expect(',');
    lengths.push_back(parse_operands_in(draft, '[', ']'));
  }
  parse_dictionary(draft);
  lexer_.expect(':');
  std::size_t offset = lexer_.token().offset;
  Type type = parse_type_or_short(lexer_, Element::kPointer);
  if (is_descriptor) {
    type_operand(draft, 0, type);
    lexer_.expect(',');
    offset = lexer_.token().offset;
    type = parse_type_or_short(lexer_, Element::kDescriptor);
  }
  if (type.element != (is_descriptor ? Element::kDescriptor : Element::kBlockPointer))
    lexer_.fail(offset, type.text() + " points to no block");
  const Type base{.element = Element::kPointer, .shape = {}, .pointee = type.pointee, .block = {}};
  type_operand(draft, 0, opcode == Opcode::kTtAdvance ? type : base);
  std::size_t next = 1;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lengths[i] != type.block.size())
      lexer_.fail(draft.offset, "this block has " + std::to_string(type.block.size()) + " dimensions, a list has " +
                                    std::to_string(lengths[i]));
    for (std::size_t k = 0; k < lengths[i]; ++k) type_operand(draft, next++, scalar(lists[i]));
  }
  draft.results.push_back(std::move(type));
}

void Parser::parse_descriptor_access(Draft& draft) {
  const Opcode opcode = draft.operation.opcode;
  if (opcode == Opcode::kTtDescriptorReduce) {
    parse_word_into(draft, "kind", kReduceKinds);
    lexer_.expect(',');
  }
  parse_operand(draft);
  const std::size_t indices = parse_operands_in(draft, '[', ']');
  if (opcode == Opcode::kTtDescriptorScatter) {
    lexer_.expect(',');
    parse_operand(draft);
    parse_dictionary(draft);
    lexer_.expect(':');
    return parse_operand_types(draft, 0);
  }
  const bool is_load = opcode == Opcode::kTtDescriptorLoad;
  if (is_load) {
    parse_cache_words(draft);
  } else {
    lexer_.expect(',');
    parse_operand(draft);
  }
  parse_dictionary(draft);
  lexer_.expect(':');
  type_operand(draft, 0, parse_type(lexer_));
  lexer_.expect(is_load ? kArrow : ',');
  Type tensor = parse_type(lexer_);
  for (std::size_t i = 0; i < indices; ++i) type_operand(draft, 1 + i, scalar(Element::kI32));
  if (is_load) {
    draft.results.push_back(std::move(tensor));
    return;
  }
  type_operand(draft, 1 + indices, tensor);
  // The text has the stored tensor last, the definition second.
  std::vector<ValueId>& operands = draft.operation.operands;
  std::rotate(operands.begin() + 1, operands.end() - 1, operands.end());
}

void Parser::parse_dot(Draft& draft) {
  parse_operands(draft, 3);
  if (lexer_.accept(',')) {
    lexer_.expect_word("inputPrecision");
    lexer_.expect('=');
    parse_word_into(draft, "inputPrecision", kInputPrecisions);
  }
  parse_dictionary(draft);
  lexer_.expect(':');
  type_operand(draft, 0, parse_type(lexer_));
  lexer_.expect('*');
  type_operand(draft, 1, parse_type(lexer_));
  lexer_.expect(kArrow);
  draft.results.push_back(parse_type(lexer_));
  type_operand(draft, 2, draft.results[0]);
}

void Parser::parse_dot_scaled(Draft& draft) {
  Draft scales;  // of a and b
  const auto parse_side = [&](std::size_t side) {
    parse_operand(draft);
    if (lexer_.accept_word("scale")) {
      parse_operand(scales);
    } else {
      scales.operation.operands.push_back(kNoValue);
      scales.operand_offsets.push_back(draft.operand_offsets[side]);
    }
    lexer_.expect(',');
  };
  parse_side(0);
  parse_side(1);
  parse_operand(draft);
  for (std::size_t side = 0; side < 2; ++side) {
    draft.operation.operands.push_back(scales.operation.operands[side]);
    draft.operand_offsets.push_back(scales.operand_offsets[side]);
  }
  lexer_.expect_word("lhs");
  lexer_.expect('=');
  parse_word_into(draft, "a_elem_type", kScaledFormats);
  lexer_.expect_word("rhs");
  lexer_.expect('=');
  parse_word_into(draft, "b_elem_type", kScaledFormats);
  parse_dictionary(draft);
  lexer_.expect(':');
  for (std::size_t side = 0; side < 2; ++side) {
    type_operand(draft, side, parse_type(lexer_));
    if (draft.operation.operands[3 + side] != kNoValue) {
      lexer_.expect(',');
      type_operand(draft, 3 + side, parse_type(lexer_));
    }
    lexer_.expect(side == 0 ? '*' : kArrow);
  }
  draft.results.push_back(parse_type(lexer_));
  type_operand(draft, 2, draft.results[0]);
}

void Parser::parse_inline_asm(Draft& draft) {
  set(draft, "asm_string", lexer_.unescaped(lexer_.take(TokenKind::kString, "the assembler's text")));
  parse_dictionary(draft);
  if (lexer_.at(TokenKind::kValue)) {
    do parse_operand(draft);
    while (lexer_.accept(','));
    lexer_.expect(':');
    parse_operand_types(draft, 0);
  }
  lexer_.expect(kArrow);
  draft.results = parse_types();
}

void Parser::parse_print(Draft& draft) {
  set(draft, "prefix", lexer_.unescaped(lexer_.take(TokenKind::kString, "what to print")));
  parse_dictionary(draft);
  if (!lexer_.accept(':')) return;
  do parse_operand(draft);
  while (lexer_.accept(','));
  lexer_.expect(':');
  parse_operand_types(draft, 0);
}

void Parser::parse_condition(Draft& draft) {
  parse_operand(draft);
  if (draft.operation.opcode == Opcode::kLlvmIntrAssume) {
    if (lexer_.at('[')) lexer_.skip_brackets();
  } else {
    lexer_.expect(',');
    const bool is_triton = draft.operation.opcode == Opcode::kTtAssert;
    set(draft, is_triton ? "message" : "msg", lexer_.unescaped(lexer_.take(TokenKind::kString, "a message")));
  }
  parse_dictionary(draft);
  if (draft.operation.opcode == Opcode::kCfAssert) return type_operand(draft, 0, scalar(Element::kI1));
  lexer_.expect(':');
  type_operand(draft, 0, parse_type(lexer_));
}

void Parser::parse_barrier(Draft& draft) {
  if (draft.operation.opcode == Opcode::kTtgBarrier) {
    do lexer_.take(TokenKind::kWord, "an address space");
    while (lexer_.accept('|'));
  }
  parse_dictionary(draft);
}

void Parser::parse_flags(Draft& draft) {
  while (lexer_.at(TokenKind::kWord)) {
    const Token flag = lexer_.token();
    lexer_.next();
    if (flag.text == "fastmath" || flag.text == "overflow") {
      lexer_.expect('<');
      std::string words;
      do {
        if (!words.empty()) words += ',';
        words += lexer_.take(TokenKind::kWord, "a flag").text;
      } while (lexer_.accept(',') || lexer_.accept('|'));
      lexer_.expect('>');
      set(draft, flag.text == "fastmath" ? "fastmath" : "overflowFlags", std::move(words));
    } else if (flag.text == "exact") {
      set(draft, "isExact", true);
    } else if (flag.text == "nneg") {
      set(draft, "nonNeg", true);
    } else if (std::ranges::find(kArithRoundings, flag.text) != kArithRoundings.end()) {
      set(draft, "roundingmode", std::string(flag.text));
    } else {
      lexer_.fail(flag.offset, "expected ':', found '" + std::string(flag.text) + "'");
    }
  }
}

void Parser::parse_cache_words(Draft& draft) {
  while (true) {
    const bool is_cache = lexer_.at_word("cacheModifier");
    if (!is_cache && !lexer_.at_word("evictionPolicy")) return;
    lexer_.next();
    lexer_.expect('=');
    parse_word_into(draft, is_cache ? "cache" : "evict", is_cache ? Words(kCacheModifiers) : Words(kEvictionPolicies));
  }
}

}  // namespace tritonrl::ttir
