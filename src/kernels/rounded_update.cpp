#include "kernels/rounded_update.h"

#include "base/error.h"
#include "kernels/parallel_rows.h"
#include "kernels/rounding.h"

namespace tritonrl::kernels::cpu {
namespace {

using rounding::Bf16;

constexpr std::int64_t kGrain = 1 << 14;  // fewer are not worth a second thread

template <typename State>
void adamw_with(const RoundedAdamW& work) {
  auto* weights = static_cast<Bf16*>(work.weights);
  const auto* gradients = static_cast<const Bf16*>(work.gradients);
  auto* moments = static_cast<State*>(work.moments);
  auto* squares = static_cast<State*>(work.squares);
  for_each_range(work.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      rounding::adamw(work, i, weights[i], gradients[i], moments[i], squares[i]);
    }
  });
}

}  // namespace

void rounded_adamw(const RoundedAdamW& work) {
  base::check(work.state != DType::kFloat16, "an optimizer's state in fp16");
  work.state == DType::kFloat32 ? adamw_with<float>(work) : adamw_with<Bf16>(work);
}

void rounded_sum(const RoundedSum& work) {
  auto* sum = static_cast<Bf16*>(work.sum);
  const auto* added = static_cast<const Bf16*>(work.added);
  for_each_range(work.count, kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) rounding::add(work, i, sum[i], added[i]);
  });
}

}  // namespace tritonrl::kernels::cpu
