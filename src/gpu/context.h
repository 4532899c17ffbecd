#pragma once

#include "gpu/driver.h"

namespace tritonrl::gpu {

// This process's own context on a GPU. A thread makes it current before it works there.
class Context {
 public:
  explicit Context(int device);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  Context(Context&&) = delete;
  Context& operator=(Context&&) = delete;

  void make_current() const;
  // Returns once everything that was started in this context is done.
  void synchronize() const;

  int device() const { return device_; }
  int architecture() const { return architecture_; }          // 90 for compute capability 9.0
  std::size_t shared_bytes() const { return shared_bytes_; }  // that a block may have
  std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  const Driver& driver_;
  int device_;
  int architecture_ = 0;
  std::size_t shared_bytes_ = 0;
  std::size_t memory_bytes_ = 0;
  ContextHandle* handle_ = nullptr;
};

}  // namespace tritonrl::gpu
