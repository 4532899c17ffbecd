// tt.dot and tt.dot_scaled.
#include <cstring>
#include <string>
#include <vector>

#include "ttir/lanes/dot.h"
#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"

namespace tritonrl::ttir {
namespace {

class DotStep final : public Step {
 public:
  DotStep(Dot dot, SlotId out, SlotId a, SlotId b, SlotId c, DotShape shape)
      : dot_(dot), out_(out), a_(a), b_(b), c_(c), shape_(shape) {}
  void run(Machine& m) const override { dot_(m.at(out_), m.at(a_), m.at(b_), m.at(c_), shape_); }

 private:
  Dot dot_;
  SlotId out_, a_, b_, c_;
  DotShape shape_;
};

// A lane of the result is undefined when one of its row of a, its column of b, or its lane of c is.
class UndefinedDot final : public Step {
 public:
  UndefinedDot(SlotId out, SlotId a, SlotId b, SlotId c, DotShape shape)
      : out_(out), a_(a), b_(b), c_(c), shape_(shape) {}

  void run(Machine& m) const override {
    auto* out = m.at<std::uint8_t>(out_);
    const auto* a = m.at<const std::uint8_t>(a_);
    const auto* b = m.at<const std::uint8_t>(b_);
    std::memcpy(out, m.at(c_), shape_.batch * shape_.m * shape_.n);
    if (lanes::any(a, shape_.batch * shape_.m * shape_.k))
      for (std::size_t row = 0; row < shape_.batch * shape_.m; ++row)
        if (lanes::any(a + row * shape_.k, shape_.k)) std::memset(out + row * shape_.n, 1, shape_.n);
    if (!lanes::any(b, shape_.batch * shape_.k * shape_.n)) return;
    for (std::size_t batch = 0; batch < shape_.batch; ++batch)
      for (std::size_t k = 0; k < shape_.k; ++k)
        for (std::size_t n = 0; n < shape_.n; ++n)
          if (b[(batch * shape_.k + k) * shape_.n + n] != 0)
            for (std::size_t row = 0; row < shape_.m; ++row) out[(batch * shape_.m + row) * shape_.n + n] = 1;
  }

 private:
  SlotId out_, a_, b_, c_;
  DotShape shape_;
};

struct ScaledOperand {
  std::string format;
  SlotId values = kNoSlot;
  SlotId scales = kNoSlot;
  Element element{};
};

class ScaledDotStep final : public Step {
 public:
  ScaledDotStep(SlotId out, ScaledOperand a, ScaledOperand b, SlotId c, DotShape shape, bool a_packed_along_k,
                bool b_packed_along_k)
      : out_(out),
        a_(std::move(a)),
        b_(std::move(b)),
        c_(c),
        shape_(shape),
        a_packed_along_k_(a_packed_along_k),
        b_packed_along_k_(b_packed_along_k),
        dot_(dot(Element::kF32, Element::kF32, Element::kF32, DotPrecision::kIeee)) {}

  void run(Machine& m) const override {
    const std::size_t a_count = shape_.m * shape_.k;
    auto* a = reinterpret_cast<float*>(m.scratch((a_count + shape_.k * shape_.n) * sizeof(float)));
    float* b = a + a_count;
    const Element compute = a_.format == "fp16" || b_.format == "fp16" ? Element::kF16 : Element::kBF16;
    decode_scaled_lhs(a_.format, m.at(a_.values), scales(m, a_), shape_, a_packed_along_k_, a, compute);
    decode_scaled_rhs(b_.format, m.at(b_.values), scales(m, b_), shape_, b_packed_along_k_, b, compute);
    dot_(m.at(out_), a, b, m.at(c_), shape_);
  }

 private:
  static const std::uint8_t* scales(Machine& m, const ScaledOperand& operand) {
    return operand.scales == kNoSlot ? nullptr : m.at<const std::uint8_t>(operand.scales);
  }

  SlotId out_;
  ScaledOperand a_, b_;
  SlotId c_;
  DotShape shape_;
  bool a_packed_along_k_, b_packed_along_k_;
  Dot dot_;
};

class ProductLowering {
 public:
  explicit ProductLowering(Lowering& lowering) : l_(lowering), op_(lowering.operation()) {}

  bool lower() {
    if (op_.opcode == Opcode::kTtDot) {
      dot_product();
      return true;
    }
    if (op_.opcode == Opcode::kTtDotScaled) {
      scaled_product();
      return true;
    }
    return false;
  }

 private:
  static DotShape shape_of(const Shape& a, const Shape& c) {
    const std::size_t rank = a.size();
    DotShape shape{.m = static_cast<std::size_t>(c[rank - 2]),
                   .n = static_cast<std::size_t>(c[rank - 1]),
                   .k = static_cast<std::size_t>(a[rank - 1])};
    for (std::size_t d = 0; d + 2 < rank; ++d) shape.batch *= static_cast<std::size_t>(a[d]);
    return shape;
  }

  DotPrecision precision() const {
    const std::string_view word = op_.word("inputPrecision", "ieee");
    if (word == "tf32") return DotPrecision::kTf32;
    if (word == "tf32x3") return DotPrecision::kTf32x3;
    if (word == "bf16x3") return DotPrecision::kBf16x3;
    if (word == "bf16x6") return DotPrecision::kBf16x6;
    return DotPrecision::kIeee;
  }

  static Work work_of(const DotShape& shape, Element element, bool exact) {
    return {.kind = WorkKind::kDot,
            .element = element,
            .operations = 2 * shape.batch * shape.m * shape.n * shape.k,
            .factors = shape.batch * shape.k * (shape.m + shape.n),
            .exact = exact};
  }

  void dot_product() {
    const Binding a = l_.spread(l_.operand(0));
    const Binding b = l_.spread(l_.operand(1));
    const Binding c = l_.spread(l_.operand(2));
    const DotShape shape = shape_of(a.type.shape, c.type.shape);
    const Dot function = dot(a.type.element, b.type.element, c.type.element, precision());
    if (function == nullptr) l_.unsupported("of " + a.type.text() + " and " + b.type.text());
    Binding out = l_.new_result(false);
    Step& step = l_.emit(std::make_unique<DotStep>(function, out.slot, a.slot, b.slot, c.slot, shape),
                         {out.slot, a.slot, b.slot, c.slot});
    step.work = work_of(shape, a.type.element, precision() == DotPrecision::kIeee);
    undefined(out, a, b, c, shape);
    l_.bind_result(out);
  }

  void undefined(const Binding& out, const Binding& a, const Binding& b, const Binding& c, DotShape shape) {
    if (out.undefined == kNoSlot) return;
    const SlotId ua = l_.undefined_lanes(a);
    const SlotId ub = l_.undefined_lanes(b);
    const SlotId uc = l_.undefined_lanes(c);
    l_.emit(std::make_unique<UndefinedDot>(out.undefined, ua, ub, uc, shape), {out.undefined, ua, ub, uc});
  }

  bool packed_along_k(const char* attribute) const {
    const Attribute* found = op_.attribute(attribute);
    return found == nullptr || !std::holds_alternative<bool>(*found) || std::get<bool>(*found);
  }

  ScaledOperand scaled_operand(std::size_t value, std::size_t scale, const char* format) {
    ScaledOperand operand{.format = std::string(op_.word(format, ""))};
    const Binding values = l_.spread(l_.operand(value));
    operand.values = values.slot;
    operand.element = values.type.element;
    if (l_.has_operand(scale)) {
      if (l_.operand(scale).type.element != Element::kI8) l_.unsupported("with scales other than e8m0");
      operand.scales = l_.spread(l_.operand(scale)).slot;
    }
    return operand;
  }

  void scaled_product() {
    const ScaledOperand a = scaled_operand(0, 3, "a_elem_type");
    const ScaledOperand b = scaled_operand(1, 4, "b_elem_type");
    const Binding c = l_.spread(l_.operand(2));
    if (c.type.element != Element::kF32 || c.type.shape.size() != 2) l_.unsupported("into " + c.type.text());
    const bool a_along_k = packed_along_k("lhs_k_pack");
    const bool b_along_k = packed_along_k("rhs_k_pack");
    DotShape shape = shape_of(l_.operand(0).type.shape, c.type.shape);
    if (a.format == "e2m1" && a_along_k) shape.k *= 2;
    Binding out = l_.new_result(false);
    Step& step = l_.emit(std::make_unique<ScaledDotStep>(out.slot, a, b, c.slot, shape, a_along_k, b_along_k),
                         std::vector<SlotId>{out.slot, a.values, a.scales, b.values, b.scales, c.slot});
    step.work = work_of(shape, a.element, false);
    if (out.undefined != kNoSlot) {
      const DotShape stored{.m = shape.m, .n = shape.n, .k = 0};  // only the accumulator is followed
      undefined(out, c, c, c, stored);
    }
    l_.bind_result(out);
  }

  Lowering& l_;
  const Operation& op_;
};

}  // namespace

bool lower_product(Lowering& lowering) { return ProductLowering(lowering).lower(); }

}  // namespace tritonrl::ttir
