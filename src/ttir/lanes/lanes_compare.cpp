#include "ttir/lanes/lane_loops.h"
#include "ttir/lanes/lanes_isa.h"

namespace tritonrl::ttir::lanes::TRITONRL_ISA {
namespace {

template <Predicate kPredicate, Element kElement>
struct IntegerComparison {
  using I = Integer<kElement>;
  using U = typename I::Unsigned;
  TRITONRL_LANE static std::uint8_t apply(U a, U b) {
    const auto sa = I::as_signed(a);
    const auto sb = I::as_signed(b);
    if constexpr (kPredicate == Predicate::kEq) return a == b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kNe) return a != b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kSlt) return sa < sb ? 1 : 0;
    if constexpr (kPredicate == Predicate::kSle) return sa <= sb ? 1 : 0;
    if constexpr (kPredicate == Predicate::kSgt) return sa > sb ? 1 : 0;
    if constexpr (kPredicate == Predicate::kSge) return sa >= sb ? 1 : 0;
    if constexpr (kPredicate == Predicate::kUlt) return a < b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kUle) return a <= b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kUgt) return a > b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kUge) return a >= b ? 1 : 0;
  }
};

template <Predicate kPredicate>
struct FloatComparison {
  template <class Float>
  TRITONRL_LANE static std::uint8_t apply(Float a, Float b) {
    const bool unordered = is_nan(a) || is_nan(b);
    if constexpr (kPredicate == Predicate::kFalse) return 0;
    if constexpr (kPredicate == Predicate::kOeq) return a == b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kOgt) return a > b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kOge) return a >= b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kOlt) return a < b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kOle) return a <= b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kOne) return a < b || a > b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kOrd) return unordered ? 0 : 1;
    if constexpr (kPredicate == Predicate::kUeq) return a < b || a > b ? 0 : 1;
    if constexpr (kPredicate == Predicate::kUgtF) return a <= b ? 0 : 1;
    if constexpr (kPredicate == Predicate::kUgeF) return a < b ? 0 : 1;
    if constexpr (kPredicate == Predicate::kUltF) return a >= b ? 0 : 1;
    if constexpr (kPredicate == Predicate::kUleF) return a > b ? 0 : 1;
    if constexpr (kPredicate == Predicate::kUne) return a != b ? 1 : 0;
    if constexpr (kPredicate == Predicate::kUno) return unordered ? 1 : 0;
    if constexpr (kPredicate == Predicate::kTrue) return 1;
  }
};

template <Predicate... kPredicates>
Binary find_integer(Predicate predicate, Element element, Uniform uniform) {
  Binary found = nullptr;
  const auto loop = [&]<Predicate kPredicate>() {
    return with_integer(element, [&]<Element kElement>() -> Binary {
      return pair_loop<IntegerComparison<kPredicate, kElement>, Lane<kElement>, std::uint8_t>(uniform);
    });
  };
  (void)((predicate == kPredicates ? (found = loop.template operator()<kPredicates>(), true) : false) || ...);
  return found;
}

template <Predicate... kPredicates>
Binary find_float(Predicate predicate, Element element, Uniform uniform) {
  Binary found = nullptr;
  const auto loop = [&]<Predicate kPredicate>() -> Binary {
    if (element == Element::kF64) return pair_loop<FloatComparison<kPredicate>, double, std::uint8_t>(uniform);
    return is_float(element) ? pair_loop<FloatComparison<kPredicate>, float, std::uint8_t>(uniform) : nullptr;
  };
  (void)((predicate == kPredicates ? (found = loop.template operator()<kPredicates>(), true) : false) || ...);
  return found;
}

template <class T>
void each_choice(void* out, const void* condition, const void* a, const void* b, std::size_t count) {
  auto* result = static_cast<T*>(out);
  const auto* chosen = static_cast<const std::uint8_t*>(condition);
  const auto* x = static_cast<const T*>(a);
  const auto* y = static_cast<const T*>(b);
  TRITONRL_LANE_LOOP
  for (std::size_t i = 0; i < count; ++i) result[i] = chosen[i] != 0 ? x[i] : y[i];
}

template <class T>
void fill_with(void* out, const void* lane, std::size_t count) {
  auto* result = static_cast<T*>(out);
  const T value = *static_cast<const T*>(lane);
  for (std::size_t i = 0; i < count; ++i) result[i] = value;
}

template <class Offset, bool kBaseUniform, bool kOffsetUniform>
void offset_loop(std::uint64_t* out, const std::uint64_t* base, const void* offsets, std::uint64_t scale,
                 std::size_t count) {
  const auto* steps = static_cast<const Offset*>(offsets);
  const std::uint64_t first = base[0];
  const auto step = static_cast<std::uint64_t>(static_cast<std::int64_t>(steps[0])) * scale;
  TRITONRL_LANE_LOOP
  for (std::size_t i = 0; i < count; ++i) {
    const auto bytes = kOffsetUniform ? step : static_cast<std::uint64_t>(static_cast<std::int64_t>(steps[i])) * scale;
    out[i] = (kBaseUniform ? first : base[i]) + bytes;
  }
}

template <class Offset>
void offset_loops(std::uint64_t* out, const std::uint64_t* base, bool base_uniform, const void* offsets,
                  bool offsets_uniform, std::uint64_t scale, std::size_t count) {
  if (base_uniform && offsets_uniform) return offset_loop<Offset, true, true>(out, base, offsets, scale, count);
  if (base_uniform) return offset_loop<Offset, true, false>(out, base, offsets, scale, count);
  if (offsets_uniform) return offset_loop<Offset, false, true>(out, base, offsets, scale, count);
  offset_loop<Offset, false, false>(out, base, offsets, scale, count);
}

}  // namespace

Binary compare(Predicate predicate, Element element, Uniform uniform) {
  using enum Predicate;
  const Element plain = element == Element::kPointer ? Element::kI64 : element;
  const Binary found =
      find_integer<kEq, kNe, kSlt, kSle, kSgt, kSge, kUlt, kUle, kUgt, kUge>(predicate, plain, uniform);
  if (found != nullptr) return found;
  return find_float<kFalse, kOeq, kOgt, kOge, kOlt, kOle, kOne, kOrd, kUeq, kUgtF, kUgeF, kUltF, kUleF, kUne, kUno,
                    kTrue>(predicate, element, uniform);
}

Ternary select(std::size_t lane_bytes) {
  switch (lane_bytes) {
    case 1:
      return each_choice<std::uint8_t>;
    case 2:
      return each_choice<std::uint16_t>;
    case 4:
      return each_choice<std::uint32_t>;
    default:
      return each_choice<std::uint64_t>;
  }
}

void fill(std::size_t lane_bytes, void* out, const void* lane, std::size_t count) {
  switch (lane_bytes) {
    case 1:
      return fill_with<std::uint8_t>(out, lane, count);
    case 2:
      return fill_with<std::uint16_t>(out, lane, count);
    case 4:
      return fill_with<std::uint32_t>(out, lane, count);
    default:
      return fill_with<std::uint64_t>(out, lane, count);
  }
}

void range(std::int32_t* out, std::int32_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(i));
  }
}

void add_offsets(std::uint64_t* out, const std::uint64_t* base, bool base_uniform, const void* offsets, Element element,
                 bool offsets_uniform, std::uint64_t scale, std::size_t count) {
  if (count == 0) return;
  switch (element) {
    case Element::kI8:
      return offset_loops<std::int8_t>(out, base, base_uniform, offsets, offsets_uniform, scale, count);
    case Element::kI16:
      return offset_loops<std::int16_t>(out, base, base_uniform, offsets, offsets_uniform, scale, count);
    case Element::kI32:
      return offset_loops<std::int32_t>(out, base, base_uniform, offsets, offsets_uniform, scale, count);
    default:
      return offset_loops<std::int64_t>(out, base, base_uniform, offsets, offsets_uniform, scale, count);
  }
}

bool any(const std::uint8_t* lanes, std::size_t count) {
  std::size_t i = 0;
  // A block at a time: a loop that may stop at each lane would not vectorise.
  for (constexpr std::size_t kBlock = 64; i + kBlock <= count; i += kBlock) {
    std::uint8_t set = 0;
    for (std::size_t j = 0; j < kBlock; ++j) set |= lanes[i + j];
    if (set != 0) return true;
  }
  std::uint8_t set = 0;
  for (; i < count; ++i) set |= lanes[i];
  return set != 0;
}

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
