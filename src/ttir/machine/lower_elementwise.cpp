// Operations that do the same to every lane.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"
#include "ttir/machine/undefined_lanes.h"

namespace tritonrl::ttir {
namespace {

class UnaryStep final : public Step {
 public:
  UnaryStep(lanes::Unary function, SlotId out, SlotId a, std::uint32_t count)
      : function_(function), out_(out), a_(a), count_(count) {}
  void run(Machine& m) const override { function_(m.at(out_), m.at(a_), m.count(count_)); }

 private:
  lanes::Unary function_;
  SlotId out_, a_;
  std::uint32_t count_;
};

class BinaryStep final : public Step {
 public:
  BinaryStep(lanes::Binary function, SlotId out, SlotId a, SlotId b, std::uint32_t count)
      : function_(function), out_(out), a_(a), b_(b), count_(count) {}
  void run(Machine& m) const override { function_(m.at(out_), m.at(a_), m.at(b_), m.count(count_)); }

 private:
  lanes::Binary function_;
  SlotId out_, a_, b_;
  std::uint32_t count_;
};

class TernaryStep final : public Step {
 public:
  TernaryStep(lanes::Ternary function, SlotId out, SlotId a, SlotId b, SlotId c, std::uint32_t count)
      : function_(function), out_(out), a_(a), b_(b), c_(c), count_(count) {}
  void run(Machine& m) const override { function_(m.at(out_), m.at(a_), m.at(b_), m.at(c_), m.count(count_)); }

 private:
  lanes::Ternary function_;
  SlotId out_, a_, b_, c_;
  std::uint32_t count_;
};

// Reports a divisor of zero at once, or marks its lane undefined where there is a place for that: lanes that are masked
// off later may divide by anything.
class CheckDivisor final : public Step {
 public:
  CheckDivisor(Element element, SlotId divisor, bool uniform, SlotId undefined, std::uint32_t count)
      : bytes_(lanes::bytes_of_lane(element)),
        divisor_(divisor),
        uniform_(uniform),
        undefined_(undefined),
        count_(count) {}

  void run(Machine& m) const override {
    const auto* divisor = m.at<const std::byte>(divisor_);
    const std::size_t count = m.count(count_);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, divisor + (uniform_ ? 0 : i * bytes_), bytes_);
      if (bits != 0) {
        if (uniform_) return;
        continue;
      }
      if (undefined_ == kNoSlot) {
        m.memory().report(rules::kDivisionByZero, location, static_cast<std::int64_t>(i),
                          "an integer is divided by zero; the result is undefined");
        return;
      }
      m.at<std::uint8_t>(undefined_)[i] |= kDividedByZero;
      m.note_zero_division({location, static_cast<std::int64_t>(i)});
    }
  }

 private:
  std::size_t bytes_;
  SlotId divisor_;
  bool uniform_;
  SlotId undefined_;
  std::uint32_t count_;
};

class AddPtrStep final : public Step {
 public:
  AddPtrStep(SlotId out, const Binding& base, const Binding& offset, std::uint64_t scale, std::uint32_t count)
      : out_(out),
        base_(base.slot),
        offset_(offset.slot),
        base_uniform_(base.uniform),
        offset_uniform_(offset.uniform),
        element_(offset.type.element),
        scale_(scale),
        count_(count) {}
  void run(Machine& m) const override {
    lanes::add_offsets(m.at<Address>(out_), m.at<const Address>(base_), base_uniform_, m.at(offset_), element_,
                       offset_uniform_, scale_, m.count(count_));
  }

 private:
  SlotId out_, base_, offset_;
  bool base_uniform_, offset_uniform_;
  Element element_;
  std::uint64_t scale_;
  std::uint32_t count_;
};

// Undefined lanes of a & b (`absorbing` false) or a | b (true): a defined operand that decides hides the other.
class UndefinedLogic final : public Step {
 public:
  UndefinedLogic(SlotId out, std::array<SlotId, 4> in, std::uint8_t absorbing, std::uint32_t count)
      : out_(out), in_(in), absorbing_(absorbing), count_(count) {}
  void run(Machine& m) const override {
    auto* out = m.at<std::uint8_t>(out_);
    const auto* a = m.at<const std::uint8_t>(in_[0]);
    const auto* b = m.at<const std::uint8_t>(in_[1]);
    const auto* ua = m.at<const std::uint8_t>(in_[2]);
    const auto* ub = m.at<const std::uint8_t>(in_[3]);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const bool decided = (ua[i] == 0 && a[i] == absorbing_) || (ub[i] == 0 && b[i] == absorbing_);
      out[i] = decided ? std::uint8_t{0} : static_cast<std::uint8_t>(ua[i] | ub[i]);
    }
  }

 private:
  SlotId out_;
  std::array<SlotId, 4> in_;
  std::uint8_t absorbing_;
  std::uint32_t count_;
};

class UndefinedSelect final : public Step {
 public:
  UndefinedSelect(SlotId out, std::array<SlotId, 4> in, std::uint32_t count) : out_(out), in_(in), count_(count) {}
  void run(Machine& m) const override {
    auto* out = m.at<std::uint8_t>(out_);
    const auto* condition = m.at<const std::uint8_t>(in_[0]);
    const auto* uc = m.at<const std::uint8_t>(in_[1]);
    const auto* ua = m.at<const std::uint8_t>(in_[2]);
    const auto* ub = m.at<const std::uint8_t>(in_[3]);
    for (std::uint32_t i = 0; i < count_; ++i) out[i] = uc[i] | (condition[i] != 0 ? ua[i] : ub[i]);
  }

 private:
  SlotId out_;
  std::array<SlotId, 4> in_;
  std::uint32_t count_;
};

class ElementwiseLowering {
 public:
  explicit ElementwiseLowering(Lowering& lowering) : l_(lowering), op_(lowering.operation()) {}

  bool lower() {
    switch (op_.opcode) {
      case Opcode::kArithConstant:
        constant();
        return true;
      case Opcode::kUbPoison:
        poison();
        return true;
      case Opcode::kArithCmpI:
      case Opcode::kArithCmpF:
        binary(lanes::compare(op_.opcode, op_.word("predicate", ""), element(0), uniformity(0, 1)), WorkKind::kInteger);
        return true;
      case Opcode::kArithSelect:
        select();
        return true;
      case Opcode::kMathFma:
        ternary(lanes::fma(element(0)), WorkKind::kFloat);
        return true;
      case Opcode::kTtClampF:
        ternary(lanes::clamp(element(0), op_.word("propagateNan", "none") == "all"), WorkKind::kFloat);
        return true;
      case Opcode::kTtAddPtr:
        add_pointer();
        return true;
      case Opcode::kTtIntToPtr:
      case Opcode::kTtPtrToInt:
        alias();
        return true;
      case Opcode::kTtBitcast:
      case Opcode::kArithBitcast:
        if (element(0) == Element::kPointer || element(0) == l_.result_type().element)
          alias();
        else
          convert(Opcode::kArithBitcast);
        return true;
      case Opcode::kArithExtF:
      case Opcode::kArithTruncF:
      case Opcode::kTtFpToFp:
      case Opcode::kArithSIToFP:
      case Opcode::kArithUIToFP:
      case Opcode::kArithFPToSI:
      case Opcode::kArithFPToUI:
      case Opcode::kArithExtSI:
      case Opcode::kArithExtUI:
      case Opcode::kArithTruncI:
      case Opcode::kArithIndexCast:
      case Opcode::kArithIndexCastUI:
        convert(op_.opcode);
        return true;
      case Opcode::kTtExternElementwise:
        library_call();
        return true;
      case Opcode::kArithMulSIExtended:
      case Opcode::kArithMulUIExtended:
        extended_product();
        return true;
      default:
        return arithmetic();
    }
  }

 private:
  Element element(std::size_t operand) const { return l_.operand(operand).type.element; }

  lanes::Uniform uniformity(std::size_t a, std::size_t b) const {
    const bool first = l_.operand(a).uniform;
    const bool second = l_.operand(b).uniform;
    if (first == second) return lanes::Uniform::kNone;
    return first ? lanes::Uniform::kFirst : lanes::Uniform::kSecond;
  }

  // A slot for the result of an operation on `operands`, uniform and invariant when all of them are.
  Binding result_of(std::span<const Binding> operands, std::size_t index = 0) {
    const bool uniform = std::ranges::all_of(operands, &Binding::uniform);
    Binding out = l_.new_result(uniform, index);
    out.invariant = out.undefined == kNoSlot && !l_.in_combine() && std::ranges::all_of(operands, &Binding::invariant);
    return out;
  }

  std::uint32_t count(const Binding& out) const { return l_.in_combine() && !out.uniform ? 0 : out.lanes(); }

  void finish(const Binding& out, Step& step, WorkKind kind, std::size_t index = 0) {
    step.work = {kind, out.type.element, out.lanes()};
    l_.bind_result(out, index);
  }

  void binary(lanes::Binary function, WorkKind kind) {
    if (function == nullptr) l_.unsupported("on " + l_.operand(0).type.text());
    const std::array operands{l_.operand(0), l_.operand(1)};
    const Binding out = result_of(operands);
    if (is_logic(out))
      undefined_logic(out, operands);
    else
      lower_undefined(l_, out, operands);
    if (divides(op_.opcode) && !l_.facts_of(op_.operands[1]).is_never_zero) check_divisor(out);
    Step& step =
        l_.emit(std::make_unique<BinaryStep>(function, out.slot, operands[0].slot, operands[1].slot, count(out)),
                {out.slot, operands[0].slot, operands[1].slot}, out.invariant);
    finish(out, step, kind);
  }

  bool is_logic(const Binding& out) const {
    return out.undefined != kNoSlot && out.type.element == Element::kI1 &&
           (op_.opcode == Opcode::kArithAndI || op_.opcode == Opcode::kArithOrI);
  }

  void undefined_logic(const Binding& out, std::span<const Binding, 2> operands) {
    const Binding a = out.uniform ? operands[0] : l_.spread(operands[0]);
    const Binding b = out.uniform ? operands[1] : l_.spread(operands[1]);
    const std::array in{a.slot, b.slot, l_.undefined_lanes(a), l_.undefined_lanes(b)};
    const std::uint8_t absorbing = op_.opcode == Opcode::kArithOrI ? 1 : 0;
    l_.emit(std::make_unique<UndefinedLogic>(out.undefined, in, absorbing, out.lanes()),
            {out.undefined, in[0], in[1], in[2], in[3]});
  }

  // Operands of ternary functions have all their lanes, or one each.
  std::array<Binding, 3> three(const Binding& out) {
    std::array<Binding, 3> operands{l_.operand(0), l_.operand(1), l_.operand(2)};
    if (out.uniform) return operands;
    for (Binding& operand : operands) {
      operand.type.shape = out.type.shape;  // a select's condition may be one for all lanes
      operand = l_.spread(operand);
    }
    return operands;
  }

  void ternary(lanes::Ternary function, WorkKind kind) {
    if (function == nullptr) l_.unsupported("on " + l_.operand(0).type.text());
    const Binding out = result_of(std::array{l_.operand(0), l_.operand(1), l_.operand(2)});
    const auto operands = three(out);
    lower_undefined(l_, out, operands);
    finish(out, emit_ternary(function, out, operands), kind);
  }

  Step& emit_ternary(lanes::Ternary function, const Binding& out, const std::array<Binding, 3>& in) {
    return l_.emit(std::make_unique<TernaryStep>(function, out.slot, in[0].slot, in[1].slot, in[2].slot, count(out)),
                   {out.slot, in[0].slot, in[1].slot, in[2].slot}, out.invariant);
  }

  void select() {
    const Binding out = result_of(std::array{l_.operand(0), l_.operand(1), l_.operand(2)});
    const auto in = three(out);
    if (out.undefined != kNoSlot) {
      const std::array shadow{in[0].slot, l_.undefined_lanes(in[0]), l_.undefined_lanes(in[1]),
                              l_.undefined_lanes(in[2])};
      l_.emit(std::make_unique<UndefinedSelect>(out.undefined, shadow, out.lanes()),
              {out.undefined, shadow[0], shadow[1], shadow[2], shadow[3]});
    }
    finish(out, emit_ternary(lanes::select(out.type.element), out, in), WorkKind::kInteger);
  }

  void unary(lanes::Unary function, WorkKind kind) {
    if (function == nullptr) l_.unsupported("from " + l_.operand(0).type.text() + " to " + l_.result_type().text());
    const std::array operands{l_.operand(0)};
    const Binding out = result_of(operands);
    lower_undefined(l_, out, operands);
    Step& step = l_.emit(std::make_unique<UnaryStep>(function, out.slot, operands[0].slot, count(out)),
                         {out.slot, operands[0].slot}, out.invariant);
    finish(out, step, kind);
  }

  void convert(Opcode opcode) {
    unary(lanes::convert(opcode, element(0), l_.result_type().element, op_.word("rounding", "")),
          WorkKind::kConversion);
  }

  // The same lanes under another type.
  void alias() { l_.bind_result(l_.operand(0)); }

  bool arithmetic() {
    if (op_.results.size() != 1) return false;
    if (op_.operands.size() == 2) {
      const auto function = lanes::binary(op_.opcode, element(0), uniformity(0, 1));
      if (function == nullptr) return false;
      binary(function, is_float(element(0)) ? WorkKind::kFloat : WorkKind::kInteger);
      return true;
    }
    if (op_.operands.size() == 1) {
      const auto function = lanes::unary(op_.opcode, element(0));
      if (function == nullptr) return false;
      unary(function, name_of(op_.opcode).starts_with("math.") ? WorkKind::kSpecial : WorkKind::kFloat);
      return true;
    }
    return false;
  }

  void check_divisor(const Binding& out) {
    const Binding& divisor = l_.operand(1);
    l_.emit(
        std::make_unique<CheckDivisor>(divisor.type.element, divisor.slot, divisor.uniform, out.undefined, count(out)),
        {divisor.slot, out.undefined});
  }

  void constant() {
    const Type& type = l_.result_type();
    const std::size_t lane_bytes = lanes::bytes_of_lane(type.element);
    const Attribute& attribute = *op_.attribute("value");
    std::vector<std::uint64_t> bits;
    bool uniform = true;
    if (const auto* dense = std::get_if<DenseAttribute>(&attribute)) {
      bits = dense->bits;
      uniform = dense->splat || bits.size() == 1;
    } else if (const auto* flag = std::get_if<bool>(&attribute)) {
      bits = {static_cast<std::uint64_t>(*flag)};
    } else {
      bits = {static_cast<std::uint64_t>(std::get<std::int64_t>(attribute))};
    }
    const std::size_t memory_bytes = bytes_of(type.element);
    std::vector<std::byte> memory(bits.size() * memory_bytes);
    for (std::size_t i = 0; i < bits.size(); ++i) std::memcpy(&memory[i * memory_bytes], &bits[i], memory_bytes);
    std::vector<std::byte> held(bits.size() * lane_bytes);
    lanes::decode(type.element)(held.data(), memory.data(), bits.size());
    Binding out{.type = type, .uniform = uniform};
    out.slot = l_.constant(held);
    out.invariant = true;
    if (!uniform && l_.in_combine()) l_.unsupported("of several lanes in a combine");
    l_.bind_result(out);
  }

  void poison() {
    const Type& type = l_.result_type();
    Binding out{.type = type, .uniform = true};
    out.slot = l_.constant_bytes(0, lanes::bytes_of_lane(type.element));
    out.undefined = l_.constant_bytes(1, 1);
    l_.bind_result(out);
  }

  void add_pointer() {
    const std::array operands{l_.operand(0), l_.operand(1)};
    const Binding out = result_of(operands);
    lower_undefined(l_, out, operands);
    Step& step = l_.emit(
        std::make_unique<AddPtrStep>(out.slot, operands[0], operands[1], bytes_of(out.type.pointee), count(out)),
        {out.slot, operands[0].slot, operands[1].slot}, out.invariant);
    finish(out, step, WorkKind::kInteger);
  }

  void library_call() {
    const std::string_view symbol = op_.word("symbol", "");
    const auto refuse = [&] { l_.unsupported("of " + std::string(symbol)); };
    if (op_.operands.size() == 1) {
      const auto function = lanes::extern_unary(symbol, element(0), l_.result_type().element);
      if (function == nullptr) refuse();
      unary(function, WorkKind::kSpecial);
    } else if (op_.operands.size() == 2) {
      const auto function = lanes::extern_binary(symbol, element(0));
      if (function == nullptr) refuse();
      two_spread(function);
    } else if (op_.operands.size() == 3) {
      const auto function = lanes::extern_ternary(symbol, element(0));
      if (function == nullptr) refuse();
      ternary(function, WorkKind::kSpecial);
    } else {
      refuse();
    }
  }

  void two_spread(lanes::Binary function) {
    std::array operands{l_.operand(0), l_.operand(1)};
    const Binding out = result_of(operands);
    if (!out.uniform)
      for (Binding& operand : operands) operand = l_.spread(operand);
    lower_undefined(l_, out, operands);
    Step& step =
        l_.emit(std::make_unique<BinaryStep>(function, out.slot, operands[0].slot, operands[1].slot, count(out)),
                {out.slot, operands[0].slot, operands[1].slot}, out.invariant);
    finish(out, step, WorkKind::kSpecial);
  }

  // Low and high halves of the product.
  void extended_product() {
    const auto low = lanes::binary(Opcode::kArithMulI, element(0), lanes::Uniform::kNone);
    const auto high = lanes::binary(op_.opcode, element(0), lanes::Uniform::kNone);
    if (low == nullptr || high == nullptr) l_.unsupported("on " + l_.operand(0).type.text());
    std::array operands{l_.operand(0), l_.operand(1)};
    const std::array outs{result_of(operands, 0), result_of(operands, 1)};
    if (!outs[0].uniform)
      for (Binding& operand : operands) operand = l_.spread(operand);
    for (std::size_t i = 0; i < 2; ++i) {
      lower_undefined(l_, outs[i], operands);
      Step& step = l_.emit(std::make_unique<BinaryStep>(i == 0 ? low : high, outs[i].slot, operands[0].slot,
                                                        operands[1].slot, count(outs[i])),
                           {outs[i].slot, operands[0].slot, operands[1].slot}, outs[i].invariant);
      finish(outs[i], step, WorkKind::kInteger, i);
    }
  }

  Lowering& l_;
  const Operation& op_;
};

}  // namespace

bool lower_elementwise(Lowering& lowering) { return ElementwiseLowering(lowering).lower(); }

}  // namespace tritonrl::ttir
