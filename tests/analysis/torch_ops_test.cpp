#include "analysis/torch_ops.h"

#include <gtest/gtest.h>

namespace tritonrl::analysis {
namespace {

OpClass class_of(std::string_view path) {
  const auto op = find_torch_op(path);
  EXPECT_TRUE(op) << path << " is not known";
  return op.value_or(TorchOp{}).cls;
}

TEST(TorchOps, TellsFreeFromCopyFromCompute) {
  for (const char* path : {"torch.empty", "torch.empty_like", "torch.zeros", "torch.full", "torch.arange",
                           "torch.Tensor.view", "torch.Tensor.stride"}) {
    EXPECT_EQ(class_of(path), OpClass::kFree) << path;
  }
  for (const char* path : {"torch.cat", "torch.stack", "torch.clone", "torch.nn.functional.pad",
                           "torch.Tensor.contiguous", "torch.Tensor.to"}) {
    EXPECT_EQ(class_of(path), OpClass::kCopy) << path;
  }
  for (const char* path : {"torch.matmul", "torch.nn.functional.relu", "torch.softmax", "torch.einsum",
                           "torch.linalg.norm", "torch.fft.fft", "torch.special.expit",
                           "torch.nn.functional.scaled_dot_product_attention", "torch.Tensor.sum"}) {
    EXPECT_EQ(class_of(path), OpClass::kCompute) << path;
  }
}

TEST(TorchOps, KnowsMainOperatorsFromPointwiseOnes) {
  for (const char* path : {"torch.matmul", "torch.nn.functional.softmax", "torch.nn.functional.conv2d", "torch.sum",
                           "torch.cumsum", "torch.nn.Linear"}) {
    EXPECT_TRUE(find_torch_op(path).value().main) << path;
  }
  for (const char* path : {"torch.add", "torch.relu", "torch.nn.functional.gelu", "torch.mul", "torch.exp"}) {
    EXPECT_FALSE(find_torch_op(path).value().main) << path;
  }
}

TEST(TorchOps, KnowsWhatComesBack) {
  EXPECT_EQ(find_torch_op("torch.matmul")->returns, OpReturns::kTensor);
  EXPECT_EQ(find_tensor_method("size")->returns, OpReturns::kOther);
  EXPECT_EQ(find_tensor_method("numel")->returns, OpReturns::kScalar);
  EXPECT_EQ(find_tensor_method("item")->returns, OpReturns::kScalar);
}

TEST(TorchOps, FindsAtenPacketsAndTheirOverloads) {
  EXPECT_EQ(class_of("torch.ops.aten.mm"), OpClass::kCompute);
  EXPECT_EQ(class_of("torch.ops.aten.mm.default"), OpClass::kCompute);
  EXPECT_TRUE(find_torch_op("torch.ops.aten.mm.out")->main);
  EXPECT_EQ(class_of("torch.ops.aten.empty.memory_format"), OpClass::kFree);
  EXPECT_EQ(class_of("torch.ops.aten.view.default"), OpClass::kFree);
  EXPECT_EQ(class_of("torch.ops.aten.add_.Tensor"), OpClass::kCompute);
}

TEST(TorchOps, FindsTheSameOperatorBehindOtherDoors) {
  for (const char* path :
       {"torch._C._VariableFunctions.mm", "torch._VF.mm", "torch.ops.prims.mul", "torch._refs.add"}) {
    EXPECT_EQ(class_of(path), OpClass::kCompute) << path;
  }
}

TEST(TorchOps, TakesAnUnknownOperatorForCompute) {
  EXPECT_EQ(class_of("torch.ops.aten.operator_of_the_future"), OpClass::kCompute);
  EXPECT_EQ(class_of("torch.ops.aten.operator_of_the_future.default"), OpClass::kCompute);
}

TEST(TorchOps, KnowsNothingOutsideTorch) {
  for (const char* path : {"", "torch", "numpy.matmul", "torch.", "matmul", "torch.cuda.NoSuchThing",
                           "torchvision.ops.nms", "os.path.join"}) {
    EXPECT_FALSE(find_torch_op(path)) << path;
  }
}

TEST(TorchOps, FindsMethodsAndProperties) {
  EXPECT_EQ(find_tensor_method("shape")->cls, OpClass::kFree);
  EXPECT_EQ(find_tensor_method("T")->cls, OpClass::kFree);
  EXPECT_EQ(find_tensor_method("matmul")->cls, OpClass::kCompute);
  EXPECT_EQ(find_tensor_method("add_")->cls, OpClass::kCompute);
  EXPECT_EQ(find_tensor_method("clone")->cls, OpClass::kCopy);
  EXPECT_FALSE(find_tensor_method("no_such_method"));
  EXPECT_FALSE(find_tensor_method(""));
}

}  // namespace
}  // namespace tritonrl::analysis
