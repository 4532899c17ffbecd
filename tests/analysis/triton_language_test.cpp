#include "analysis/triton_language.h"

#include <gtest/gtest.h>

namespace tritonrl::analysis {
namespace {

TEST(TritonLanguage, ClassesWhatKernelsUse) {
  EXPECT_EQ(find_triton_function("triton.language.load"), TritonClass::kLoad);
  EXPECT_EQ(find_triton_function("triton.language.store"), TritonClass::kStore);
  EXPECT_EQ(find_triton_function("triton.language.atomic_add"), TritonClass::kAtomic);
  EXPECT_EQ(find_triton_function("triton.language.make_block_ptr"), TritonClass::kPointer);
  EXPECT_EQ(find_triton_function("triton.language.program_id"), TritonClass::kIndex);
  EXPECT_EQ(find_triton_function("triton.language.zeros"), TritonClass::kConstant);
  EXPECT_EQ(find_triton_function("triton.language.trans"), TritonClass::kCopy);
  EXPECT_EQ(find_triton_function("triton.language.dot"), TritonClass::kCompute);
  EXPECT_EQ(find_triton_function("triton.language.constexpr"), TritonClass::kMeta);
}

TEST(TritonLanguage, KnowsTheSameFunctionUnderItsOtherPaths) {
  EXPECT_EQ(find_triton_function("triton.language.core.atomic_add"), TritonClass::kAtomic);
  EXPECT_EQ(find_triton_function("triton.language.math.exp"), TritonClass::kCompute);
  EXPECT_EQ(find_triton_function("triton.language.standard.zeros"), TritonClass::kConstant);
  EXPECT_EQ(find_triton_function("triton.language.extra.libdevice.tanh"), TritonClass::kCompute);
  EXPECT_EQ(find_triton_function("triton.language.extra.cuda.libdevice.tanh"), TritonClass::kCompute);
}

TEST(TritonLanguage, KnowsMethodsOfItsValues) {
  EXPECT_EQ(find_triton_function("triton.language.tensor.to"), TritonClass::kCopy);
  EXPECT_EQ(find_triton_function("triton.language.tensor.sum"), TritonClass::kCompute);
  EXPECT_EQ(find_triton_function("triton.language.tensor_descriptor.load"), TritonClass::kLoad);
  EXPECT_EQ(find_triton_function("triton.language.tensor_descriptor.store"), TritonClass::kStore);
}

TEST(TritonLanguage, KnowsNothingThatTritonHasNot) {
  for (const char* path : {"", "triton", "triton.language.relu", "triton.language.tanh", "triton.language.matmul",
                           "torch.load", "load", "triton.language.load.x", "TRITON.language.load"}) {
    EXPECT_FALSE(find_triton_function(path)) << path;
  }
}

}  // namespace
}  // namespace tritonrl::analysis
