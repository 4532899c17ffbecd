#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "task/task.h"
#include "verify/guest_process.h"
#include "verify/oracle.h"
#include "verify/reference_times.h"

namespace tritonrl::verify {

// Processes that time references beside those that workers have. A GPU's context takes far longer to get than a
// reference to be timed, so each serves one task after the other. Safe from any thread.
class TimingProcesses {
 public:
  using Start = std::function<std::unique_ptr<GuestProcess>()>;

  // `most`: there is memory for so many at a time.
  TimingProcesses(std::size_t most, Start start) : most_(most), start_(std::move(start)) {}

  // A task's reference in one of them, until this goes.
  class Loan {
   public:
    Loan(TimingProcesses& lender, const task::Task& task, std::unique_ptr<GuestProcess> process);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Loan(Loan&&) = delete;
    Loan& operator=(Loan&&) = delete;

    Oracle& oracle() { return oracle_; }

   private:
    TimingProcesses& lender_;
    Oracle oracle_;
  };

  // So many, or all that there may be: none of those that told these times, which make room for others. Waits for its
  // turn.
  std::vector<std::unique_ptr<Loan>> lend(const task::Task& task, const ReferenceTimes& times, std::size_t count);

 private:
  void give_back(std::unique_ptr<GuestProcess> process);  // none: it has ended

  std::size_t most_;
  Start start_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::list<std::unique_ptr<GuestProcess>> idle_;  // the last came last
  std::size_t lent_ = 0;
};

}  // namespace tritonrl::verify
