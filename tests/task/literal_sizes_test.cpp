#include "task/literal_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonrl::task {
namespace {

using testing::ElementsAre;
using testing::Field;

constexpr const char* kSource = R"(import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, hidden, slope):
        super().__init__()
        self.linear = nn.Linear(hidden, hidden)

    def forward(self, x, other):
        return self.linear(x) + other


def get_inputs():
    return [torch.rand([4, 8]), torch.rand(4, 8)]


def get_init_inputs():
    return [8, 0.5]
)";

Task task_of(const char* source) {
  Task task;
  task.id = "t";
  task.source = source;
  return task;
}

TEST(LiteralSizes, AreNamedAfterWhatTheyAreFor) {
  const auto sizes = find_literal_sizes(task_of(kSource));
  EXPECT_THAT(sizes, ElementsAre(Field(&LiteralSize::name, "x_0"), Field(&LiteralSize::name, "x_1"),
                                 Field(&LiteralSize::name, "other_0"), Field(&LiteralSize::name, "other_1"),
                                 Field(&LiteralSize::name, "hidden_size")));
}

TEST(LiteralSizes, BecomeConstantsThatAVariantCanChange) {
  auto sizes = find_literal_sizes(task_of(kSource));
  sizes[1].name = sizes[3].name = sizes[4].name = "width";
  const Task named = with_named_sizes(task_of(kSource), sizes);
  EXPECT_THAT(named.dims, ElementsAre(Dimension{"x_0", 4}, Dimension{"width", 8}, Dimension{"other_0", 4}));
  const std::string other = rewritten_source(named, {{"width", 33}});
  EXPECT_NE(other.find("width = 33"), std::string::npos);
  EXPECT_NE(other.find("torch.rand([x_0, width]), torch.rand(other_0, width)"), std::string::npos);
  EXPECT_NE(other.find("return [width, 0.5]"), std::string::npos);
}

TEST(LiteralSizes, BoundsOfRandomIntegersAreNoSizes) {
  const auto sizes = find_literal_sizes(task_of(R"(import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
def get_inputs():
    return [torch.randint(0, 100, (16,))]
def get_init_inputs():
    return []
)"));
  EXPECT_THAT(sizes, ElementsAre(Field(&LiteralSize::value, 16)));
}

}  // namespace
}  // namespace tritonrl::task
