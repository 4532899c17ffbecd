// device_print and device_assert.
#include <fmt/format.h>
#include <fmt/printf.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"
#include "ttir/machine/undefined_lanes.h"

namespace tritonrl::ttir {
namespace {

class AssertStep final : public Step {
 public:
  AssertStep(SlotId condition, std::uint32_t count, std::string message)
      : condition_(condition), count_(count), message_(std::move(message)) {}

  void run(Machine& m) const override {
    const auto* condition = m.at<const std::uint8_t>(condition_);
    const void* failed = std::memchr(condition, 0, count_);
    if (failed == nullptr) return;
    m.memory().report(rules::kDeviceAssert, location, static_cast<const std::uint8_t*>(failed) - condition,
                      "the assertion fails: " + message_);
  }

 private:
  SlotId condition_;
  std::uint32_t count_;
  std::string message_;
};

struct Printed {
  SlotId slot = kNoSlot;
  Type type;
  bool uniform = true;
  bool is_signed = true;
};

// One line for each lane, as a compiled kernel prints it.
class PrintStep final : public Step {
 public:
  PrintStep(std::string prefix, bool hex, std::vector<Printed> arguments)
      : prefix_(std::move(prefix)), hex_(hex), arguments_(std::move(arguments)) {}

  void run(Machine& m) const override {
    const auto [x, y, z] = m.program();
    const std::string program = fmt::format("pid ({}, {}, {})", x, y, z);
    if (arguments_.empty()) m.print(program + prefix_);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Printed& argument = arguments_[i];
      const std::string operand = arguments_.size() > 1 ? fmt::format("(operand {}) ", i) : "";
      const auto count = static_cast<std::size_t>(element_count(argument.type.shape));
      for (std::size_t lane = 0; lane < count; ++lane)
        m.print(fmt::format("{} idx ({}){}{}{}", program, index_text(argument.type.shape, lane), prefix_, operand,
                            value_text(m, argument, argument.uniform ? 0 : lane)));
    }
  }

 private:
  static std::string index_text(const Shape& shape, std::size_t lane) {
    std::string text;
    auto below = static_cast<std::size_t>(element_count(shape));
    for (const std::int64_t size : shape) {
      below /= static_cast<std::size_t>(size);
      const auto width = static_cast<int>(std::ceil(std::log10(static_cast<double>(size))));
      text += fmt::format("{}{:{}}", text.empty() ? "" : ", ", lane / below % static_cast<std::size_t>(size), width);
    }
    return text;
  }

  std::string value_text(Machine& m, const Printed& argument, std::size_t lane) const {
    const Element element = argument.type.element;
    const std::size_t bytes = lanes::bytes_of_lane(element);
    const std::byte* at = m.at<const std::byte>(argument.slot) + lane * bytes;
    if (hex_ || element == Element::kPointer) {
      std::uint64_t bits = 0;
      lanes::encode(element)(&bits, at, 1);
      return element == Element::kPointer ? fmt::format("0x{:x}", bits)
                                          : fmt::format("0x{:0{}x}", bits, bytes_of(element) * 2);
    }
    if (is_float(element)) {
      double value = 0;
      if (element == Element::kF64) {
        std::memcpy(&value, at, sizeof value);
      } else {
        float narrow = 0;
        std::memcpy(&narrow, at, sizeof narrow);
        value = narrow;
      }
      return fmt::sprintf("%f", value);
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, bytes);
    if (!argument.is_signed || element == Element::kI1) return std::to_string(bits);
    const auto unused = 64 - 8 * static_cast<int>(bytes);
    return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  std::string prefix_;
  bool hex_;
  std::vector<Printed> arguments_;
};

void lower_print(Lowering& lowering) {
  const Operation& op = lowering.operation();
  const auto is_signed = op.list("isSigned");
  const Attribute* hex = op.attribute("hex");
  std::vector<Printed> arguments;
  std::vector<SlotId> touched;
  for (std::size_t i = 0; i < lowering.operands(); ++i) {
    const Binding& value = lowering.operand(i);
    arguments.push_back({value.slot, value.type, value.uniform, i >= is_signed.size() || is_signed[i] != 0});
    touched.push_back(value.slot);
  }
  const bool in_hex = hex != nullptr && std::holds_alternative<bool>(*hex) && std::get<bool>(*hex);
  lowering.emit(std::make_unique<PrintStep>(std::string(op.word("prefix", "")), in_hex, std::move(arguments)), touched);
}

void lower_assert(Lowering& lowering) {
  const Binding condition = lowering.spread(lowering.operand(0));
  lower_undefined_use(lowering, condition, nullptr, "the condition of an assertion");
  const Operation& op = lowering.operation();
  const std::string message(op.word(op.opcode == Opcode::kCfAssert ? "msg" : "message", ""));
  lowering.emit(std::make_unique<AssertStep>(condition.slot, condition.lanes(), message), {condition.slot});
}

}  // namespace

bool lower_diagnostic(Lowering& lowering) {
  switch (lowering.operation().opcode) {
    case Opcode::kTtPrint:
      lower_print(lowering);
      return true;
    case Opcode::kTtAssert:
    case Opcode::kCfAssert:
      lower_assert(lowering);
      return true;
    case Opcode::kLlvmIntrAssume:
      return true;  // a promise to the compiler, nothing to do
    default:
      return false;
  }
}

}  // namespace tritonrl::ttir
