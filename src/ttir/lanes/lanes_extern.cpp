#include "ttir/lanes/lanes_extern.h"

#include "ttir/lanes/float_format.h"
#include "ttir/lanes/lane_math.h"
#include "ttir/lanes/lanes_table.h"

namespace tritonrl::ttir::lanes {
namespace {

constexpr std::string_view kPrefix = "__nv_";

// Functions of one f32 that have a vectorised loop: as an operation of MLIR, or for libdevice alone.
constexpr std::array<std::pair<std::string_view, Opcode>, 17> kOperations = {{{"ceilf", Opcode::kMathCeil},
                                                                              {"cosf", Opcode::kMathCos},
                                                                              {"erfcf", Opcode::kMathErfc},
                                                                              {"erff", Opcode::kMathErf},
                                                                              {"exp2f", Opcode::kMathExp2},
                                                                              {"expm1f", Opcode::kMathExpM1},
                                                                              {"floorf", Opcode::kMathFloor},
                                                                              {"log1pf", Opcode::kMathLog1p},
                                                                              {"log2f", Opcode::kMathLog2},
                                                                              {"logf", Opcode::kMathLog},
                                                                              {"rintf", Opcode::kMathRoundEven},
                                                                              {"roundf", Opcode::kMathRound},
                                                                              {"rsqrtf", Opcode::kMathRsqrt},
                                                                              {"sinf", Opcode::kMathSin},
                                                                              {"sqrtf", Opcode::kMathSqrt},
                                                                              {"tanf", Opcode::kMathTan},
                                                                              {"tanhf", Opcode::kMathTanh}}};
constexpr std::array<std::pair<std::string_view, FastMath>, 14> kFast = {{{"exp10f", FastMath::kExp10},
                                                                          {"expf", FastMath::kExp},
                                                                          {"fabsf", FastMath::kAbsolute},
                                                                          {"fast_cosf", FastMath::kFastCos},
                                                                          {"fast_exp10f", FastMath::kFastExp10},
                                                                          {"fast_expf", FastMath::kFastExp},
                                                                          {"fast_log10f", FastMath::kFastLog10},
                                                                          {"fast_log2f", FastMath::kFastLog2},
                                                                          {"fast_logf", FastMath::kFastLog},
                                                                          {"fast_sinf", FastMath::kFastSin},
                                                                          {"fast_tanf", FastMath::kFastTan},
                                                                          {"frcp_rn", FastMath::kReciprocal},
                                                                          {"log10f", FastMath::kLog10},
                                                                          {"saturatef", FastMath::kSaturate}}};

// div.approx.ftz.f32 gives 0 where the reciprocal of the divisor would be subnormal.
constexpr auto kFastDivision = [](float x, float y) {
  const float divisor = absolute(y);
  if (divisor > 0x1p126F && divisor < float_of(kInfinityBits) && absolute(x) < float_of(kInfinityBits)) {
    return copy_sign(0.0F, x * y);
  }
  return with_one_nan(flushed(flushed(x) / flushed(y)));
};

bool is_float_name(std::string_view name, std::string_view base) {
  return name.size() == base.size() + 1 && name.starts_with(base) && name.back() == 'f';
}

// Of functions in four roundings the one that `name` ends with. A name without a suffix is rounded to nearest.
template <class Entry>
typename decltype(Entry::functions)::value_type rounding_of(const Entry& entry, std::string_view name) {
  if (entry.name == name) return entry.functions[0];
  for (std::size_t i = 0; i < kRoundingSuffixes.size(); ++i) {
    if (name.ends_with(kRoundingSuffixes[i]) && name.substr(0, name.size() - 3) == entry.name)
      return entry.functions[i];
  }
  return nullptr;
}

}  // namespace

Unary extern_unary(std::string_view symbol, Element from, Element to) {
  if (!symbol.starts_with(kPrefix)) return nullptr;
  const std::string_view name = symbol.substr(kPrefix.size());
  if (from == Element::kF32 && to == Element::kF32) {
    for (const auto& [known, opcode] : kOperations) {
      if (known == name) return unary(opcode, Element::kF32);
    }
    for (const auto& [known, function] : kFast) {
      if (known == name) return table().fast_math(function);
    }
  }
  for (const MathFunction& entry : math_functions()) {
    if (from == Element::kF32 && to == from && is_float_name(name, entry.name)) return entry.of_float;
    if (from == Element::kF64 && to == from && name == entry.name) return entry.of_double;
  }
  for (const ExternUnary& entry : integer_functions()) {
    if (entry.symbol == symbol && entry.from == from && entry.to == to) return entry.function;
  }
  for (const RoundedUnary& entry : rounded_functions()) {
    if (entry.from != from || entry.to != to) continue;
    if (const Unary found = rounding_of(entry, name); found != nullptr) return found;
  }
  return nullptr;
}

Binary extern_binary(std::string_view symbol, Element element) {
  if (!symbol.starts_with(kPrefix)) return nullptr;
  const std::string_view name = symbol.substr(kPrefix.size());
  if (name == "fast_fdividef" && element == Element::kF32) return SignatureOf<kFastDivision>::binary<kFastDivision>;
  for (const MathPair& entry : math_pairs()) {
    if (element == Element::kF32 && is_float_name(name, entry.name)) return entry.of_float;
    if (element == Element::kF64 && name == entry.name) return entry.of_double;
  }
  for (const ExternBinary& entry : integer_pairs()) {
    if (entry.symbol == symbol && entry.first == element) return entry.function;
  }
  for (const RoundedBinary& entry : rounded_pairs()) {
    if (entry.first != element) continue;
    if (const Binary found = rounding_of(entry, name); found != nullptr) return found;
  }
  return nullptr;
}

Ternary extern_ternary(std::string_view symbol, Element element) {
  if (!symbol.starts_with(kPrefix)) return nullptr;
  const std::string_view name = symbol.substr(kPrefix.size());
  for (const ExternTernary& entry : ternary_functions()) {
    if (entry.symbol == symbol && entry.first == element) return entry.function;
  }
  for (const RoundedTernary& entry : rounded_ternaries()) {
    if (entry.first != element) continue;
    if (const Ternary found = rounding_of(entry, name); found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace tritonrl::ttir::lanes
