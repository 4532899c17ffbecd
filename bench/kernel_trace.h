#pragma once

#include <torch/csrc/autograd/profiler_kineto.h>

#include <set>
#include <string>
#include <utility>

namespace tritonrl::bench {

// Kernels, as the profiler of torch sees them.
class KernelTrace {
 public:
  explicit KernelTrace(std::string file) : file_(std::move(file)) {}

  void start() {
    torch::autograd::profiler::prepareProfiler(config_, kinds_);
    torch::autograd::profiler::enableProfiler(config_, kinds_);
  }
  void stop() { torch::autograd::profiler::disableProfiler()->save(file_); }

 private:
  std::string file_;
  torch::profiler::impl::ProfilerConfig config_{torch::profiler::impl::ProfilerState::KINETO};
  std::set<torch::profiler::impl::ActivityType> kinds_{torch::profiler::impl::ActivityType::CPU,
                                                       torch::profiler::impl::ActivityType::CUDA};
};

}  // namespace tritonrl::bench
