#include "data/adviser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonrl::data {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Adviser, SaysALevelOrNothing) {
  EXPECT_EQ(level_in("2"), 2);
  EXPECT_EQ(level_in("<think>1 or 3?</think>\nLevel 3."), 3);
  EXPECT_FALSE(level_in("7"));
  EXPECT_FALSE(level_in("a fusion"));
}

TEST(Adviser, ProposesSizesThatTheTaskHas) {
  task::Task task;
  task.dims = {{"N", 64}, {"M", 32}};
  EXPECT_THAT(sizes_in("Here: [{\"N\": 33}, {\"M\": 1, \"N\": 7}]", task),
              ElementsAre(task::Variant{{"N", 33}}, task::Variant{{"M", 1}, {"N", 7}}));
  for (const char* answer :
       {"", "no", "[]", "[3]", "[{\"K\": 3}]", "[{\"N\": 0}]", "[{\"N\": \"3\"}]", "[{\"N\": 1e99}]", "[{}]"}) {
    EXPECT_THAT(sizes_in(answer, task), IsEmpty()) << answer;
  }
}

}  // namespace
}  // namespace tritonrl::data
