#include "verify/idle_references.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "reference_process_test.h"

namespace tritonrl::verify {
namespace {

class IdleReferencesTest : public ReferenceProcessTest {
 protected:
  // A task's reference that was asked for something, by this process where there is one.
  OpenReference used(const std::string& source, std::unique_ptr<GuestProcess> process) {
    OpenReference reference;
    reference.task = std::make_shared<const task::Task>(task_of("task", source));
    reference.oracle = std::make_unique<Oracle>([this] { return start(); }, *reference.task, false);
    reference.oracle->adopt(std::move(process));
    EXPECT_FALSE(reference.oracle->add(0, {}));
    EXPECT_TRUE(std::holds_alternative<OracleCase>(reference.oracle->make(0, 1, "as-given")));
    return reference;
  }
};

TEST_F(IdleReferencesTest, AProcessServesTheNextTask) {
  IdleReferences idle({.most_processes = 1});
  auto first = used(kAdd, idle.take_process());
  const std::uint64_t number = first.oracle->process_number();
  idle.put(std::move(first));
  EXPECT_EQ(used(std::string(kAdd) + "# another\n", idle.take_process()).oracle->process_number(), number);
  EXPECT_EQ(started_, 1);
}

TEST_F(IdleReferencesTest, AProcessOfATaskThatChangedSettingsServesNone) {
  IdleReferences idle({.most_processes = 1});
  idle.put(used(std::string(kAdd) + "torch.set_default_dtype(torch.float64)\n", nullptr));
  EXPECT_EQ(idle.take_process(), nullptr);
}

TEST_F(IdleReferencesTest, AProcessOfATaskThatPatchedTorchServesNone) {
  IdleReferences idle({.most_processes = 1});
  idle.put(used(std::string(kAdd) + "torch.nn.functional.relu = torch.tanh\n", nullptr));
  EXPECT_EQ(idle.take_process(), nullptr);
  idle.put(used(std::string(kAdd) + "torch.nn.ReLU.forward = lambda self, x: x\n", nullptr));
  EXPECT_EQ(idle.take_process(), nullptr);
}

TEST_F(IdleReferencesTest, NoMoreProcessesAreKeptThanThereIsMemoryFor) {
  IdleReferences idle({.most_processes = 1});
  auto first = used(kAdd, nullptr);
  idle.put(used(kAdd, nullptr));
  idle.put(std::move(first));
  EXPECT_NE(idle.take_process(), nullptr);
  EXPECT_EQ(idle.take_process(), nullptr);
}

TEST_F(IdleReferencesTest, ProcessesThatWereClosedServeNone) {
  IdleReferences idle({.most_processes = 1});
  idle.put(used(kAdd, nullptr));
  idle.close_processes();
  EXPECT_EQ(idle.take_process(), nullptr);
}

TEST_F(IdleReferencesTest, AReferenceWithCasesForOthersIsTheSameAsBefore) {
  IdleReferences idle({.most_open = 1});
  auto reference = used(kAdd, nullptr);
  EXPECT_TRUE(std::holds_alternative<ReadyCase>(reference.oracle->ready(0, 1, "as-given")));
  const auto task = reference.task;
  const std::uint64_t number = reference.oracle->process_number();
  idle.put(std::move(reference));
  const auto again = idle.take(task);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->oracle->process_number(), number);
  EXPECT_FALSE(idle.take(task));
}

}  // namespace
}  // namespace tritonrl::verify
