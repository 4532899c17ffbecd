#include "verify/task_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tritonrl::verify {
namespace {

using testing::Optional;

class TaskQueueTest : public testing::Test {
 protected:
  static constexpr const char* a = "a";
  static constexpr const char* b = "b";
  static constexpr const char* c = "c";
};

TEST_F(TaskQueueTest, KeepsAWorkerWithItsTask) {
  TaskQueue queue({a, b, a, b});
  EXPECT_THAT(queue.next(nullptr), Optional(0));
  EXPECT_THAT(queue.next(a), Optional(2));
  EXPECT_THAT(queue.next(a), Optional(1));
  EXPECT_THAT(queue.next(b), Optional(3));
  EXPECT_EQ(queue.next(b), std::nullopt);
}

TEST_F(TaskQueueTest, GivesTwoWorkersTwoTasks) {
  TaskQueue queue({a, a, b});
  EXPECT_THAT(queue.next(nullptr), Optional(0));
  EXPECT_THAT(queue.next(nullptr), Optional(2));
}

TEST_F(TaskQueueTest, HelpsWhereMostIsLeft) {
  TaskQueue queue({a, a, b, b, b, b, c});
  EXPECT_THAT(queue.next(nullptr), Optional(0));
  EXPECT_THAT(queue.next(nullptr), Optional(2));
  EXPECT_THAT(queue.next(nullptr), Optional(6));
  EXPECT_THAT(queue.next(c), Optional(3));  // a has one left, b three
}

TEST_F(TaskQueueTest, IsEmptyWithoutWork) {
  TaskQueue queue({});
  EXPECT_EQ(queue.next(nullptr), std::nullopt);
}

}  // namespace
}  // namespace tritonrl::verify
