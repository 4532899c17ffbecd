#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "synth/pointwise.h"
#include "synth/schedule.h"

namespace tritonrl::synth {

enum class Dtype : std::uint8_t { kFloat32, kFloat16, kBfloat16 };
std::string_view dtype_name(Dtype dtype);  // "float32", ...
inline std::int64_t bytes_of(Dtype dtype) { return dtype == Dtype::kFloat32 ? 4 : 2; }

// The sizes of a tensor when speed is judged.
using Shape = std::vector<std::int64_t>;
std::int64_t elements_of(const Shape& shape);

// The Python module that a solution is: kernels, and the lines of ModelNew.forward.
struct Module {
  Dtype dtype = Dtype::kFloat32;
  bool ieee = false;  // products of fp32 without tf32
  std::vector<std::string> kernels;
  std::string forward;
  bool libdevice = false;
  int names = 0;

  // "" or ".to(tl.float32)": what a load needs so that arithmetic is in fp32.
  std::string_view widened() const { return dtype == Dtype::kFloat32 ? "" : ".to(tl.float32)"; }
  // "softmax_kernel", and "softmax_kernel_2" when that is taken.
  std::string kernel_name(std::string_view noun);
  void use(const Chain& chain) { libdevice = libdevice || chain.needs_libdevice(); }
};

// One operator of a task with the pointwise work around it. It knows how torch writes it, which schedules there are for
// it, and how each is written in Triton. Values flow through the variable `from` into `to`.
class Operator {
 public:
  virtual ~Operator() = default;

  Chain before;
  Chain after;
  std::string from = "x";
  std::string to = "x";

  // The same for tasks that differ in sizes and constants alone.
  std::string structure() const;
  // Lines of the reference's forward; dimensions counted from the end where that is asked for.
  std::string torch_lines(bool from_end = false) const;
  // Adds kernels and lines of forward that carry out the schedule.
  void write(Module& module, const Schedule& schedule) const;

  // Schedules from poor to good, as far as they concern this operator's own kernels, for the sizes that are judged.
  virtual std::vector<Schedule> options() const = 0;
  // The same where each operator has a kernel of its own.
  virtual std::vector<Schedule> unfused_options() const { return options(); }
  virtual std::string words() const = 0;      // "a softmax along rows"
  virtual std::string reasoning() const = 0;  // about sizes, tiling and masks; a few sentences
  virtual bool pointwise() const { return false; }
  // Whether there is anything to fuse or to keep apart.
  virtual bool separable() const { return !before.empty() || !after.empty(); }
  std::int64_t moved_bytes(Dtype dtype) const { return bytes_of(dtype) * (read_elements() + written_elements()); }

 protected:
  virtual std::string name() const = 0;
  virtual std::string torch(std::string_view x) const = 0;
  virtual std::string torch_from_end(std::string_view x) const { return torch(x); }
  // With `before` and `after` inside, or without them.
  virtual void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead,
                             const Chain& behind) const = 0;
  virtual std::int64_t read_elements() const = 0;
  virtual std::int64_t written_elements() const = 0;
};

// Where a kernel's lanes stand: index and mask of each kind of operand, as Triton text. An empty mask: none is needed.
struct Frame {
  struct Lanes {
    std::string index;
    std::string mask;
  };
  Lanes same;
  Lanes feature;
  Lanes row;
  Lanes channel;

  const Lanes& of(Spread spread) const;
};

// Statements that take `v` through the chain, operands loaded on the way; a comment names each step as plans do.
std::string chain_text(const Chain& chain, const Frame& frame, const Module& module);
// "scale_ptr, other_ptr, " and "self.scale, other, ": what the chains add to a kernel's parameters and to its launch.
std::string chain_parameters(const Chain& before, const Chain& after);
std::string chain_arguments(const Chain& before, const Chain& after);

}  // namespace tritonrl::synth
