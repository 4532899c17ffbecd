#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <variant>

#include "base/json.h"

namespace tritonrl::verify {

struct CompilerConfig {
  std::filesystem::path python;
  std::filesystem::path harness;  // the folder that holds tritonrl_harness
  int architecture = 90;
  std::uint64_t shared_bytes = 232448;  // that a block may have
  unsigned processes = 1;
  double patience_s = 120;  // for one kernel
};

struct CompiledKernel {
  std::string name;
  std::uint64_t registers = 0;
  std::uint64_t spill_bytes = 0;
  std::uint64_t shared_bytes = 0;
  base::Json head;    // all that compile_server.py says: how the kernel is launched
  std::string cubin;  // for the driver
};

// The kernel's fault, not the machine's: what the compiler says, or that it crashed or never ended.
struct CompileRefusal {
  std::string message;
  bool resources = false;  // it needs more than the device has; a tuner may try another configuration
};

using CompileResult = std::variant<CompiledKernel, CompileRefusal>;
using PendingCompile = std::shared_future<std::shared_ptr<const CompileResult>>;

// Makes machine code of Triton IR in processes of its own, which start with the first kernel and again when one dies.
// Each kernel is compiled once. All calls are safe from any thread; a machine's failure is a HostError of the future.
class Compiler {
 public:
  explicit Compiler(CompilerConfig config);
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;
  Compiler(Compiler&&) = delete;
  Compiler& operator=(Compiler&&) = delete;

  // `options`: those of the head of a guest's kernel.
  PendingCompile start(const std::string& ttir, const base::Json& options);
  // A kernel of the harness's own: module, name, signature and constants, as compile_own() takes them.
  PendingCompile start_own(const base::Json& what);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace tritonrl::verify
