#include "gpu/kernel.h"

#include <vector>

namespace tritonrl::gpu {

Kernel::Kernel(const std::string& cubin, const std::string& name, unsigned threads, unsigned shared_bytes)
    : driver_(Driver::get()), threads_(threads), shared_bytes_(shared_bytes) {
  const DriverApi& api = driver_.api();
  driver_.check(api.cuModuleLoadData(&module_, cubin.data()), "load a kernel");
  driver_.check(api.cuModuleGetFunction(&function_, module_, name.c_str()), "find a kernel");
  driver_.check(api.cuFuncSetAttribute(function_, kFunctionMaxDynamicShared, static_cast<int>(shared_bytes_)),
                "give a kernel its shared memory");
}

Kernel::~Kernel() { driver_.api().cuModuleUnload(module_); }

void Kernel::launch(std::array<unsigned, 3> grid, std::span<void* const> parameters) const {
  std::vector<void*> pointers(parameters.begin(), parameters.end());
  LaunchConfig config;
  for (int n = 0; n < 3; ++n) config.grid[n] = grid[static_cast<std::size_t>(n)];
  config.block[0] = threads_;
  config.shared_bytes = shared_bytes_;
  driver_.check(driver_.api().cuLaunchKernelEx(&config, function_, pointers.data(), nullptr), "launch a kernel");
}

}  // namespace tritonrl::gpu
