#pragma once

#include <string>

#include "synth/operator.h"

namespace tritonrl::synth {

// The second factor of a product and how both lie. Sizes are those at which speed is judged.
struct ProductForm {
  std::string torch;   // "torch.matmul({x}, other)", "self.fc({x})"
  std::string second;  // forward's expression of the other factor: "other", "self.fc.weight"
  bool first_transposed = false;
  bool second_transposed = false;  // n by k in memory, as a Linear's weight
  bool batched = false;            // both factors have a batch
  bool rows_merged = false;        // the first has any number of leading dimensions, the second none
  std::string bias;                // "self.fc.bias" or nothing
  std::int64_t b = 1, m = 1, n = 1, k = 1;
};

// A matrix product, tiled over its output.
class ProductOperator : public Operator {
 public:
  ProductOperator(ProductForm form, std::string structure) : form_(std::move(form)), structure_(std::move(structure)) {}

  std::vector<Schedule> options() const override;
  std::string words() const override;
  std::string reasoning() const override;

 protected:
  std::string name() const override { return structure_; }
  std::string torch(std::string_view x) const override;
  void write_kernels(Module& module, const Schedule& schedule, const Chain& ahead, const Chain& behind) const override;
  std::int64_t read_elements() const override { return form_.b * (form_.m * form_.k + form_.k * form_.n); }
  std::int64_t written_elements() const override { return form_.b * form_.m * form_.n; }

 private:
  // Whether programs for parts of k, joined by a second launch, are a schedule here.
  bool worth_splitting() const { return !form_.batched && form_.k >= 4096 && form_.m * form_.n <= 512 * 512; }

  ProductForm form_;
  std::string structure_;
};

std::vector<Schedule> tile_options(std::int64_t m, std::int64_t n, std::int64_t k);

}  // namespace tritonrl::synth
