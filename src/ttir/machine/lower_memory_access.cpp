// Loads, stores and atomics through pointers.
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"
#include "ttir/machine/undefined_lanes.h"
#include "ttir/memory/atomic_operation.h"

namespace tritonrl::ttir {
namespace {

// Whether lanes of an element look the same in memory.
bool lies_as_held(Element element) {
  return element != Element::kI1 && lanes::bytes_of_lane(element) == bytes_of(element) && element != Element::kF16 &&
         element != Element::kBF16;
}

// Null when every lane is on: the memory is then quicker.
const std::uint8_t* mask_lanes(Machine& m, SlotId mask, std::size_t count) {
  if (mask == kNoSlot) return nullptr;
  const auto* lanes = m.at<const std::uint8_t>(mask);
  return std::memchr(lanes, 0, count) == nullptr ? nullptr : lanes;
}

class LoadStep final : public Step {
 public:
  struct Slots {
    SlotId out, addresses, mask, other, undefined;
  };
  LoadStep(std::uint32_t site, Element element, Slots slots, std::uint32_t count, bool is_volatile)
      : site_(site),
        element_(element),
        slots_(slots),
        count_(count),
        is_volatile_(is_volatile),
        direct_(lies_as_held(element)),
        decode_(lanes::decode(element)),
        select_(lanes::select(element)) {}

  void run(Machine& m) const override {
    if (is_volatile_ && !m.may_touch_shared()) return;
    const auto* mask = mask_lanes(m, slots_.mask, count_);
    auto* out = m.at<std::byte>(slots_.out);
    std::byte* raw = direct_ ? out : m.scratch(count_ * bytes_of(element_));
    if (mask != nullptr) std::memset(raw, 0, count_ * bytes_of(element_));
    const LaneAddresses lanes{m.at<const Address>(slots_.addresses), mask, count_};
    const AccessSite& site = m.code().sites[site_];
    if (is_volatile_)
      m.memory().load_volatile(site, lanes, raw);
    else
      m.memory().load(site, lanes, raw);
    if (!direct_) decode_(out, raw, count_);
    if (mask != nullptr && slots_.other != kNoSlot) select_(out, mask, out, m.at(slots_.other), count_);
    if (slots_.undefined != kNoSlot) mark_undefined(m, mask);
  }

 private:
  void mark_undefined(Machine& m, const std::uint8_t* mask) const {
    auto* undefined = m.at<std::uint8_t>(slots_.undefined);
    constexpr std::uint8_t kOn = 1;
    if (mask == nullptr || slots_.other != kNoSlot)
      std::memset(undefined, 0, count_);
    else
      negate_(undefined, mask, &kOn, count_);
  }

  std::uint32_t site_;
  Element element_;
  Slots slots_;
  std::uint32_t count_;
  bool is_volatile_, direct_;
  lanes::Unary decode_;
  lanes::Ternary select_;
  lanes::Binary negate_ = lanes::binary(Opcode::kArithXOrI, Element::kI1, lanes::Uniform::kSecond);
};

class StoreStep final : public Step {
 public:
  StoreStep(std::uint32_t site, Element element, SlotId addresses, SlotId value, SlotId mask, std::uint32_t count)
      : site_(site),
        element_(element),
        addresses_(addresses),
        value_(value),
        mask_(mask),
        count_(count),
        direct_(lies_as_held(element)),
        encode_(lanes::encode(element)) {}

  void run(Machine& m) const override {
    const auto* raw = m.at<const std::byte>(value_);
    if (!direct_) {
      std::byte* encoded = m.scratch(count_ * bytes_of(element_));
      encode_(encoded, raw, count_);
      raw = encoded;
    }
    m.memory().store(m.code().sites[site_], {m.at<const Address>(addresses_), mask_lanes(m, mask_, count_), count_},
                     raw);
  }

 private:
  std::uint32_t site_;
  Element element_;
  SlotId addresses_, value_, mask_;
  std::uint32_t count_;
  bool direct_;
  lanes::Unary encode_;
};

struct AtomicSlots {
  SlotId out = kNoSlot;  // kNoSlot: nobody asks for the old value
  SlotId addresses = kNoSlot;
  SlotId value = kNoSlot;
  SlotId compare = kNoSlot;
  SlotId mask = kNoSlot;
};

class AtomicStep final : public Step {
 public:
  AtomicStep(std::uint32_t site, Element element, AtomicSlots slots, std::uint32_t count,
             std::optional<RmwOperation> operation, Ordering ordering)
      : site_(site), element_(element), slots_(slots), count_(count), operation_(operation), ordering_(ordering) {}

  void run(Machine& m) const override {
    if (!m.may_touch_shared()) return;
    const std::size_t bytes = count_ * bytes_of(element_);
    const auto encode = lanes::encode(element_);
    std::byte* values = m.scratch(3 * bytes);
    std::byte* compare = values + bytes;
    std::byte* old = compare + bytes;
    encode(values, m.at(slots_.value), count_);
    std::memset(old, 0, bytes);
    const LaneAddresses lanes{m.at<const Address>(slots_.addresses), mask_lanes(m, slots_.mask, count_), count_};
    const AccessSite& site = m.code().sites[site_];
    if (operation_) {
      m.memory().atomic_rmw(site, lanes, *operation_, ordering_, values, old);
    } else {
      encode(compare, m.at(slots_.compare), count_);
      m.memory().atomic_cas(site, lanes, ordering_, compare, values, old);
    }
    if (slots_.out != kNoSlot) lanes::decode(element_)(m.at(slots_.out), old, count_);
  }

 private:
  std::uint32_t site_;
  Element element_;
  AtomicSlots slots_;
  std::uint32_t count_;
  std::optional<RmwOperation> operation_;  // none: compare and swap
  Ordering ordering_;
};

class BarrierStep final : public Step {
 public:
  void run(Machine& m) const override { m.memory().barrier(); }
};

class MemoryLowering {
 public:
  explicit MemoryLowering(Lowering& lowering) : l_(lowering), op_(lowering.operation()) {}

  bool lower() {
    switch (op_.opcode) {
      case Opcode::kTtLoad:
        load();
        return true;
      case Opcode::kTtStore:
        store();
        return true;
      case Opcode::kTtAtomicRmw:
        atomic_rmw();
        return true;
      case Opcode::kTtAtomicCas:
        atomic_cas();
        return true;
      case Opcode::kGpuBarrier:
      case Opcode::kTtgBarrier:
        l_.emit(std::make_unique<BarrierStep>(), {});
        return true;
      default:
        return false;
    }
  }

 private:
  // The pointer operand with all its lanes; addresses that are undefined where the access is on are reported.
  Binding addresses(const Binding* mask) {
    if (l_.operand(0).type.element != Element::kPointer) l_.unsupported("through " + l_.operand(0).type.text());
    if (l_.in_combine()) l_.unsupported("in a combine");
    lower_undefined_use(l_, l_.operand(0), mask, "part of an address");
    return l_.spread(l_.operand(0));
  }

  std::optional<Binding> mask(std::size_t index) {
    if (!l_.has_operand(index)) return std::nullopt;
    Binding mask = l_.spread(l_.operand(index));
    lower_undefined_use(l_, mask, nullptr, "a mask");
    return mask;
  }

  static SlotId slot(const std::optional<Binding>& binding) { return binding ? binding->slot : kNoSlot; }
  static const Binding* pointer_to(const std::optional<Binding>& binding) { return binding ? &*binding : nullptr; }
  static std::uint32_t lanes_of(const Binding& binding) {
    return static_cast<std::uint32_t>(element_count(binding.type.shape));
  }

  bool flag(const char* name) const {
    const Attribute* attribute = op_.attribute(name);
    return attribute != nullptr && std::holds_alternative<bool>(*attribute) && std::get<bool>(*attribute);
  }

  void load() {
    const auto mask_value = mask(1);
    const Binding pointer = addresses(pointer_to(mask_value));
    const Element element = pointer.type.pointee;
    Binding out = l_.new_result(!l_.result_type().is_tensor());
    LoadStep::Slots slots{out.slot, pointer.slot, slot(mask_value), kNoSlot, out.undefined};
    if (l_.has_operand(2)) slots.other = l_.spread(l_.operand(2)).slot;
    const bool is_volatile = flag("isVolatile");
    if (is_volatile) l_.code().synchronises = true;
    Step& step = l_.emit(std::make_unique<LoadStep>(l_.add_site(element, pointer, AccessKind::kLoad), out.type.element,
                                                    slots, lanes_of(out), is_volatile),
                         {out.slot, pointer.slot, slots.mask, slots.other, out.undefined});
    step.work = {
        .element = out.type.element, .operations = lanes_of(out), .loads = true, .follows_load = pointer.loaded};
    l_.bind_result(out);
  }

  void store() {
    const auto mask_value = mask(2);
    const Binding pointer = addresses(pointer_to(mask_value));
    lower_undefined_use(l_, l_.operand(1), pointer_to(mask_value), "stored");
    const Binding value = l_.spread(l_.operand(1));
    Step& step = l_.emit(
        std::make_unique<StoreStep>(l_.add_site(pointer.type.pointee, pointer, AccessKind::kStore), value.type.element,
                                    pointer.slot, value.slot, slot(mask_value), lanes_of(value)),
        {pointer.slot, value.slot, slot(mask_value)});
    step.work.stores = true;
  }

  void atomic(std::optional<RmwOperation> operation, std::size_t value_index,
              const std::optional<Binding>& mask_value) {
    const Binding pointer = addresses(pointer_to(mask_value));
    lower_undefined_use(l_, l_.operand(value_index), pointer_to(mask_value), "written by an atomic");
    const Binding value = l_.spread(l_.operand(value_index));
    if (operation && rmw_function(*operation, value.type.element) == nullptr)
      l_.unsupported(std::string(op_.word("atomic_rmw_op", "")) + " on " + value.type.text());
    Binding out = l_.new_result(!l_.result_type().is_tensor());
    AtomicSlots slots{out.slot, pointer.slot, value.slot, kNoSlot, slot(mask_value)};
    if (!operation) slots.compare = l_.spread(l_.operand(1)).slot;
    l_.code().synchronises = true;
    Step& step =
        l_.emit(std::make_unique<AtomicStep>(l_.add_site(value.type.element, pointer, AccessKind::kAtomic),
                                             value.type.element, slots, lanes_of(value), operation, ordering()),
                {slots.out, slots.addresses, slots.value, slots.compare, slots.mask});
    step.work.stores = true;
    lower_undefined(l_, out, {});
    l_.bind_result(out);
  }

  void atomic_rmw() { atomic(rmw_operation(), 1, mask(2)); }
  void atomic_cas() { atomic(std::nullopt, 2, std::nullopt); }

  RmwOperation rmw_operation() const {
    const std::string_view word = op_.word("atomic_rmw_op", "");
    if (word == "and") return RmwOperation::kAnd;
    if (word == "or") return RmwOperation::kOr;
    if (word == "xor") return RmwOperation::kXor;
    if (word == "add") return RmwOperation::kAdd;
    if (word == "fadd") return RmwOperation::kFAdd;
    if (word == "max") return RmwOperation::kMax;
    if (word == "min") return RmwOperation::kMin;
    if (word == "umax") return RmwOperation::kUMax;
    if (word == "umin") return RmwOperation::kUMin;
    if (word == "exch") return RmwOperation::kExchange;
    l_.unsupported("with " + std::string(word));
  }

  Ordering ordering() const {
    const std::string_view word = op_.word("sem", "acq_rel");
    if (word == "relaxed") return Ordering::kRelaxed;
    if (word == "acquire") return Ordering::kAcquire;
    if (word == "release") return Ordering::kRelease;
    return Ordering::kAcquireRelease;
  }

  Lowering& l_;
  const Operation& op_;
};

}  // namespace

bool lower_memory_access(Lowering& lowering) { return MemoryLowering(lowering).lower(); }

}  // namespace tritonrl::ttir
