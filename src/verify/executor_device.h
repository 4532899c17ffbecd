#pragma once

#include "verify/arena.h"
#include "verify/compiler.h"
#include "verify/guest_device.h"

namespace tritonrl::verify {

// A guest's device where there is no GPU: the executor, over memory of this machine.
class ExecutorDevice final : public GuestDevice {
 public:
  ExecutorDevice(std::uint64_t arena_bytes, const ttir::DeviceProfile& profile, ttir::LaunchOptions options,
                 Compiler& compiler);

  int descriptor() const override { return arena_.descriptor(); }
  wire::Hello hello() const override { return {.arena_bytes = arena_.bytes()}; }
  std::byte* at(std::uint64_t address, std::uint64_t bytes) const override { return arena_.at(address, bytes); }
  TensorMemory& memory() override { return memory_; }

  std::int64_t first_undefined(std::uint64_t address, std::uint64_t bytes) override;
  std::string launch(std::string_view payload) override;
  std::string resources(std::string_view payload) override;
  void set_order(ttir::ProgramOrder order, std::uint64_t seed) override;

  std::optional<wire::MemoryRange> allocation(std::uint64_t address, std::uint64_t bytes) override;
  bool undefined(std::uint64_t address, std::uint64_t bytes) override;
  void mark_defined(std::uint64_t address, std::uint64_t bytes) override { space_.mark_defined(address, bytes); }

 protected:
  bool take_event(const wire::Event& event, std::string_view& more) override;
  std::string load(GuestKernel& kernel, std::uint64_t number) override;

 private:
  void keep(const GuestKernel& kernel, const ttir::LaunchReport& report, ttir::ProgramId grid);

  Arena arena_;
  HostMemory memory_;
  const ttir::DeviceProfile& profile_;
  ttir::LaunchOptions options_;
  ttir::AddressSpace space_;
  Compiler& compiler_;
  int asked_for_resources_ = 0;
};

}  // namespace tritonrl::verify
