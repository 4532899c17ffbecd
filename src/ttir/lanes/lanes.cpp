#include "ttir/lanes/lanes.h"

#include <array>
#include <utility>

#include "ttir/lanes/lanes_double.h"
#include "ttir/lanes/lanes_table.h"

namespace tritonrl::ttir::lanes {

namespace baseline {
const Table& operations();
}
#ifdef TRITONRL_X86_TABLES
namespace v3 {
const Table& operations();
}
namespace v4 {
const Table& operations();
}
#endif

namespace {

const Table& widest_table() {
  for (const Isa isa : {Isa::kV4, Isa::kV3}) {
    if (const Table* found = table_of(isa); found != nullptr) return *found;
  }
  return baseline::operations();
}

constexpr std::array<std::pair<std::string_view, Predicate>, 10> kIntegerPredicates = {{{"eq", Predicate::kEq},
                                                                                        {"ne", Predicate::kNe},
                                                                                        {"slt", Predicate::kSlt},
                                                                                        {"sle", Predicate::kSle},
                                                                                        {"sgt", Predicate::kSgt},
                                                                                        {"sge", Predicate::kSge},
                                                                                        {"ult", Predicate::kUlt},
                                                                                        {"ule", Predicate::kUle},
                                                                                        {"ugt", Predicate::kUgt},
                                                                                        {"uge", Predicate::kUge}}};

constexpr std::array<std::pair<std::string_view, Predicate>, 16> kFloatPredicates = {{{"false", Predicate::kFalse},
                                                                                      {"oeq", Predicate::kOeq},
                                                                                      {"ogt", Predicate::kOgt},
                                                                                      {"oge", Predicate::kOge},
                                                                                      {"olt", Predicate::kOlt},
                                                                                      {"ole", Predicate::kOle},
                                                                                      {"one", Predicate::kOne},
                                                                                      {"ord", Predicate::kOrd},
                                                                                      {"ueq", Predicate::kUeq},
                                                                                      {"ugt", Predicate::kUgtF},
                                                                                      {"uge", Predicate::kUgeF},
                                                                                      {"ult", Predicate::kUltF},
                                                                                      {"ule", Predicate::kUleF},
                                                                                      {"une", Predicate::kUne},
                                                                                      {"uno", Predicate::kUno},
                                                                                      {"true", Predicate::kTrue}}};

}  // namespace

const Table* table_of([[maybe_unused]] Isa isa) {
#ifdef TRITONRL_X86_TABLES
  if (isa == Isa::kV4) return __builtin_cpu_supports("x86-64-v4") ? &v4::operations() : nullptr;
  if (isa == Isa::kV3) return __builtin_cpu_supports("x86-64-v3") ? &v3::operations() : nullptr;
#endif
  return isa == Isa::kBaseline ? &baseline::operations() : nullptr;
}

const Table& table() {
  static const Table& widest = widest_table();
  return widest;
}

std::size_t bytes_of_lane(Element element) {
  if (element == Element::kF64) return 8;
  return is_float(element) ? 4 : bytes_of(element);
}

Binary binary(Opcode opcode, Element element, Uniform uniform) {
  const Binary found = table().binary(opcode, element, uniform);
  return found != nullptr ? found : slow_binary(opcode, element, uniform);
}

Binary compare(Opcode opcode, std::string_view predicate, Element element, Uniform uniform) {
  const auto find = [&](const auto& predicates) -> Binary {
    for (const auto& [name, value] : predicates) {
      if (name == predicate) return table().compare(value, element, uniform);
    }
    return nullptr;
  };
  if (opcode == Opcode::kArithCmpI) return find(kIntegerPredicates);
  return opcode == Opcode::kArithCmpF ? find(kFloatPredicates) : nullptr;
}

Unary unary(Opcode opcode, Element element) {
  const Unary found = table().unary(opcode, element);
  return found != nullptr ? found : slow_unary(opcode, element);
}

Ternary fma(Element element) { return table().fma(element); }
Ternary clamp(Element element, bool propagate_nan) { return table().clamp(element, propagate_nan); }
Ternary select(Element element) { return table().select(bytes_of_lane(element)); }

Unary convert(Opcode opcode, Element from, Element to, std::string_view rounding) {
  return table().convert(opcode, from, to, rounding == "rtz" ? Rounding::kTowardZero : Rounding::kNearestEven);
}

Unary decode(Element element) { return table().decode(element); }
Unary encode(Element element) { return table().encode(element); }

void fill(Element element, void* out, const void* lane, std::size_t count) {
  table().fill(bytes_of_lane(element), out, lane, count);
}

void range(std::int32_t* out, std::int32_t first, std::size_t count) { table().range(out, first, count); }

void add_offsets(std::uint64_t* out, const std::uint64_t* base, bool base_uniform, const void* offsets, Element element,
                 bool offsets_uniform, std::uint64_t scale, std::size_t count) {
  table().add_offsets(out, base, base_uniform, offsets, element, offsets_uniform, scale, count);
}

bool any(const std::uint8_t* lanes, std::size_t count) { return table().any(lanes, count); }

}  // namespace tritonrl::ttir::lanes
