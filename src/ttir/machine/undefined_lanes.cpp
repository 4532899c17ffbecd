#include "ttir/machine/undefined_lanes.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/machine.h"

namespace tritonrl::ttir {
namespace {

class OrBytes final : public Step {
 public:
  OrBytes(SlotId out, SlotId in, bool uniform, std::uint32_t count)
      : out_(out), in_(in), uniform_(uniform), count_(count) {}
  void run(Machine& m) const override {
    auto* out = m.at<std::uint8_t>(out_);
    const auto* in = m.at<const std::uint8_t>(in_);
    if (!uniform_)
      or_(out, out, in, count_);
    else if (*in != 0)
      std::memset(out, *in, count_);
  }

 private:
  SlotId out_, in_;
  bool uniform_;
  std::uint32_t count_;
  lanes::Binary or_ = lanes::binary(Opcode::kArithOrI, Element::kI1, lanes::Uniform::kNone);
};

class ClearBytes final : public Step {
 public:
  ClearBytes(SlotId out, std::uint32_t count) : out_(out), count_(count) {}
  void run(Machine& m) const override { std::memset(m.at(out_), 0, count_); }

 private:
  SlotId out_;
  std::uint32_t count_;
};

class CopyBytes final : public Step {
 public:
  CopyBytes(SlotId out, SlotId in, std::uint32_t count) : out_(out), in_(in), count_(count) {}
  void run(Machine& m) const override { std::memcpy(m.at(out_), m.at(in_), count_); }

 private:
  SlotId out_, in_;
  std::uint32_t count_;
};

class ReportUndefined final : public Step {
 public:
  ReportUndefined(SlotId undefined, SlotId mask, bool uniform, std::uint32_t count, std::string used_as)
      : undefined_(undefined), mask_(mask), uniform_(uniform), count_(count), used_as_(std::move(used_as)) {}

  void run(Machine& m) const override {
    const auto* undefined = m.at<const std::uint8_t>(undefined_);
    const auto* mask = mask_ == kNoSlot ? nullptr : m.at<const std::uint8_t>(mask_);
    if (!uniform_) {
      report_undefined(m, *this, undefined, mask, count_, used_as_);
    } else if (*undefined != 0) {
      const std::vector<std::uint8_t> all(count_, *undefined);
      report_undefined(m, *this, all.data(), mask, count_, used_as_);
    }
  }

 private:
  SlotId undefined_, mask_;
  bool uniform_;
  std::uint32_t count_;
  std::string used_as_;
};

}  // namespace

void report_undefined(Machine& machine, const Step& step, const std::uint8_t* undefined, const std::uint8_t* mask,
                      std::size_t count, std::string_view used_as) {
  if (!lanes::any(undefined, count)) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (undefined[i] == 0 || (mask != nullptr && mask[i] == 0)) continue;
    if ((undefined[i] & kDividedByZero) != 0)
      machine.memory().report(rules::kDivisionByZero, machine.zero_division().location, machine.zero_division().lane,
                              "an integer is divided by zero; the result is undefined, and is " + std::string(used_as));
    else
      machine.memory().report(rules::kUndefinedLane, step.location, static_cast<std::int64_t>(i),
                              "this lane was masked off in a load without `other`, so its value is undefined; it is " +
                                  std::string(used_as));
    return;
  }
}

void lower_undefined(Lowering& lowering, const Binding& out, std::span<const Binding> operands) {
  if (out.undefined == kNoSlot) return;
  // The first of as many lanes is taken over as it is.
  const auto first = std::ranges::find_if(
      operands, [&](const Binding& operand) { return operand.undefined != kNoSlot && operand.uniform == out.uniform; });
  if (first == operands.end())
    lowering.emit(std::make_unique<ClearBytes>(out.undefined, out.lanes()), {out.undefined});
  else
    lowering.emit(std::make_unique<CopyBytes>(out.undefined, first->undefined, out.lanes()),
                  {out.undefined, first->undefined});
  for (const Binding& operand : operands) {
    if (operand.undefined == kNoSlot || (first != operands.end() && &operand == &*first)) continue;
    lowering.emit(std::make_unique<OrBytes>(out.undefined, operand.undefined, operand.uniform, out.lanes()),
                  {out.undefined, operand.undefined});
  }
}

void lower_undefined_use(Lowering& lowering, const Binding& value, const Binding* mask, const char* used_as) {
  if (value.undefined == kNoSlot) return;
  const SlotId mask_slot = mask == nullptr ? kNoSlot : lowering.spread(*mask).slot;
  const auto count = static_cast<std::uint32_t>(element_count(value.type.shape));
  lowering.emit(std::make_unique<ReportUndefined>(value.undefined, mask_slot, value.uniform, count, used_as),
                {value.undefined, mask_slot});
}

}  // namespace tritonrl::ttir
