#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tritonrl::analysis {

enum class OpClass : std::uint8_t { kFree, kCopy, kCompute };
enum class OpReturns : std::uint8_t { kTensor, kScalar, kOther, kNone };

// What torch does under a name, from data/torch_ops.txt, which the run-time trace shares.
struct TorchOp {
  OpClass cls = OpClass::kCompute;
  OpReturns returns = OpReturns::kTensor;
  bool main = false;  // matmul, convolution, norm, reduction...: not pointwise arithmetic
};

// By dotted path as Python spells it ("torch.nn.functional.relu", "torch.ops.aten.mm.default").
// Nothing for paths outside torch and for names that are no operator (torch.cuda.Stream).
std::optional<TorchOp> find_torch_op(std::string_view path);

// A method or property of torch.Tensor; nothing if there is none of that name.
std::optional<TorchOp> find_tensor_method(std::string_view name);

}  // namespace tritonrl::analysis
