// Reductions, scans and maps: a region of the IR applied to many lanes at a time.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"

namespace tritonrl::ttir {
namespace {

// A tensor seen from the axis that is combined: row-major [outer][axis][inner].
struct AxisShape {
  std::size_t outer = 1;
  std::size_t axis = 1;
  std::size_t inner = 1;

  std::size_t lanes() const { return outer * axis * inner; }
};

AxisShape shape_along(const Shape& shape, std::size_t axis) {
  AxisShape seen;
  for (std::size_t d = 0; d < shape.size(); ++d)
    (d < axis ? seen.outer : d == axis ? seen.axis : seen.inner) *= static_cast<std::size_t>(shape[d]);
  return seen;
}

// Applies a combine to arrays of lanes that lie anywhere.
class CombineCall {
 public:
  CombineCall(const Lowering::Combine& combine, std::vector<std::size_t> lane_bytes)
      : combine_(combine), lane_bytes_(std::move(lane_bytes)) {}

  std::size_t operands() const { return lane_bytes_.size(); }
  std::size_t lane_bytes(std::size_t operand) const { return lane_bytes_[operand]; }

  // out[k] = f(arguments...)[k], for `count` lanes; `out` may be among the arguments.
  void run(Machine& m, std::span<std::byte* const> arguments, std::span<std::byte* const> out,
           std::size_t count) const {
    if (combine_.lane_by_lane) {
      for (std::size_t i = 0; i < count; ++i) run_lanes(m, arguments, out, i, 1);
    } else {
      run_lanes(m, arguments, out, 0, count);
    }
  }

 private:
  void run_lanes(Machine& m, std::span<std::byte* const> arguments, std::span<std::byte* const> out, std::size_t first,
                 std::size_t count) const {
    std::byte* kept[kMaxArguments];
    const std::size_t given = arguments.size();
    for (std::size_t k = 0; k < given; ++k)
      kept[k] = m.redirect(combine_.arguments[k], arguments[k] + first * bytes_of_argument(k));
    m.run_combine(combine_.steps, count);
    for (std::size_t k = 0; k < out.size(); ++k)
      std::memmove(out[k] + first * bytes_of_result(k), m.at(combine_.results[k]), count * bytes_of_result(k));
    for (std::size_t k = 0; k < given; ++k) m.redirect(combine_.arguments[k], kept[k]);
  }

  std::size_t bytes_of_argument(std::size_t k) const { return lane_bytes_[k % lane_bytes_.size()]; }
  std::size_t bytes_of_result(std::size_t k) const { return lane_bytes_[k % lane_bytes_.size()]; }

 public:
  static constexpr std::size_t kMaxArguments = 64;

 private:
  const Lowering::Combine& combine_;
  std::vector<std::size_t> lane_bytes_;
};

struct CombinationSlots {
  std::vector<SlotId> in;
  std::vector<SlotId> out;
};

// Scratch for one array of lanes for each operand, at 64-byte boundaries.
std::vector<std::byte*> carve(std::byte* memory, const CombineCall& call, std::size_t lanes) {
  std::vector<std::byte*> arrays;
  for (std::size_t k = 0; k < call.operands(); ++k) {
    arrays.push_back(memory);
    memory += (lanes * call.lane_bytes(k) + 63) / 64 * 64;
  }
  return arrays;
}

std::size_t carved_bytes(const CombineCall& call, std::size_t lanes) {
  std::size_t bytes = 0;
  for (std::size_t k = 0; k < call.operands(); ++k) bytes += (lanes * call.lane_bytes(k) + 63) / 64 * 64;
  return bytes;
}

// Copies part [first, first + part) of the axis out of an array whose axis has `whole` entries.
void take_part(std::byte* to, const std::byte* from, const AxisShape& shape, std::size_t whole, std::size_t first,
               std::size_t part, std::size_t lane_bytes) {
  const std::size_t inner_bytes = shape.inner * lane_bytes;
  for (std::size_t o = 0; o < shape.outer; ++o)
    std::memcpy(to + o * part * inner_bytes, from + (o * whole + first) * inner_bytes, part * inner_bytes);
}

void put_part(std::byte* to, const std::byte* from, const AxisShape& shape, std::size_t whole, std::size_t first,
              std::size_t part, std::size_t lane_bytes) {
  const std::size_t inner_bytes = shape.inner * lane_bytes;
  for (std::size_t o = 0; o < shape.outer; ++o)
    std::memcpy(to + (o * whole + first) * inner_bytes, from + o * part * inner_bytes, part * inner_bytes);
}

// Halves the axis until one entry is left: the second half is combined into the first.
class ReduceStep final : public Step {
 public:
  ReduceStep(Lowering::Combine combine, std::vector<std::size_t> lane_bytes, CombinationSlots slots, AxisShape shape)
      : combine_(std::move(combine)), call_(combine_, std::move(lane_bytes)), slots_(std::move(slots)), shape_(shape) {}

  void run(Machine& m) const override {
    const std::size_t operands = call_.operands();
    const std::size_t half_lanes = std::max<std::size_t>(shape_.lanes() / 2, 1);
    const std::size_t half_bytes = carved_bytes(call_, half_lanes);
    std::byte* memory = m.scratch(2 * half_bytes + 64);
    const auto left = carve(memory, call_, half_lanes);
    const auto right = carve(memory + half_bytes, call_, half_lanes);
    std::vector<std::byte*> current(operands);
    for (std::size_t k = 0; k < operands; ++k) current[k] = m.at<std::byte>(slots_.in[k]);
    std::vector<std::byte*> arguments(2 * operands);
    for (std::size_t whole = shape_.axis; whole > 1; whole /= 2) {
      const std::size_t part = whole / 2;
      for (std::size_t k = 0; k < operands; ++k) {
        if (shape_.outer == 1) {  // both halves lie in one piece as they are
          arguments[k] = current[k];
          arguments[operands + k] = current[k] + part * shape_.inner * call_.lane_bytes(k);
        } else {
          take_part(right[k], current[k], shape_, whole, part, part, call_.lane_bytes(k));
          take_first_half(left[k], current[k], whole, part, call_.lane_bytes(k));
          arguments[k] = left[k];
          arguments[operands + k] = right[k];
        }
        current[k] = left[k];
      }
      call_.run(m, arguments, left, shape_.outer * part * shape_.inner);
    }
    for (std::size_t k = 0; k < operands; ++k)
      std::memcpy(m.at(slots_.out[k]), current[k], shape_.outer * shape_.inner * call_.lane_bytes(k));
  }

 private:
  // Both may be the same array: entries then move down.
  void take_first_half(std::byte* to, const std::byte* from, std::size_t whole, std::size_t part,
                       std::size_t lane_bytes) const {
    const std::size_t inner_bytes = shape_.inner * lane_bytes;
    for (std::size_t o = 0; o < shape_.outer; ++o)
      std::memmove(to + o * part * inner_bytes, from + o * whole * inner_bytes, part * inner_bytes);
  }

  Lowering::Combine combine_;
  CombineCall call_;
  CombinationSlots slots_;
  AxisShape shape_;
};

// Inclusive scan. Long inner stretches go entry by entry; otherwise distances double, all entries at once.
class ScanStep final : public Step {
 public:
  ScanStep(Lowering::Combine combine, std::vector<std::size_t> lane_bytes, CombinationSlots slots, AxisShape shape,
           bool reverse)
      : combine_(std::move(combine)),
        call_(combine_, std::move(lane_bytes)),
        slots_(std::move(slots)),
        shape_(shape),
        reverse_(reverse) {}

  void run(Machine& m) const override {
    const std::size_t operands = call_.operands();
    std::vector<std::byte*> out(operands);
    for (std::size_t k = 0; k < operands; ++k) {
      out[k] = m.at<std::byte>(slots_.out[k]);
      std::memcpy(out[k], m.at(slots_.in[k]), shape_.lanes() * call_.lane_bytes(k));
    }
    const std::size_t bytes = carved_bytes(call_, shape_.lanes());
    std::byte* memory = m.scratch(2 * bytes + 64);
    const auto left = carve(memory, call_, shape_.lanes());
    const auto right = carve(memory + bytes, call_, shape_.lanes());
    std::vector<std::byte*> arguments(2 * operands);
    for (std::size_t k = 0; k < operands; ++k) {
      arguments[k] = left[k];
      arguments[operands + k] = right[k];
    }
    if (shape_.inner >= kLongStretch) {
      for (std::size_t x = 1; x < shape_.axis; ++x) {
        const std::size_t entry = reverse_ ? shape_.axis - 1 - x : x;
        combine_parts(m, out, left, right, arguments, reverse_ ? entry + 1 : entry - 1, entry, 1);
      }
      return;
    }
    for (std::size_t distance = 1; distance < shape_.axis; distance *= 2) {
      const std::size_t part = shape_.axis - distance;
      if (reverse_)
        combine_parts(m, out, left, right, arguments, distance, 0, part);
      else
        combine_parts(m, out, left, right, arguments, 0, distance, part);
    }
  }

 private:
  static constexpr std::size_t kLongStretch = 32;

  // entries [to, to + part) = f(entries [from, from + part), entries [to, to + part))
  void combine_parts(Machine& m, std::span<std::byte* const> out, std::span<std::byte* const> left,
                     std::span<std::byte* const> right, std::span<std::byte* const> arguments, std::size_t from,
                     std::size_t to, std::size_t part) const {
    for (std::size_t k = 0; k < out.size(); ++k) {
      take_part(left[k], out[k], shape_, shape_.axis, from, part, call_.lane_bytes(k));
      take_part(right[k], out[k], shape_, shape_.axis, to, part, call_.lane_bytes(k));
    }
    call_.run(m, arguments, right, shape_.outer * part * shape_.inner);
    for (std::size_t k = 0; k < out.size(); ++k)
      put_part(out[k], right[k], shape_, shape_.axis, to, part, call_.lane_bytes(k));
  }

  Lowering::Combine combine_;
  CombineCall call_;
  CombinationSlots slots_;
  AxisShape shape_;
  bool reverse_;
};

class MapStep final : public Step {
 public:
  MapStep(Lowering::Combine combine, std::vector<std::size_t> in_bytes, std::vector<std::size_t> out_bytes,
          CombinationSlots slots, std::size_t count, std::size_t pack)
      : combine_(std::move(combine)),
        in_bytes_(std::move(in_bytes)),
        out_bytes_(std::move(out_bytes)),
        slots_(std::move(slots)),
        count_(count),
        pack_(pack) {}

  // The region takes `pack` neighbours of each operand, and gives as many of each result.
  void run(Machine& m) const override {
    for (std::size_t i = 0; i < count_; i += pack_) {
      for (std::size_t k = 0; k < slots_.in.size(); ++k)
        for (std::size_t p = 0; p < pack_; ++p)
          std::memcpy(m.at(combine_.arguments[k * pack_ + p]), m.at<std::byte>(slots_.in[k]) + (i + p) * in_bytes_[k],
                      in_bytes_[k]);
      m.run_combine(combine_.steps, 1);
      for (std::size_t k = 0; k < slots_.out.size(); ++k)
        for (std::size_t p = 0; p < pack_; ++p)
          std::memcpy(m.at<std::byte>(slots_.out[k]) + (i + p) * out_bytes_[k], m.at(combine_.results[k * pack_ + p]),
                      out_bytes_[k]);
    }
  }

 private:
  Lowering::Combine combine_;
  std::vector<std::size_t> in_bytes_, out_bytes_;
  CombinationSlots slots_;
  std::size_t count_, pack_;
};

// Undefined lanes of a reduction (`scans` false) or a scan: those that an undefined lane went into.
class SpreadUndefined final : public Step {
 public:
  SpreadUndefined(SlotId out, std::vector<SlotId> in, AxisShape shape, bool scans, bool reverse)
      : out_(out), in_(std::move(in)), shape_(shape), scans_(scans), reverse_(reverse) {}

  void run(Machine& m) const override {
    auto* out = m.at<std::uint8_t>(out_);
    std::memset(out, 0, scans_ ? shape_.lanes() : shape_.outer * shape_.inner);
    for (const SlotId slot : in_) {
      const auto* in = m.at<const std::uint8_t>(slot);
      if (!lanes::any(in, shape_.lanes())) continue;
      for (std::size_t o = 0; o < shape_.outer; ++o)
        for (std::size_t i = 0; i < shape_.inner; ++i) spread(out, in, o, i);
    }
  }

 private:
  void spread(std::uint8_t* out, const std::uint8_t* in, std::size_t o, std::size_t i) const {
    std::uint8_t seen = 0;
    for (std::size_t n = 0; n < shape_.axis; ++n) {
      const std::size_t x = reverse_ ? shape_.axis - 1 - n : n;
      seen |= in[(o * shape_.axis + x) * shape_.inner + i];
      if (scans_) out[(o * shape_.axis + x) * shape_.inner + i] |= seen;
    }
    if (!scans_) out[o * shape_.inner + i] |= seen;
  }

  SlotId out_;
  std::vector<SlotId> in_;
  AxisShape shape_;
  bool scans_, reverse_;
};

class CombinationLowering {
 public:
  explicit CombinationLowering(Lowering& lowering) : l_(lowering), op_(lowering.operation()) {}

  bool lower() {
    switch (op_.opcode) {
      case Opcode::kTtReduce:
        along_axis(false);
        return true;
      case Opcode::kTtScan:
        along_axis(true);
        return true;
      case Opcode::kTtMapElementwise:
        map();
        return true;
      default:
        return false;
    }
  }

 private:
  void along_axis(bool scans) {
    if (2 * l_.operands() > CombineCall::kMaxArguments) l_.unsupported("of over 32 tensors");
    const auto axis = static_cast<std::size_t>(op_.integer("axis", 0));
    const AxisShape shape = shape_along(l_.operand(0).type.shape, axis);
    const Attribute* reverse_attribute = op_.attribute("reverse");
    const bool reverse = reverse_attribute != nullptr && std::get<bool>(*reverse_attribute);
    CombinationSlots slots;
    std::vector<std::size_t> lane_bytes;
    std::vector<SlotId> undefined;
    for (std::size_t k = 0; k < l_.operands(); ++k) {
      const Binding in = l_.spread(l_.operand(k));
      slots.in.push_back(in.slot);
      lane_bytes.push_back(lanes::bytes_of_lane(in.type.element));
      if (in.undefined != kNoSlot) undefined.push_back(in.undefined);
    }
    std::vector<Binding> results;
    for (std::size_t k = 0; k < op_.results.size(); ++k) {
      results.push_back(l_.new_result(!l_.result_type(k).is_tensor(), k));
      slots.out.push_back(results.back().slot);
    }
    auto combine = l_.lower_combine(op_.regions[0], static_cast<std::uint32_t>(shape.lanes()));
    auto touched = combine.touched;
    touched.insert(touched.end(), slots.in.begin(), slots.in.end());
    touched.insert(touched.end(), slots.out.begin(), slots.out.end());
    const std::size_t operations = combine.steps.size() * (shape.lanes() - (scans ? 0 : shape.outer * shape.inner));
    std::unique_ptr<Step> step;
    if (scans)
      step = std::make_unique<ScanStep>(std::move(combine), lane_bytes, slots, shape, reverse);
    else
      step = std::make_unique<ReduceStep>(std::move(combine), lane_bytes, slots, shape);
    const Element element = l_.operand(0).type.element;
    step->work = {.kind = is_float(element) ? WorkKind::kFloat : WorkKind::kInteger,
                  .element = element,
                  .operations = operations,
                  .combines = true};
    l_.emit(std::move(step), touched);
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (results[k].undefined != kNoSlot) {
        auto in = undefined;
        in.push_back(results[k].undefined);
        l_.emit(std::make_unique<SpreadUndefined>(results[k].undefined, undefined, shape, scans, reverse), in);
      }
      l_.bind_result(results[k], k);
    }
  }

  void map() {
    const auto pack = static_cast<std::size_t>(op_.integer("pack", 1));
    const auto count = static_cast<std::size_t>(element_count(l_.operand(0).type.shape));
    CombinationSlots slots;
    std::vector<std::size_t> in_bytes;
    std::vector<std::size_t> out_bytes;
    std::vector<SlotId> undefined;
    for (std::size_t k = 0; k < l_.operands(); ++k) {
      const Binding in = l_.spread(l_.operand(k));
      slots.in.push_back(in.slot);
      in_bytes.push_back(lanes::bytes_of_lane(in.type.element));
      if (in.undefined != kNoSlot) undefined.push_back(in.undefined);
    }
    std::vector<Binding> results;
    for (std::size_t k = 0; k < op_.results.size(); ++k) {
      results.push_back(l_.new_result(false, k));
      slots.out.push_back(results.back().slot);
      out_bytes.push_back(lanes::bytes_of_lane(results.back().type.element));
    }
    auto combine = l_.lower_combine(op_.regions[0], 1);
    auto touched = combine.touched;
    touched.insert(touched.end(), slots.in.begin(), slots.in.end());
    touched.insert(touched.end(), slots.out.begin(), slots.out.end());
    l_.emit(std::make_unique<MapStep>(std::move(combine), in_bytes, out_bytes, slots, count, pack), touched);
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (results[k].undefined != kNoSlot) {
        auto in = undefined;
        in.push_back(results[k].undefined);
        const AxisShape lane_by_lane{.outer = count};
        l_.emit(std::make_unique<SpreadUndefined>(results[k].undefined, undefined, lane_by_lane, true, false), in);
      }
      l_.bind_result(results[k], k);
    }
  }

  Lowering& l_;
  const Operation& op_;
};

}  // namespace

bool lower_combination(Lowering& lowering) { return CombinationLowering(lowering).lower(); }

}  // namespace tritonrl::ttir
