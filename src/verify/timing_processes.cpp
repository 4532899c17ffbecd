#include "verify/timing_processes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tritonrl::verify {

std::vector<std::unique_ptr<TimingProcesses::Loan>> TimingProcesses::lend(const task::Task& task,
                                                                          const ReferenceTimes& times,
                                                                          std::size_t count) {
  count = std::min(count, most_);
  std::vector<std::unique_ptr<GuestProcess>> taken;
  std::list<std::unique_ptr<GuestProcess>> ended;
  {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return lent_ + count <= most_; });
    lent_ += count;
    for (auto at = idle_.begin(); at != idle_.end() && taken.size() < count;) {
      if (!times.has((*at)->number())) taken.push_back(std::move(*at));
      at = *at ? std::next(at) : idle_.erase(at);
    }
    while (lent_ + idle_.size() > most_) ended.splice(ended.end(), idle_, idle_.begin());
  }
  ended.clear();  // their memory is the new ones'
  taken.resize(count);
  std::vector<std::unique_ptr<Loan>> loans;
  try {
    for (auto& process : taken) {
      if (!process) process = start_();
      loans.push_back(std::make_unique<Loan>(*this, task, std::move(process)));
    }
  } catch (...) {
    for (std::size_t n = loans.size(); n < count; ++n) give_back(std::move(taken[n]));
    throw;
  }
  return loans;
}

void TimingProcesses::give_back(std::unique_ptr<GuestProcess> process) {
  {
    const std::scoped_lock lock(mutex_);
    --lent_;
    if (process) idle_.push_back(std::move(process));
  }
  returned_.notify_all();  // they want different numbers
}

TimingProcesses::Loan::Loan(TimingProcesses& lender, const task::Task& task, std::unique_ptr<GuestProcess> process)
    : lender_(lender), oracle_(lender.start_, task, false) {
  oracle_.adopt(std::move(process));
}

TimingProcesses::Loan::~Loan() { lender_.give_back(oracle_.release()); }

}  // namespace tritonrl::verify
