#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "synth/operator.h"

namespace tritonrl::synth {

// A loss of one element against its target: {x}, {y}.
struct Loss {
  std::string_view name;
  std::string_view torch;   // with {r}: "mean" or "sum"
  std::string_view triton;  // statements on v and target
  std::string_view target;  // how get_inputs makes targets: "torch.randn"
};
std::span<const Loss> losses();

// A loss over all elements, one number. The target is an argument of forward named `target`.
class TotalOperator : public Operator {
 public:
  TotalOperator(const Loss& loss, bool mean, Shape shape) : loss_(loss), mean_(mean), shape_(std::move(shape)) {}

  std::vector<Schedule> options() const override;
  std::string words() const override;
  std::string reasoning() const override;

 protected:
  std::string name() const override;
  std::string torch(std::string_view x) const override;
  void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const override;
  std::int64_t read_elements() const override { return 2 * elements_of(shape_); }
  std::int64_t written_elements() const override { return 1; }

 private:
  const Loss& loss_;
  bool mean_;
  Shape shape_;
};

}  // namespace tritonrl::synth
