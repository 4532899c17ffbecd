#include "data/kernelbook.h"

#include <gtest/gtest.h>

namespace tritonrl::data {
namespace {

using base::Json;

constexpr const char* kCode = R"(import torch
import torch.nn as nn


class Helper(nn.Module):
    def forward(self, x):
        return x


class Scaled(nn.Module):
    def __init__(self, width, eps=1e-5, bias=True):
        super(Scaled, self).__init__()
        self.linear = nn.Linear(width, width, bias=bias)

    def forward(self, x):
        return self.linear(x)


def get_inputs():
    return [torch.rand([4, 4, 4, 4])]


def get_init_inputs():
    return [[], {'width': 4, 'bias': False}]
)";

std::string source_of(const Json& row) {
  const auto task = task_of_kernelbook(row, {});
  const auto* problem = std::get_if<Problem>(&task);
  EXPECT_EQ(problem, nullptr) << problem->message;
  return problem == nullptr ? std::get<task::Task>(task).source : "";
}

std::string reason_of(const Json& row) {
  const auto task = task_of_kernelbook(row, {});
  return std::holds_alternative<Problem>(task) ? std::get<Problem>(task).reason : "";
}

TEST(KernelBook, TheEntryIsCalledModelAndItsArgumentsStandInOrder) {
  const std::string source = source_of({{"python_code", kCode}, {"entry_point", "Scaled"}, {"uuid", 17}});
  EXPECT_NE(source.find("class Model(nn.Module):"), std::string::npos);
  EXPECT_NE(source.find("super(Model, self)"), std::string::npos);
  EXPECT_NE(source.find("return [4, 1e-5, False]"), std::string::npos);
  EXPECT_EQ(source.find("Scaled"), std::string::npos);
}

TEST(KernelBook, AnotherClassCalledModelMakesWay) {
  const std::string source = source_of({{"python_code", R"(
class Model(Base):
    pass
class Entry(Model):
    def forward(self, x):
        return Model.help(x)
def get_init_inputs():
    return [[3], {}]
)"},
                                        {"module_name", "Entry"}});
  EXPECT_NE(source.find("class ModelPart(Base)"), std::string::npos);
  EXPECT_NE(source.find("class Model(ModelPart)"), std::string::npos);
  EXPECT_NE(source.find("return ModelPart.help(x)"), std::string::npos);
  EXPECT_NE(source.find("return [3]"), std::string::npos);
}

TEST(KernelBook, SaysWhyARowIsNoTask) {
  EXPECT_EQ(reason_of({{"python_code", kCode}}), "no-entry-point");
  EXPECT_EQ(reason_of({{"python_code", kCode}, {"entry_point", "Absent"}}), "no-entry-point");
  EXPECT_EQ(reason_of({{"python_code", "def ("}, {"entry_point", "A"}}), "not-python");
  std::string unknown = kCode;
  unknown.replace(unknown.find("'width'"), 7, "'other'");
  EXPECT_EQ(reason_of({{"python_code", unknown}, {"entry_point", "Scaled"}}), "init-inputs-unreadable");
}

}  // namespace
}  // namespace tritonrl::data
