#pragma once

#include <string>

#include "synth/operator.h"

namespace tritonrl::synth {

// Attention of forward's variable over `keys` and `values`. With `heads`, tensors are (batch, time, features) and the
// features are split; without, they are (batch, head, time, features).
struct AttentionForm {
  std::string keys = "k";
  std::string values = "v";
  std::string heads;  // "self.heads", or nothing
  bool causal = false;
  bool spelled_out = false;  // the reference writes the softmax of products instead of calling torch's attention
  std::int64_t batch = 1, head_count = 1, queries = 1, features = 1;
};

class AttentionOperator : public Operator {
 public:
  explicit AttentionOperator(AttentionForm form) : form_(std::move(form)) {}

  std::vector<Schedule> options() const override;
  std::vector<Schedule> unfused_options() const override;
  std::string words() const override;
  std::string reasoning() const override;

 protected:
  std::string name() const override;
  std::string torch(std::string_view x) const override;
  void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const override;
  std::int64_t read_elements() const override { return 3 * written_elements(); }
  std::int64_t written_elements() const override {
    return form_.batch * form_.head_count * form_.queries * form_.features;
  }

 private:
  void write_separately(Module& module, const Schedule& schedule) const;

  AttentionForm form_;
};

}  // namespace tritonrl::synth
