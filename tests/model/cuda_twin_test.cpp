// Every CUDA kernel against its CPU twin, through the operators that call them, forward and backward. Skips without a
// GPU.
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "kernels/rounded_update.h"
#include "model/fused_ops.h"
#include "model/qwen3.h"
#include "model/token_loss.h"
#include "tests/model/small_model.h"

namespace tritonrl::model {
namespace {

using Tensors = std::vector<at::Tensor>;

bool has_cuda_kernels() {
  if (!at::globalContext().hasCUDA()) return false;
  try {
    const at::NoGradGuard no_gradients;
    const at::Tensor x = at::randn({1, 16}, at::kCUDA);
    ops::swiglu(x);
    return true;
  } catch (const base::HostError&) {  // built without nvcc
    return false;
  }
}

#define SKIP_WITHOUT_CUDA() \
  if (!has_cuda_kernels()) GTEST_SKIP() << "needs a GPU and a build with nvcc"

// Within what rounding the inputs and the result to `type` explains.
double tolerance_of(at::ScalarType type) { return type == at::kFloat ? 2e-5 : type == at::kHalf ? 6e-3 : 5e-2; }

void expect_close(const at::Tensor& cuda, const at::Tensor& cpu, at::ScalarType type, const std::string& what) {
  ASSERT_EQ(cuda.sizes(), cpu.sizes()) << what;
  const at::Tensor difference = (cuda.cpu().to(at::kFloat) - cpu).norm();
  EXPECT_LE(difference.item<double>(), tolerance_of(type) * (cpu.norm().item<double>() + 1e-6)) << what;
}

// Runs `use` on the CPU in fp32 and on CUDA in each type, on the same rounded inputs, and compares results and
// gradients.
void compare(const Tensors& inputs, const std::function<Tensors(const Tensors&)>& use) {
  for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf}) {
    const auto run = [&](at::Device device) {
      Tensors leaves;
      for (const auto& input : inputs) {
        const bool real = input.is_floating_point();
        at::Tensor leaf = real ? input.to(type) : input;
        if (real && device.is_cpu()) leaf = leaf.to(at::kFloat);
        leaves.push_back(leaf.to(device).detach().requires_grad_(real));
      }
      Tensors results = use(leaves);
      at::Tensor scalar = at::zeros({}, at::TensorOptions(device).dtype(at::kFloat));
      for (const auto& result : results) {
        const at::Tensor weights =
            at::arange(result.numel(), at::kFloat).mul(0.7).cos().view(result.sizes()).to(device);
        scalar = scalar + (result.to(at::kFloat) * weights).sum();
      }
      scalar.backward();
      for (const auto& leaf : leaves) {
        if (leaf.grad().defined()) results.push_back(leaf.grad());
      }
      return results;
    };
    const Tensors cpu = run(at::kCPU);
    const Tensors cuda = run(at::kCUDA);
    ASSERT_EQ(cpu.size(), cuda.size());
    for (std::size_t i = 0; i < cpu.size(); ++i) {
      expect_close(cuda[i].detach(), cpu[i].detach(), type, "result " + std::to_string(i) + " in " + toString(type));
    }
  }
}

TEST(CudaTwin, RmsNorm) {
  SKIP_WITHOUT_CUDA();
  for (const std::int64_t columns : {48, 75, 1024, 4096, 5120}) {
    compare({at::randn({200, columns}), at::randn({200, columns}), at::rand({columns}) + 0.5}, [](const Tensors& in) {
      const auto [normed, sum] = ops::add_rms_norm(in[0], in[1].to(at::kFloat), in[2], 1e-6);
      return Tensors{normed, sum};
    });
    compare({at::randn({130, columns}), at::rand({columns}) + 0.5},
            [](const Tensors& in) { return Tensors{ops::add_rms_norm(in[0], {}, in[1], 1e-6).normed}; });
  }
}

TEST(CudaTwin, Swiglu) {
  SKIP_WITHOUT_CUDA();
  for (const std::int64_t columns : {31, 64, 3072}) {
    compare({at::randn({77, 2 * columns}) * 3}, [](const Tensors& in) { return Tensors{ops::swiglu(in[0])}; });
  }
}

// The chance is the same on both; arithmetic may differ in the last bit, which moves a result by one step of bf16.
TEST(CudaTwin, RoundedUpdates) {
  SKIP_WITHOUT_CUDA();
  for (const std::int64_t count : {4096, 4099}) {
    for (const auto state : {at::kFloat, at::kBFloat16}) {
      const Tensors start = {at::randn({count}).to(at::kBFloat16), at::randn({count}).to(at::kBFloat16),
                             at::randn({count}).to(state), at::rand({count}).to(state)};
      const auto updated = [&](at::Device device) {
        Tensors at_device;
        for (const at::Tensor& tensor : start)
          at_device.push_back(tensor.to(device, tensor.scalar_type(), false, true));
        const kernels::RoundedAdamW update{.weights = at_device[0].data_ptr(),
                                           .gradients = at_device[1].data_ptr(),
                                           .moments = at_device[2].data_ptr(),
                                           .squares = at_device[3].data_ptr(),
                                           .count = count,
                                           .lr = 1e-2F,
                                           .weight_decay = 0.1F,
                                           .moment_correction = 0.5F,
                                           .square_correction = 0.4F,
                                           .seed = 11,
                                           .state = ops::dtype_of(start[2])};
        const kernels::RoundedSum sum{
            .sum = at_device[1].data_ptr(), .added = at_device[0].data_ptr(), .count = count, .seed = 12};
        if (device.is_cuda()) {
          kernels::cuda::rounded_adamw(update, ops::stream_of(at_device[0]));
          kernels::cuda::rounded_sum(sum, ops::stream_of(at_device[0]));
        } else {
          kernels::cpu::rounded_adamw(update);
          kernels::cpu::rounded_sum(sum);
        }
        return at_device;
      };
      const Tensors cpu = updated(at::kCPU);
      const Tensors cuda = updated(at::kCUDA);
      for (std::size_t i = 0; i < cpu.size(); ++i) {
        const bool rounded = cpu[i].scalar_type() == at::kBFloat16;
        const at::Tensor difference = (cuda[i].cpu().to(at::kFloat) - cpu[i].to(at::kFloat)).abs();
        const at::Tensor allowed = (cpu[i].to(at::kFloat).abs() + 1e-3) * (rounded ? 1.0 / 64 : 1e-5);
        EXPECT_LE((difference / allowed).max().item<double>(), 1) << i;
        if (rounded) {
          EXPECT_LE(difference.gt(0).to(at::kFloat).mean().item<double>(), 0.02) << i;
        }
      }
    }
  }
}

TEST(CudaTwin, TokenSoftmax) {
  SKIP_WITHOUT_CUDA();
  for (const std::int64_t vocabulary : {97, 4096}) {
    compare({at::randn({60, 32}), at::randn({vocabulary, 32}) / 4, at::randint(vocabulary, {60}, at::kLong)},
            [](const Tensors& in) {
              const auto loss =
                  token_loss(in[0], in[1], in[2], {.temperature = 0.8, .entropy = true, .chunk_bytes = 20'000});
              return Tensors{loss.log_probs, loss.entropy};
            });
  }
}

TEST(CudaTwin, HeadRopeAndAttention) {
  SKIP_WITHOUT_CUDA();
  for (const std::int64_t dim : {32, 64, 128}) {
    const kernels::HeadShape shape{.tokens = 150, .heads = 8, .kv_heads = 2, .head_dim = dim};
    const at::Tensor angles = at::randn({150, dim / 2}) * 2;
    compare({at::randn({150, shape.qkv_columns()}), at::rand({dim}) + 0.5, at::rand({dim}) + 0.5},
            [&](const Tensors& in) {
              const auto device = in[0].device();
              const ops::HeadWeights weights{.q_norm = in[1],
                                             .k_norm = in[2],
                                             .cosines = angles.cos().to(device),
                                             .sines = angles.sin().to(device),
                                             .eps = 1e-6};
              const ops::PackedTexts texts{
                  .positions = at::arange(150, at::kInt).to(device),
                  .text_starts = at::tensor(std::vector<std::int32_t>{0, 40, 41, 150}, at::kInt).to(device),
                  .max_length = 109};
              return Tensors{ops::packed_attention(in[0], weights, texts, shape)};
            });
  }
}

TEST(CudaTwin, WholeModelInFp32) {
  SKIP_WITHOUT_CUDA();
  const auto config = testing::small_config();
  const auto texts = testing::random_texts(1, {40, 3, 77}, config.vocab_size);
  const auto run = [&](at::Device device) {
    const Qwen3 model = Qwen3::random(config, 7, {.device = device, .dtype = DType::kFloat32});
    const auto batch = PackedBatch::of(texts, device);
    const at::Tensor hidden = model.forward_packed(batch);
    const at::Tensor log_probs = token_loss(hidden, model.lm_head(), batch.token_ids.roll(-1)).log_probs;
    log_probs.mean().backward();
    Tensors results{log_probs.detach().cpu()};
    for (const auto& [name, gradient] : model.gradients()) results.push_back(gradient.cpu());
    return results;
  };
  at::globalContext().setAllowTF32CuBLAS(false);
  const Tensors cpu = run(at::kCPU);
  const Tensors cuda = run(at::kCUDA);
  EXPECT_LT((cpu[0] - cuda[0]).abs().max().item<double>(), 1e-4);
  for (std::size_t i = 1; i < cpu.size(); ++i) {
    EXPECT_LE((cpu[i] - cuda[i]).norm().item<double>(), 1e-4 * cpu[i].norm().item<double>()) << i;
  }
}

}  // namespace
}  // namespace tritonrl::model
