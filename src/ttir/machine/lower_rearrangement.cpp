// Operations that move lanes and compute nothing, and those that make lanes from nothing.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "ttir/lanes/lanes.h"
#include "ttir/machine/lowering.h"
#include "ttir/machine/machine.h"
#include "ttir/machine/undefined_lanes.h"

namespace tritonrl::ttir {
namespace {

// Calls `body` with a null pointer to an unsigned integer of `bytes` bytes: moving lanes needs no more of their type.
template <typename Body>
void with_lane(std::size_t bytes, Body body) {
  switch (bytes) {
    case 1:
      return body(static_cast<std::uint8_t*>(nullptr));
    case 2:
      return body(static_cast<std::uint16_t*>(nullptr));
    case 4:
      return body(static_cast<std::uint32_t*>(nullptr));
    default:
      return body(static_cast<std::uint64_t*>(nullptr));
  }
}

// Each of `outer` stretches of `inner` lanes, `times` times over.
class Repeat final : public Step {
 public:
  Repeat(SlotId out, SlotId in, std::size_t lane_bytes, std::size_t outer, std::size_t times, std::size_t inner)
      : out_(out), in_(in), lane_bytes_(lane_bytes), outer_(outer), times_(times), inner_(inner) {}

  void run(Machine& m) const override {
    with_lane(lane_bytes_, [&](auto* lane) {
      using Lane = std::remove_pointer_t<decltype(lane)>;
      auto* out = m.at<Lane>(out_);
      const auto* in = m.at<const Lane>(in_);
      for (std::size_t o = 0; o < outer_; ++o, in += inner_) {
        if (inner_ == 1) {
          std::fill_n(out, times_, *in);
          out += times_;
          continue;
        }
        for (std::size_t t = 0; t < times_; ++t, out += inner_) std::memcpy(out, in, inner_ * sizeof(Lane));
      }
    });
  }

 private:
  SlotId out_, in_;
  std::size_t lane_bytes_, outer_, times_, inner_;
};

// out[i] = in[source[i]]
class MapLanes final : public Step {
 public:
  MapLanes(SlotId out, SlotId in, std::size_t lane_bytes, std::vector<std::uint32_t> source)
      : out_(out), in_(in), lane_bytes_(lane_bytes), source_(std::move(source)) {}

  void run(Machine& m) const override {
    with_lane(lane_bytes_, [&](auto* lane) {
      using Lane = std::remove_pointer_t<decltype(lane)>;
      auto* out = m.at<Lane>(out_);
      const auto* in = m.at<const Lane>(in_);
      for (std::size_t i = 0; i < source_.size(); ++i) out[i] = in[source_[i]];
    });
  }

 private:
  SlotId out_, in_;
  std::size_t lane_bytes_;
  std::vector<std::uint32_t> source_;
};

class Transpose2d final : public Step {
 public:
  Transpose2d(SlotId out, SlotId in, std::size_t lane_bytes, std::size_t rows, std::size_t columns)
      : out_(out), in_(in), lane_bytes_(lane_bytes), rows_(rows), columns_(columns) {}

  void run(Machine& m) const override {
    with_lane(lane_bytes_, [&](auto* lane) {
      using Lane = std::remove_pointer_t<decltype(lane)>;
      constexpr std::size_t kTile = 16;  // both sides of a tile stay in the first-level cache
      auto* out = m.at<Lane>(out_);
      const auto* in = m.at<const Lane>(in_);
      for (std::size_t r0 = 0; r0 < rows_; r0 += kTile)
        for (std::size_t c0 = 0; c0 < columns_; c0 += kTile)
          for (std::size_t c = c0; c < std::min(c0 + kTile, columns_); ++c)
            for (std::size_t r = r0; r < std::min(r0 + kTile, rows_); ++r) out[c * rows_ + r] = in[r * columns_ + c];
    });
  }

 private:
  SlotId out_, in_;
  std::size_t lane_bytes_, rows_, columns_;
};

// Lanes of two tensors in turn, or one after the other.
class Merge final : public Step {
 public:
  Merge(SlotId out, SlotId a, SlotId b, std::size_t lane_bytes, std::size_t count, bool interleave)
      : out_(out), a_(a), b_(b), lane_bytes_(lane_bytes), count_(count), interleave_(interleave) {}

  void run(Machine& m) const override {
    with_lane(lane_bytes_, [&](auto* lane) {
      using Lane = std::remove_pointer_t<decltype(lane)>;
      auto* out = m.at<Lane>(out_);
      const auto* a = m.at<const Lane>(a_);
      const auto* b = m.at<const Lane>(b_);
      if (!interleave_) {
        std::memcpy(out, a, count_ * sizeof(Lane));
        std::memcpy(out + count_, b, count_ * sizeof(Lane));
        return;
      }
      for (std::size_t i = 0; i < count_; ++i) {
        out[2 * i] = a[i];
        out[2 * i + 1] = b[i];
      }
    });
  }

 private:
  SlotId out_, a_, b_;
  std::size_t lane_bytes_, count_;
  bool interleave_;
};

// Every second lane, from `first` on.
class TakeHalf final : public Step {
 public:
  TakeHalf(SlotId out, SlotId in, std::size_t lane_bytes, std::size_t count, std::size_t first)
      : out_(out), in_(in), lane_bytes_(lane_bytes), count_(count), first_(first) {}

  void run(Machine& m) const override {
    with_lane(lane_bytes_, [&](auto* lane) {
      using Lane = std::remove_pointer_t<decltype(lane)>;
      auto* out = m.at<Lane>(out_);
      const auto* in = m.at<const Lane>(in_);
      for (std::size_t i = 0; i < count_; ++i) out[i] = in[2 * i + first_];
    });
  }

 private:
  SlotId out_, in_;
  std::size_t lane_bytes_, count_, first_;
};

struct GatherShape {
  std::size_t outer, axis_out, axis_in, inner;
};

class Gather final : public Step {
 public:
  Gather(SlotId out, SlotId in, SlotId indices, std::size_t lane_bytes, Element index, GatherShape shape)
      : out_(out), in_(in), indices_(indices), lane_bytes_(lane_bytes), index_(index), shape_(shape) {}

  void run(Machine& m) const override {
    with_lane(lane_bytes_, [&](auto* lane) {
      using Lane = std::remove_pointer_t<decltype(lane)>;
      auto* out = m.at<Lane>(out_);
      const auto* in = m.at<const Lane>(in_);
      std::size_t i = 0;
      for (std::size_t o = 0; o < shape_.outer; ++o)
        for (std::size_t x = 0; x < shape_.axis_out; ++x)
          for (std::size_t k = 0; k < shape_.inner; ++k, ++i) {
            const std::uint64_t index = index_at(m, i);
            if (index >= shape_.axis_in) {
              report(m, i, index);
              out[i] = 0;
              continue;
            }
            out[i] = in[(o * shape_.axis_in + index) * shape_.inner + k];
          }
    });
  }

 private:
  std::uint64_t index_at(Machine& m, std::size_t i) const {
    switch (lanes::bytes_of_lane(index_)) {
      case 1:
        return m.at<const std::uint8_t>(indices_)[i];
      case 2:
        return m.at<const std::uint16_t>(indices_)[i];
      case 4:
        return m.at<const std::uint32_t>(indices_)[i];
      default:
        return m.at<const std::uint64_t>(indices_)[i];
    }
  }

  void report(Machine& m, std::size_t lane, std::uint64_t index) const {
    const auto shown =
        lanes::bytes_of_lane(index_) == 4 ? static_cast<std::int32_t>(index) : static_cast<std::int64_t>(index);
    m.memory().report(
        rules::kOutOfBounds, location, static_cast<std::int64_t>(lane),
        "gather index " + std::to_string(shown) + " lies outside an axis of " + std::to_string(shape_.axis_in));
  }

  SlotId out_, in_, indices_;
  std::size_t lane_bytes_;
  Element index_;
  GatherShape shape_;
};

class Histogram final : public Step {
 public:
  Histogram(SlotId out, std::size_t bins, SlotId in, Element element, SlotId mask, std::size_t count)
      : out_(out), bins_(bins), in_(in), element_(element), mask_(mask), count_(count) {}

  void run(Machine& m) const override {
    auto* out = m.at<std::int32_t>(out_);
    std::fill_n(out, bins_, 0);
    const auto* mask = mask_ == kNoSlot ? nullptr : m.at<const std::uint8_t>(mask_);
    with_lane(lanes::bytes_of_lane(element_), [&](auto* lane) {
      using Lane = std::remove_pointer_t<decltype(lane)>;
      const auto* in = m.at<const Lane>(in_);
      for (std::size_t i = 0; i < count_; ++i)
        if ((mask == nullptr || mask[i] != 0) && in[i] < bins_) ++out[in[i]];
    });
  }

 private:
  SlotId out_;
  std::size_t bins_;
  SlotId in_;
  Element element_;
  SlotId mask_;
  std::size_t count_;
};

class ProgramIdStep final : public Step {
 public:
  ProgramIdStep(SlotId out, std::size_t axis) : out_(out), axis_(axis) {}
  void run(Machine& m) const override { *m.at<std::uint32_t>(out_) = m.program()[axis_]; }

 private:
  SlotId out_;
  std::size_t axis_;
};

class GridSizeStep final : public Step {
 public:
  GridSizeStep(SlotId out, std::size_t axis) : out_(out), axis_(axis) {}
  void run(Machine& m) const override { *m.at<std::uint32_t>(out_) = m.grid()[axis_]; }

 private:
  SlotId out_;
  std::size_t axis_;
};

class RearrangementLowering {
 public:
  explicit RearrangementLowering(Lowering& lowering) : l_(lowering), op_(lowering.operation()) {}

  bool lower() {
    switch (op_.opcode) {
      case Opcode::kTtSplat:
      case Opcode::kTtUnsplat:
        same_lanes(true);
        return true;
      case Opcode::kTtExpandDims:
      case Opcode::kTtReshape:
        same_lanes(l_.operand(0).uniform);
        return true;
      case Opcode::kTtBroadcast:
        broadcast();
        return true;
      case Opcode::kTtTrans:
        transpose();
        return true;
      case Opcode::kTtJoin:
      case Opcode::kTtCat:
        merge();
        return true;
      case Opcode::kTtSplit:
        split();
        return true;
      case Opcode::kTtGather:
        gather();
        return true;
      case Opcode::kTtMakeRange:
        make_range();
        return true;
      case Opcode::kTtHistogram:
        histogram();
        return true;
      case Opcode::kTtGetProgramId:
        scalar<ProgramIdStep>(false);
        return true;
      case Opcode::kTtGetNumPrograms:
        scalar<GridSizeStep>(true);
        return true;
      default:
        return false;
    }
  }

 private:
  static std::size_t lane_bytes(const Binding& binding) { return lanes::bytes_of_lane(binding.type.element); }

  void same_lanes(bool uniform) {
    Binding same = l_.operand(0);
    same.uniform = uniform;
    l_.bind_result(same);
  }

  // Adds `make(out, in, lane bytes)` for the lanes of the operand, and again for its undefined bytes.
  template <typename Make>
  void rearrange(const Binding& in, Make make, std::size_t index = 0) {
    Binding out = l_.new_result(false, index);
    out.invariant = in.invariant && out.undefined == kNoSlot;
    l_.emit(make(out.slot, in.slot, lane_bytes(in)), {out.slot, in.slot}, out.invariant);
    if (out.undefined != kNoSlot) {
      const SlotId undefined = l_.undefined_lanes(in);
      l_.emit(make(out.undefined, undefined, 1), {out.undefined, undefined});
    }
    l_.bind_result(out, index);
  }

  void broadcast() {
    const Binding in = l_.operand(0);
    const Shape& to = l_.result_type().shape;
    if (in.uniform || in.type.shape == to) return same_lanes(in.uniform);
    // One axis at a time, the last first, so that later copies are long.
    Shape shape = in.type.shape;
    Binding from = in;
    std::vector<std::size_t> axes;
    for (std::size_t axis = shape.size(); axis-- > 0;)
      if (shape[axis] != to[axis]) axes.push_back(axis);
    for (const std::size_t axis : axes) {
      const auto inner = std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end(),
                                         std::int64_t{1}, std::multiplies<>());
      const auto outer = element_count(shape) / inner;
      const auto make = [&](SlotId out, SlotId source, std::size_t bytes) {
        return std::make_unique<Repeat>(out, source, bytes, outer, to[axis], inner);
      };
      shape[axis] = to[axis];
      if (axis == axes.back()) {
        rearrange(from, make);
        return;
      }
      Binding out = from;
      out.type.shape = shape;
      out.slot = l_.new_lanes(from.type.element, out.lanes());
      l_.emit(make(out.slot, from.slot, lane_bytes(from)), {out.slot, from.slot}, from.invariant);
      if (from.undefined != kNoSlot) {
        out.undefined = l_.new_slot(out.lanes());
        l_.emit(make(out.undefined, from.undefined, 1), {out.undefined, from.undefined});
      }
      from = out;
    }
  }

  void transpose() {
    const Binding in = l_.operand(0);
    if (in.uniform) return same_lanes(true);
    const auto order = op_.list("order");
    const Shape& shape = in.type.shape;
    if (shape.size() == 2 && order[0] == 1) {
      return rearrange(in, [&](SlotId out, SlotId from, std::size_t bytes) {
        return std::make_unique<Transpose2d>(out, from, bytes, shape[0], shape[1]);
      });
    }
    const auto source = permuted_indices(shape, order);
    rearrange(in, [&](SlotId out, SlotId from, std::size_t bytes) {
      return std::make_unique<MapLanes>(out, from, bytes, source);
    });
  }

  static std::vector<std::uint32_t> permuted_indices(const Shape& shape, std::span<const std::int64_t> order) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * shape[d];
    std::vector<std::uint32_t> source(static_cast<std::size_t>(element_count(shape)));
    std::vector<std::int64_t> at(shape.size(), 0);  // in the order of the result
    for (std::uint32_t& index : source) {
      std::int64_t offset = 0;
      for (std::size_t d = 0; d < at.size(); ++d) offset += at[d] * strides[static_cast<std::size_t>(order[d])];
      index = static_cast<std::uint32_t>(offset);
      for (std::size_t d = at.size(); d-- > 0;) {
        if (++at[d] < shape[static_cast<std::size_t>(order[d])]) break;
        at[d] = 0;
      }
    }
    return source;
  }

  void merge() {
    const Binding a = l_.spread(l_.operand(0));
    const Binding b = l_.spread(l_.operand(1));
    const bool interleave = op_.opcode == Opcode::kTtJoin;
    Binding out = l_.new_result(false);
    out.invariant = a.invariant && b.invariant && out.undefined == kNoSlot;
    l_.emit(std::make_unique<Merge>(out.slot, a.slot, b.slot, lane_bytes(a), lane_count(a), interleave),
            {out.slot, a.slot, b.slot}, out.invariant);
    if (out.undefined != kNoSlot) {
      const SlotId ua = l_.undefined_lanes(a);
      const SlotId ub = l_.undefined_lanes(b);
      l_.emit(std::make_unique<Merge>(out.undefined, ua, ub, 1, lane_count(a), interleave), {out.undefined, ua, ub});
    }
    l_.bind_result(out);
  }

  static std::size_t lane_count(const Binding& binding) {
    return static_cast<std::size_t>(element_count(binding.type.shape));
  }

  void split() {
    const Binding in = l_.operand(0);
    if (in.uniform) {
      for (std::size_t i = 0; i < 2; ++i) l_.bind_result(in, i);
      return;
    }
    const std::size_t half = lane_count(in) / 2;
    for (std::size_t first = 0; first < 2; ++first)
      rearrange(
          in,
          [&](SlotId out, SlotId from, std::size_t bytes) {
            return std::make_unique<TakeHalf>(out, from, bytes, half, first);
          },
          first);
  }

  void gather() {
    const Binding in = l_.spread(l_.operand(0));
    const Binding indices = l_.spread(l_.operand(1));
    lower_undefined_use(l_, indices, nullptr, "an index");
    const auto axis = static_cast<std::size_t>(op_.integer("axis", 0));
    const Shape& from = in.type.shape;
    const Shape& to = indices.type.shape;
    GatherShape shape{1, static_cast<std::size_t>(to[axis]), static_cast<std::size_t>(from[axis]), 1};
    for (std::size_t d = 0; d < from.size(); ++d) (d < axis ? shape.outer : shape.inner) *= d == axis ? 1 : from[d];
    Binding out = l_.new_result(false);
    const auto add = [&](SlotId to_slot, SlotId from_slot, std::size_t bytes) {
      l_.emit(std::make_unique<Gather>(to_slot, from_slot, indices.slot, bytes, indices.type.element, shape),
              {to_slot, from_slot, indices.slot});
    };
    add(out.slot, in.slot, lane_bytes(in));
    if (out.undefined != kNoSlot) add(out.undefined, l_.undefined_lanes(in), 1);
    l_.bind_result(out);
  }

  void make_range() {
    const std::int64_t start = op_.integer("start", 0);
    std::vector<std::int32_t> numbers(lane_count({.type = l_.result_type()}));
    std::iota(numbers.begin(), numbers.end(), static_cast<std::int32_t>(start));
    Binding out{.type = l_.result_type(), .uniform = false};
    out.slot = l_.constant(std::as_bytes(std::span(numbers)));
    out.invariant = true;
    l_.bind_result(out);
  }

  void histogram() {
    const Binding in = l_.spread(l_.operand(0));
    SlotId mask_slot = kNoSlot;
    if (l_.has_operand(1)) {
      const Binding mask = l_.spread(l_.operand(1));
      mask_slot = mask.slot;
      lower_undefined_use(l_, in, &mask, "counted in a histogram");
    } else {
      lower_undefined_use(l_, in, nullptr, "counted in a histogram");
    }
    Binding out = l_.new_result(false);
    l_.emit(std::make_unique<Histogram>(out.slot, lane_count(out), in.slot, in.type.element, mask_slot, lane_count(in)),
            {out.slot, in.slot, mask_slot});
    lower_undefined(l_, out, {});
    l_.bind_result(out);
  }

  template <typename StepType>
  void scalar(bool invariant) {
    Binding out = l_.new_result(true);
    out.invariant = invariant;
    l_.emit(std::make_unique<StepType>(out.slot, static_cast<std::size_t>(op_.integer("axis", 0))), {out.slot},
            invariant);
    l_.bind_result(out);
  }

  Lowering& l_;
  const Operation& op_;
};

}  // namespace

bool lower_rearrangement(Lowering& lowering) { return RearrangementLowering(lowering).lower(); }

}  // namespace tritonrl::ttir
