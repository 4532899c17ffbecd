#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "rollout/device_graph.h"

namespace tritonrl::rollout {
namespace {

// Graphs that live at the same time allocate from one pool: their temporaries lie in the same memory. A pool ends with
// its last graph.
struct Pool {
  at::cuda::MempoolId_t id{};
  int graphs = 0;
};

Pool& pool() {
  static Pool shared;
  if (shared.graphs == 0) shared.id = at::cuda::graph_pool_handle();
  return shared;
}

}  // namespace

struct DeviceGraph::Recording {
  Recording() { ++pool().graphs; }
  ~Recording() { --pool().graphs; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  Recording(Recording&&) = delete;
  Recording& operator=(Recording&&) = delete;

  at::cuda::CUDAGraph graph;
};

bool DeviceGraph::supported() { return c10::cuda::device_count() > 0; }

DeviceGraph::DeviceGraph(const std::function<void()>& work) : recording_(std::make_unique<Recording>()) {
  const c10::cuda::CUDAStream caller = c10::cuda::getCurrentCUDAStream();
  // The default stream cannot be recorded.
  const c10::cuda::CUDAStream side = c10::cuda::getStreamFromPool();
  caller.synchronize();
  {
    const c10::cuda::CUDAStreamGuard on_side(side);
    work();  // libraries take their workspaces now
    side.synchronize();
    recording_->graph.capture_begin(pool().id, cudaStreamCaptureModeThreadLocal);
    work();
    recording_->graph.capture_end();
  }
  side.synchronize();
}

DeviceGraph::~DeviceGraph() = default;
DeviceGraph::DeviceGraph(DeviceGraph&&) noexcept = default;

void DeviceGraph::replay() { recording_->graph.replay(); }

}  // namespace tritonrl::rollout
