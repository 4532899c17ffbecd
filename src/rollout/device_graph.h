#pragma once

#include <functional>
#include <memory>

namespace tritonrl::rollout {

// A CUDA graph: what `work` queues on the current stream, recorded once and replayed as one launch. Memory that work
// takes while it is recorded stays taken; graphs of one process share it, so that only the latest replay's results
// hold.
class DeviceGraph {
 public:
  // Whether this build and machine have such graphs.
  static bool supported();

  explicit DeviceGraph(const std::function<void()>& work);
  ~DeviceGraph();
  DeviceGraph(DeviceGraph&&) noexcept;

  // On the current stream; returns before it is done.
  void replay();

 private:
  struct Recording;
  std::unique_ptr<Recording> recording_;
};

}  // namespace tritonrl::rollout
