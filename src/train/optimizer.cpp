#include "train/optimizer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "kernels/rounded_update.h"
#include "model/fused_ops.h"
#include "model/safetensors.h"
#include "model/safetensors_writer.h"
#include "train/muon.h"

namespace tritonrl::train {
namespace {

using Tensors = std::vector<at::Tensor>;

// A purpose of random numbers that no gathering's number is.
constexpr std::uint64_t kDither = std::uint64_t{1} << 40U;

// Parameters that decay and those that do not, each updated by one call of AdamW.
struct Batch {
  Tensors weights;
  Tensors gradients;
  Tensors moments;
  Tensors squares;
};

void fused_update(Batch& batch, const UpdateConfig& config, double lr, double weight_decay, std::int64_t updates) {
  if (batch.weights.empty()) return;
  const auto options = batch.weights.front().options().dtype(at::kFloat);
  const Tensors steps(batch.weights.size(), at::full({}, static_cast<double>(updates), options));
  at::_fused_adamw_(batch.weights, batch.gradients, batch.moments, batch.squares, /*max_exp_avg_sqs=*/{}, steps, lr,
                    config.beta1, config.beta2, weight_decay, config.eps, /*amsgrad=*/false, /*maximize=*/false);
}

void rounded_adamw(const kernels::RoundedAdamW& work, const at::Tensor& weights) {
  weights.is_cuda() ? kernels::cuda::rounded_adamw(work, model::ops::stream_of(weights))
                    : kernels::cpu::rounded_adamw(work);
}

// sum += added, in bf16.
void rounded_sum(const at::Tensor& sum, const at::Tensor& added, std::uint64_t seed) {
  const at::Tensor dense = added.contiguous();
  const kernels::RoundedSum work{
      .sum = sum.data_ptr(), .added = dense.const_data_ptr(), .count = sum.numel(), .seed = seed};
  sum.is_cuda() ? kernels::cuda::rounded_sum(work, model::ops::stream_of(sum)) : kernels::cpu::rounded_sum(work);
}

// fp32 twins that round to these weights, each drawn from all that do. If they began at the weights themselves, the
// first updates, less than what rounding cuts off, would show in none of them, and then in many at once.
at::Tensor dithered_masters(const at::Tensor& half, std::uint64_t seed) {
  const int cut_bits = half.scalar_type() == at::kBFloat16 ? 16 : 13;
  const std::int64_t bound = (std::int64_t{1} << (cut_bits - 1)) - 1;
  // Drawn on the CPU wherever the weights are, so that devices agree.
  const at::Tensor noise = at::randint(-bound, bound + 1, half.sizes(), at::detail::createCPUGenerator(seed), at::kInt);
  const at::Tensor plain = half.to(at::kFloat);
  const at::Tensor drawn = plain.view(at::kInt).add(noise.to(half.device())).view(at::kFloat);
  return at::where(drawn.to(half.scalar_type()).eq(half), drawn, plain);  // zeros and infinities stay what they are
}

const char* stored_type(const at::Tensor& tensor) { return tensor.scalar_type() == at::kFloat ? "F32" : "BF16"; }

std::span<const std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()};
}

}  // namespace

Optimizer::Optimizer(Tensors parameters, const UpdateConfig& config, std::vector<std::vector<std::int64_t>> matrix_rows)
    : parameters_(std::move(parameters)), config_(config), matrix_rows_(std::move(matrix_rows)) {
  if (config_.rule == UpdateRule::kAdamW) matrix_rows_.clear();
  matrix_rows_.resize(parameters_.size());
  for (const at::Tensor& parameter : parameters_) {
    const bool full = parameter.scalar_type() == at::kFloat;
    base::check(full || parameter.scalar_type() == at::kBFloat16 || config_.half_weights == HalfWeights::kMasters,
                "stochastic rounding is to bf16");
    at::Tensor master;
    if (full) {
      master = parameter.detach();
    } else if (config_.half_weights == HalfWeights::kMasters) {
      master = dithered_masters(parameter.detach(), rounding_seed(kDither, masters_.size()));
    }
    masters_.push_back(std::move(master));
    const bool muon = by_muon(moments_.size());
    const bool half_state = config_.half_state && !muon && !masters_.back().defined();
    const auto options = parameter.options().dtype(half_state ? at::kBFloat16 : at::kFloat).requires_grad(false);
    moments_.push_back(at::zeros(parameter.sizes(), options));
    squares_.push_back(muon ? at::Tensor() : at::zeros(parameter.sizes(), options));
  }
  gathered_.resize(parameters_.size());
}

void Optimizer::forget_gradients() {
  for (at::Tensor& parameter : parameters_) parameter.mutable_grad() = at::Tensor();
  for (at::Tensor& sum : gathered_) sum = at::Tensor();
  gatherings_ = 0;
}

void Optimizer::gather_gradients() {
  const at::NoGradGuard no_grad;
  ++gatherings_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    at::Tensor gradient = parameters_[i].grad();
    if (!gradient.defined() || gradient.scalar_type() == at::kFloat) continue;
    parameters_[i].mutable_grad() = at::Tensor();
    at::Tensor& sum = gathered_[i];
    if (masters_[i].defined()) {
      sum = sum.defined() ? sum.add_(gradient) : gradient.to(at::kFloat);
    } else if (sum.defined()) {
      rounded_sum(sum, gradient, rounding_seed(gatherings_, i));
    } else {
      sum = gradient.contiguous();
    }
  }
}

UpdateReport Optimizer::update(double lr) {
  const at::NoGradGuard no_grad;
  Tensors gradients;
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& gradient = gathered_[i].defined() ? gathered_[i] : parameters_[i].grad();
    if (!gradient.defined()) continue;
    gradients.push_back(gradient);
    moved.push_back(i);
  }
  if (gradients.empty()) return {};
  const at::Tensor norm = at::stack(at::_foreach_norm(gradients, 2, at::kFloat)).norm();
  UpdateReport report{.gradient_norm = norm.item<double>()};
  report.skipped = !std::isfinite(report.gradient_norm);
  if (report.skipped) {
    forget_gradients();
    return report;
  }
  ++updates_;
  const bool clips = config_.clip_norm > 0 && report.gradient_norm > config_.clip_norm;
  const double scale = clips ? config_.clip_norm / (report.gradient_norm + 1e-6) : 1;
  Batch decaying;
  Batch others;
  for (std::size_t g = 0; g < moved.size(); ++g) {
    const std::size_t i = moved[g];
    if (!masters_[i].defined()) {
      update_stochastically(i, gradients[g], scale, lr);
      continue;
    }
    if (clips) gradients[g] = gradients[g].to(at::kFloat).mul_(scale);  // halves would be rounded once more
    if (by_muon(i)) {
      update_by_muon(i, masters_[i], gradients[g], lr);
      continue;
    }
    Batch& batch = parameters_[i].dim() >= 2 ? decaying : others;
    batch.weights.push_back(masters_[i]);
    batch.gradients.push_back(gradients[g].to(at::kFloat));
    batch.moments.push_back(moments_[i]);
    batch.squares.push_back(squares_[i]);
  }
  fused_update(decaying, config_, lr, config_.weight_decay, updates_);
  fused_update(others, config_, lr, 0, updates_);
  for (const std::size_t i : moved) {
    if (masters_[i].defined() && !masters_[i].is_alias_of(parameters_[i])) parameters_[i].copy_(masters_[i]);
  }
  forget_gradients();
  return report;
}

void Optimizer::update_by_muon(std::size_t parameter, const at::Tensor& weights, const at::Tensor& gradient,
                               double lr) {
  muon_update(weights, gradient.to(at::kFloat), moments_[parameter], matrix_rows_[parameter], lr,
              {.momentum = config_.momentum, .weight_decay = config_.weight_decay});
}

void Optimizer::update_stochastically(std::size_t parameter, const at::Tensor& gradient, double scale, double lr) {
  const at::Tensor& weights = parameters_[parameter];
  const std::uint64_t seed = rounding_seed(0, parameter);
  if (by_muon(parameter)) {
    const at::Tensor moved = weights.to(at::kFloat);
    update_by_muon(parameter, moved, gradient.mul(scale), lr);
    const at::Tensor difference = moved.sub_(weights).to(at::kBFloat16);
    rounded_sum(weights.detach(), difference, seed);
    return;
  }
  const auto correction = [this](double beta) { return 1 - std::pow(beta, static_cast<double>(updates_)); };
  const at::Tensor dense = gradient.contiguous();
  rounded_adamw({.weights = weights.data_ptr(),
                 .gradients = dense.const_data_ptr(),
                 .moments = moments_[parameter].data_ptr(),
                 .squares = squares_[parameter].data_ptr(),
                 .count = weights.numel(),
                 .gradient_scale = static_cast<float>(scale),
                 .lr = static_cast<float>(lr),
                 .beta1 = static_cast<float>(config_.beta1),
                 .beta2 = static_cast<float>(config_.beta2),
                 .eps = static_cast<float>(config_.eps),
                 .weight_decay = static_cast<float>(weights.dim() >= 2 ? config_.weight_decay : 0),
                 .moment_correction = static_cast<float>(correction(config_.beta1)),
                 .square_correction = static_cast<float>(correction(config_.beta2)),
                 .seed = seed,
                 .state = model::ops::dtype_of(moments_[parameter])},
                weights);
}

// A function of the run's seed, the update and the parameter: a resumed run rounds alike.
std::uint64_t Optimizer::rounding_seed(std::uint64_t purpose, std::size_t parameter) const {
  base::Random random(config_.seed, (static_cast<std::uint64_t>(updates_) << 20U) | parameter, 4 * purpose);
  return random.next_u64();
}

void Optimizer::save(const std::filesystem::path& folder) const {
  std::vector<model::TensorToStore> stored;
  const auto add = [&](const char* kind, std::size_t i, const at::Tensor& tensor) {
    stored.push_back({.name = fmt::format("{}.{}", kind, i),
                      .dtype = stored_type(tensor),
                      .shape = tensor.sizes().vec(),
                      .size_bytes = tensor.nbytes(),
                      .bytes = [tensor, held = at::Tensor()]() mutable {
                        held = tensor.to(at::kCPU).contiguous();
                        return bytes_of(held);
                      }});
  };
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    add("exp_avg", i, moments_[i]);
    if (squares_[i].defined()) add("exp_avg_sq", i, squares_[i]);
    const bool own_master = masters_[i].defined() && !masters_[i].is_alias_of(parameters_[i]);
    if (own_master) add("master", i, masters_[i]);
  }
  model::write_weights(folder, stored);
}

void Optimizer::load(const std::filesystem::path& folder, std::int64_t updates) {
  const at::NoGradGuard no_grad;
  const model::StoredWeights stored(folder);
  const auto read = [&](const std::string& name, at::Tensor& tensor) {
    const model::StoredTensor* found = stored.find(name);
    if (found == nullptr || found->dtype != stored_type(tensor) || found->shape != tensor.sizes().vec()) {
      throw base::InputError({.file = folder.string()}, "'" + name + "' is missing, or has another shape or type",
                             "this state belongs to another model or another way of training it");
    }
    at::Tensor host = at::empty(tensor.sizes(), tensor.scalar_type());
    std::memcpy(host.mutable_data_ptr(), found->bytes.data(), found->bytes.size());
    tensor.copy_(host);
  };
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    read(fmt::format("exp_avg.{}", i), moments_[i]);
    if (squares_[i].defined()) read(fmt::format("exp_avg_sq.{}", i), squares_[i]);
    const bool own_master = masters_[i].defined() && !masters_[i].is_alias_of(parameters_[i]);
    if (own_master) read(fmt::format("master.{}", i), masters_[i]);
  }
  updates_ = updates;
}

}  // namespace tritonrl::train
