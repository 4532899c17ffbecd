#pragma once

#include <string>

#include "synth/operator.h"

namespace tritonrl::synth {

// A chain alone, over all elements; or a layer that is a chain in a kernel and one call in torch, and a chain after it.
class PointwiseOperator : public Operator {
 public:
  PointwiseOperator(Chain chain, Shape shape) : shape_(std::move(shape)) { after = std::move(chain); }
  PointwiseOperator(std::string layer_torch, Chain layer, Shape shape)
      : shape_(std::move(shape)), layer_torch_(std::move(layer_torch)), layer_(std::move(layer)) {}

  std::vector<Schedule> options() const override;
  std::string words() const override;
  std::string reasoning() const override;
  bool pointwise() const override { return true; }
  bool separable() const override { return after.size() + (layer_.empty() ? 0 : 1) > 1; }

 protected:
  std::string name() const override;
  std::string torch(std::string_view x) const override;
  void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const override;
  std::int64_t read_elements() const override { return elements_of(shape_); }
  std::int64_t written_elements() const override { return elements_of(shape_); }

 private:
  Shape shape_;
  std::string layer_torch_;  // "F.batch_norm({x}, ...)"
  Chain layer_;
};

// Schedules of flat kernels over so many elements.
std::vector<Schedule> flat_options(std::int64_t elements);

// One flat kernel for the chain; forward's variable `value` goes through it.
void write_pointwise_kernel(Module& module, const Schedule& schedule, const Chain& chain, const std::string& value);

}  // namespace tritonrl::synth
