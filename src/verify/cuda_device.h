#pragma once

#include <map>
#include <memory>
#include <vector>

#include "verify/compiler.h"
#include "verify/cuda_arena.h"
#include "verify/cuda_memory.h"
#include "verify/guest_device.h"
#include "verify/replay.h"

namespace tritonrl::verify {

// A guest's device where there is a GPU: the guest launches its kernels itself, from machine code that the trusted
// compiler made; memory around and between its tensors is watched from here.
class CudaDevice final : public GuestDevice {
 public:
  // `guarded`: what is free holds the arena's pattern before every command, and is looked at after it.
  CudaDevice(CudaArenas& arenas, CudaMemory& memory, Compiler& compiler, bool guarded);
  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  CudaDevice(CudaDevice&&) = delete;
  CudaDevice& operator=(CudaDevice&&) = delete;

  int descriptor() const override { return arena_->memory.descriptor(); }
  wire::Hello hello() const override { return {.arena_bytes = arena_->bytes, .flush_bytes = arena_->flush_bytes}; }
  std::byte* at(std::uint64_t address, std::uint64_t bytes) const override;
  TensorMemory& memory() override { return memory_; }
  std::string before_confinement() const override {
    return guarded_ ? "tritonrl_harness.cuda_guest:prepare_candidate" : "tritonrl_harness.cuda_guest:prepare_reference";
  }

  // Nothing is known of what a kernel reads here.
  std::int64_t first_undefined(std::uint64_t /*address*/, std::uint64_t /*bytes*/) override { return -1; }
  std::string launch(std::string_view payload) override;
  void let_go(const std::function<void()>& wait_for_guest) override;
  void set_share(gpu::Gate::Share* share) override { share_ = share; }
  void before_command() override;
  void after_command() override;

  std::optional<wire::MemoryRange> allocation(std::uint64_t address, std::uint64_t bytes) override;
  bool undefined(std::uint64_t address, std::uint64_t bytes) override;
  void mark_defined(std::uint64_t /*address*/, std::uint64_t /*bytes*/) override {}

 protected:
  bool take_event(const wire::Event& event, std::string_view& more) override;
  std::string load(GuestKernel& kernel, std::uint64_t number) override;

 private:
  // For what needs no GPU: others may time something meanwhile.
  template <typename Wait>
  auto without_gpu(const Wait& wait) {
    return share_ != nullptr ? share_->without(wait) : wait();
  }
  bool allocated(std::uint64_t address, std::uint64_t bytes);
  std::vector<CudaMemory::Range> guards() const;

  CudaArenas& arenas_;
  std::shared_ptr<CudaArena> arena_;
  CudaMemory& memory_;
  Compiler& compiler_;
  bool guarded_;
  gpu::Gate::Share* share_ = nullptr;
  std::uint64_t base_ = 0;  // of the arena, in the guest
  std::map<std::uint64_t, std::uint64_t> live_;
  std::vector<wire::MemoryRange> freed_;  // since the last command began
  bool reused_ = false;                   // memory that was freed in this command
  Replay replay_;                         // of this command's launches
};

}  // namespace tritonrl::verify
