// Tensor descriptors: blocks of a tensor in memory, bounds included.
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"
#include "ttir/machine/undefined_lanes.h"
#include "ttir/memory/atomic_operation.h"

namespace tritonrl::ttir {
namespace {

constexpr std::size_t kMaxDescriptorRank = 5;

class MakeDescriptor final : public Step {
 public:
  MakeDescriptor(SlotId out, SlotId base, std::vector<SlotId> shape, std::vector<SlotId> strides, bool nan_padding)
      : out_(out), base_(base), shape_(std::move(shape)), strides_(std::move(strides)), nan_padding_(nan_padding) {}

  void run(Machine& m) const override {
    Descriptor descriptor{.base = *m.at<const Address>(base_)};
    descriptor.rank = static_cast<std::int32_t>(shape_.size());
    descriptor.nan_padding = nan_padding_;
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      descriptor.shape[d] = *m.at<const std::int32_t>(shape_[d]);
      descriptor.strides[d] = *m.at<const std::int64_t>(strides_[d]);
    }
    std::memcpy(m.at(out_), &descriptor, sizeof descriptor);
  }

 private:
  SlotId out_, base_;
  std::vector<SlotId> shape_, strides_;
  bool nan_padding_;
};

// Which block: a corner, or for gather and scatter one row for each lane of `rows`.
struct BlockPlace {
  SlotId descriptor = kNoSlot;
  std::vector<SlotId> corner;
  SlotId rows = kNoSlot;
  Shape block;
  Element element{};

  std::size_t lanes() const { return static_cast<std::size_t>(element_count(block)); }
};

struct BlockLanes {
  const Address* addresses;
  const std::uint8_t* mask;
};

// Addresses of the block's lanes, and a mask of those inside the tensor.
BlockLanes block_lanes(Machine& m, const BlockPlace& place, Descriptor& descriptor) {
  std::memcpy(&descriptor, m.at(place.descriptor), sizeof descriptor);
  const std::size_t count = place.lanes();
  auto* addresses = reinterpret_cast<Address*>(m.second_scratch(count * (sizeof(Address) + 1)));
  auto* mask = reinterpret_cast<std::uint8_t*>(addresses + count);
  const std::size_t rank = place.block.size();
  std::array<std::int64_t, kMaxDescriptorRank> at{};
  const auto element_bytes = static_cast<std::int64_t>(bytes_of(place.element));
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    bool inside = true;
    for (std::size_t d = 0; d < rank; ++d) {
      std::int64_t index = at[d];
      if (place.rows != kNoSlot && d == 0)
        index = m.at<const std::int32_t>(place.rows)[at[0]];
      else
        index += *m.at<const std::int32_t>(place.corner[d]);
      inside = inside && index >= 0 && index < descriptor.shape[d];
      offset += index * descriptor.strides[d];
    }
    addresses[i] = descriptor.base + static_cast<Address>(offset * element_bytes);
    mask[i] = inside ? 1 : 0;
    for (std::size_t d = rank; d-- > 0;) {
      if (++at[d] < place.block[d]) break;
      at[d] = 0;
    }
  }
  return {addresses, mask};
}

class DescriptorLoad final : public Step {
 public:
  DescriptorLoad(std::uint32_t site, SlotId out, BlockPlace place)
      : site_(site), out_(out), place_(std::move(place)), decode_(lanes::decode(place_.element)) {}

  void run(Machine& m) const override {
    Descriptor descriptor;
    const auto [addresses, mask] = block_lanes(m, place_, descriptor);
    const std::size_t count = place_.lanes();
    std::byte* raw = m.scratch(count * bytes_of(place_.element));
    std::memset(raw, 0, count * bytes_of(place_.element));
    m.memory().load(m.code().sites[site_], {addresses, mask, count}, raw);
    decode_(m.at(out_), raw, count);
    if (descriptor.nan_padding && place_.element != Element::kF64 && is_float(place_.element))
      for (std::size_t i = 0; i < count; ++i)
        if (mask[i] == 0) m.at<float>(out_)[i] = std::numeric_limits<float>::quiet_NaN();
  }

 private:
  std::uint32_t site_;
  SlotId out_;
  BlockPlace place_;
  lanes::Unary decode_;
};

class DescriptorStore final : public Step {
 public:
  DescriptorStore(std::uint32_t site, SlotId value, SlotId undefined, BlockPlace place,
                  std::optional<RmwOperation> reduction)
      : site_(site),
        value_(value),
        undefined_(undefined),
        place_(std::move(place)),
        reduction_(reduction),
        encode_(lanes::encode(place_.element)) {}

  void run(Machine& m) const override {
    if (reduction_ && !m.may_touch_shared()) return;
    Descriptor descriptor;
    const auto [addresses, mask] = block_lanes(m, place_, descriptor);
    const std::size_t count = place_.lanes();
    if (undefined_ != kNoSlot) report_undefined(m, *this, m.at<const std::uint8_t>(undefined_), mask, count, "stored");
    std::byte* raw = m.scratch(count * bytes_of(place_.element));
    encode_(raw, m.at(value_), count);
    const AccessSite& site = m.code().sites[site_];
    if (reduction_)
      m.memory().atomic_rmw(site, {addresses, mask, count}, *reduction_, Ordering::kRelaxed, raw, nullptr);
    else
      m.memory().store(site, {addresses, mask, count}, raw);
  }

 private:
  std::uint32_t site_;
  SlotId value_, undefined_;
  BlockPlace place_;
  std::optional<RmwOperation> reduction_;
  lanes::Unary encode_;
};

class DescriptorLowering {
 public:
  explicit DescriptorLowering(Lowering& lowering) : l_(lowering), op_(lowering.operation()) {}

  bool lower() {
    switch (op_.opcode) {
      case Opcode::kTtMakeTensorDescriptor:
        make();
        return true;
      case Opcode::kTtDescriptorLoad:
        load(block_at(1));
        return true;
      case Opcode::kTtDescriptorGather:
        load(rows_at(1));
        return true;
      case Opcode::kTtDescriptorStore:
      case Opcode::kTtDescriptorReduce:
        store(block_at(2), 1);
        return true;
      case Opcode::kTtDescriptorScatter:
        store(rows_at(1), 3);
        return true;
      default:
        return false;
    }
  }

 private:
  void make() {
    const std::size_t rank = (l_.operands() - 1) / 2;
    if (rank > kMaxDescriptorRank) l_.unsupported("of over 5 dimensions");
    std::vector<SlotId> shape;
    std::vector<SlotId> strides;
    for (std::size_t d = 0; d < rank; ++d) {
      shape.push_back(l_.operand(1 + d).slot);
      strides.push_back(l_.operand(1 + rank + d).slot);
    }
    for (std::size_t i = 0; i < l_.operands(); ++i)
      lower_undefined_use(l_, l_.operand(i), nullptr, "part of a tensor descriptor");
    Binding out = l_.new_result(true);
    std::vector<SlotId> touched{out.slot, l_.operand(0).slot};
    touched.insert(touched.end(), shape.begin(), shape.end());
    touched.insert(touched.end(), strides.begin(), strides.end());
    const std::string_view padding = op_.word("padding", "");
    const bool nan = padding == "nan" || padding == "PAD_NAN" || op_.integer("padding", 1) == 2;
    l_.emit(std::make_unique<MakeDescriptor>(out.slot, l_.operand(0).slot, shape, strides, nan), touched);
    l_.bind_result(out);
  }

  BlockPlace block_at(std::size_t first_index) {
    const Binding& descriptor = l_.operand(0);
    BlockPlace place;
    place.descriptor = descriptor.slot;
    place.block = descriptor.type.block;
    place.element = descriptor.type.pointee;
    for (std::size_t d = 0; d < place.block.size(); ++d) {
      lower_undefined_use(l_, l_.operand(first_index + d), nullptr, "part of an address");
      place.corner.push_back(l_.operand(first_index + d).slot);
    }
    return place;
  }

  BlockPlace rows_at(std::size_t first_index) {
    const Binding& descriptor = l_.operand(0);
    const Binding rows = l_.spread(l_.operand(first_index));
    lower_undefined_use(l_, rows, nullptr, "part of an address");
    BlockPlace place;
    place.descriptor = descriptor.slot;
    place.block = descriptor.type.block;
    place.element = descriptor.type.pointee;
    place.rows = rows.slot;
    place.block[0] = element_count(rows.type.shape);
    place.corner = {kNoSlot, l_.operand(first_index + 1).slot};
    return place;
  }

  static std::vector<SlotId> touched(const BlockPlace& place, SlotId value) {
    std::vector<SlotId> slots{value, place.descriptor, place.rows};
    slots.insert(slots.end(), place.corner.begin(), place.corner.end());
    return slots;
  }

  void load(BlockPlace place) {
    Binding out = l_.new_result(false);
    const auto slots = touched(place, out.slot);
    Step& step = l_.emit(std::make_unique<DescriptorLoad>(l_.add_site(place.element, l_.operand(0), AccessKind::kLoad),
                                                          out.slot, std::move(place)),
                         slots);
    step.work.loads = true;
    lower_undefined(l_, out, {});
    l_.bind_result(out);
  }

  void store(BlockPlace place, std::size_t value_index) {
    const Binding value = l_.spread(l_.operand(value_index));
    std::optional<RmwOperation> operation;
    if (op_.opcode == Opcode::kTtDescriptorReduce) {
      operation = reduction();
      if (rmw_function(*operation, place.element) == nullptr)
        l_.unsupported(std::string(op_.word("kind", "")) + " on " + value.type.text());
      l_.code().synchronises = true;
    }
    auto slots = touched(place, value.slot);
    slots.push_back(value.undefined);
    l_.emit(std::make_unique<DescriptorStore>(
                l_.add_site(place.element, l_.operand(0), operation ? AccessKind::kAtomic : AccessKind::kStore),
                value.slot, value.undefined, std::move(place), operation),
            slots);
  }

  RmwOperation reduction() const {
    const std::string_view kind = op_.word("kind", "");
    const bool is_unsigned = l_.operand(0).type.signedness == Signedness::kUnsigned;
    if (kind == "add") return is_float(l_.operand(0).type.pointee) ? RmwOperation::kFAdd : RmwOperation::kAdd;
    if (kind == "min") return is_unsigned ? RmwOperation::kUMin : RmwOperation::kMin;
    if (kind == "max") return is_unsigned ? RmwOperation::kUMax : RmwOperation::kMax;
    if (kind == "and") return RmwOperation::kAnd;
    if (kind == "or") return RmwOperation::kOr;
    if (kind == "xor") return RmwOperation::kXor;
    l_.unsupported("with " + std::string(kind));
  }

  Lowering& l_;
  const Operation& op_;
};

}  // namespace

bool lower_descriptor_access(Lowering& lowering) { return DescriptorLowering(lowering).lower(); }

}  // namespace tritonrl::ttir
