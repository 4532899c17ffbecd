#pragma once

#include <cstdint>
#include <string>

#include "synth/operator.h"

namespace tritonrl::synth {

enum class Movement : std::uint8_t { kTranspose, kFlip, kRoll, kIndexSelect, kEmbedding, kGather };

// Elements that change their place. Index tensors are arguments of forward named `index`.
class MovementOperator : public Operator {
 public:
  MovementOperator(Movement movement, Shape result, int distance = 1)
      : movement_(movement), shape_(std::move(result)), distance_(distance) {}

  std::vector<Schedule> options() const override;
  std::string words() const override;
  std::string reasoning() const override;

 protected:
  std::string name() const override;
  std::string torch(std::string_view x) const override;
  void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const override;
  std::int64_t read_elements() const override { return elements_of(shape_); }
  std::int64_t written_elements() const override { return elements_of(shape_); }

 private:
  bool batched() const { return shape_.size() == 3; }

  Movement movement_;
  Shape shape_;  // of the result
  int distance_;
};

}  // namespace tritonrl::synth
