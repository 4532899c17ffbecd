#include "base/error.h"
#include "rollout/device_graph.h"

namespace tritonrl::rollout {

struct DeviceGraph::Recording {};

bool DeviceGraph::supported() { return false; }
DeviceGraph::DeviceGraph(const std::function<void()>& /*work*/) { base::bug("this build has no CUDA graphs"); }
DeviceGraph::~DeviceGraph() = default;
DeviceGraph::DeviceGraph(DeviceGraph&&) noexcept = default;
void DeviceGraph::replay() {}

}  // namespace tritonrl::rollout
