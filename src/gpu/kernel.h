#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "gpu/driver.h"

namespace tritonrl::gpu {

// A kernel of ours, from machine code: in the context of the thread that loads it, for as long as that lives.
class Kernel {
 public:
  // `threads`: of a block; `shared_bytes`: that it wants beside what the code declares.
  Kernel(const std::string& cubin, const std::string& name, unsigned threads, unsigned shared_bytes);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  Kernel(Kernel&&) = delete;
  Kernel& operator=(Kernel&&) = delete;

  // Returns before the kernel is done. Parameters are pointers to values of the kernel's own types.
  void launch(std::array<unsigned, 3> grid, std::span<void* const> parameters) const;

 private:
  const Driver& driver_;
  unsigned threads_;
  unsigned shared_bytes_;
  ModuleHandle* module_ = nullptr;
  FunctionHandle* function_ = nullptr;
};

}  // namespace tritonrl::gpu
