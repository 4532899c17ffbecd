#include "verify/timing_processes.h"

#include <algorithm>
#include <utility>

namespace tritonrl::verify {

TimingProcesses::Loan TimingProcesses::lend(const task::Task& task, const ReferenceTimes& times) {
  std::unique_ptr<GuestProcess> taken;
  std::unique_ptr<GuestProcess> ended;
  {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return lent_ < most_; });
    ++lent_;
    const auto fresh = std::ranges::find_if(idle_, [&](const auto& process) { return !times.has(process->number()); });
    if (fresh != idle_.end()) {
      taken = std::move(*fresh);
      idle_.erase(fresh);
    } else if (lent_ + idle_.size() > most_) {
      ended = std::move(idle_.front());
      idle_.pop_front();
    }
  }
  try {
    ended.reset();  // its memory is the new one's
    return {*this, task, taken ? std::move(taken) : start_()};
  } catch (...) {
    give_back(nullptr);
    throw;
  }
}

void TimingProcesses::give_back(std::unique_ptr<GuestProcess> process) {
  {
    const std::scoped_lock lock(mutex_);
    --lent_;
    if (process) idle_.push_back(std::move(process));
  }
  returned_.notify_one();
}

TimingProcesses::Loan::Loan(TimingProcesses& lender, const task::Task& task, std::unique_ptr<GuestProcess> process)
    : lender_(lender), oracle_(lender.start_, task, false) {
  oracle_.adopt(std::move(process));
}

TimingProcesses::Loan::~Loan() { lender_.give_back(oracle_.release()); }

}  // namespace tritonrl::verify
