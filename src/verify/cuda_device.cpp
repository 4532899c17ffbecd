#include "verify/cuda_device.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "gpu/device_bytes.h"
#include "ttir/ir/parser.h"
#include "ttir/machine/lowering.h"
#include "ttir/unsupported.h"
#include "verify/frame_bytes.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::uint64_t kGuard = 512;  // that the guest leaves free on both sides of an allocation, at least

wire::ParameterKind kind_of(const std::string& type) {
  if (type == "ptr" || type.starts_with("i") || type.starts_with("u")) return wire::ParameterKind::kInteger;
  if (type == "f16") return wire::ParameterKind::kFloat16;
  if (type == "bf16") return wire::ParameterKind::kBfloat16;
  if (type == "f32") return wire::ParameterKind::kFloat32;
  if (type == "f64") return wire::ParameterKind::kFloat64;
  if (type == "tensordesc") return wire::ParameterKind::kTensorMap;
  if (type == "scratch") return wire::ParameterKind::kScratch;
  if (type == "profile") return wire::ParameterKind::kNothing;
  throw ttir::UnsupportedError("a kernel takes a " + type + ", which cannot be passed on a GPU yet");
}

wire::TensorMap tensor_map(const Json& given) {
  wire::TensorMap map{.element_type = given.at("element_type").get<std::uint32_t>(),
                      .element_bytes = given.at("element_bytes").get<std::uint32_t>(),
                      .swizzle = given.at("swizzle").get<std::uint32_t>(),
                      .rank = static_cast<std::uint32_t>(given.at("block").size()),
                      .two_per_byte = given.at("two_per_byte").get<bool>() ? 1U : 0U};
  if (map.rank > map.block.size()) throw ttir::UnsupportedError("a tensor descriptor of more than five dimensions");
  for (std::size_t n = 0; n < map.rank; ++n) map.block[n] = given.at("block").at(n).get<std::uint32_t>();
  return map;
}

std::string machine_code(const CompiledKernel& compiled, std::uint64_t number) {
  const Json& head = compiled.head;
  const Json& parameters = head.at("parameters");
  std::string answer = bytes_of(wire::LoadAnswer{.kernel = number});
  answer += bytes_of(wire::CudaKernel{.threads = 32 * head.at("num_warps").get<std::uint32_t>(),
                                      .shared_bytes = static_cast<std::uint32_t>(compiled.shared_bytes),
                                      .clusters = head.at("num_ctas").get<std::uint32_t>(),
                                      .cooperative = head.at("cooperative").get<bool>() ? 1U : 0U,
                                      .scratch_bytes = head.at("scratch_bytes").get<std::uint64_t>(),
                                      .registers = static_cast<std::uint32_t>(compiled.registers),
                                      .spill_bytes = static_cast<std::uint32_t>(compiled.spill_bytes),
                                      .parameters = static_cast<std::uint32_t>(parameters.size()),
                                      .name_bytes = static_cast<std::uint32_t>(compiled.name.size()),
                                      .cubin_bytes = compiled.cubin.size()});
  for (const Json& parameter : parameters) {
    answer += bytes_of(wire::CudaParameter{.kind = kind_of(parameter.at(0).get<std::string>()),
                                           .bytes = parameter.at(1).get<std::uint32_t>()});
  }
  for (const Json& given : head.at("tensor_maps")) answer += bytes_of(tensor_map(given));
  return answer + compiled.name + compiled.cubin;
}

}  // namespace

CudaDevice::CudaDevice(CudaArenas& arenas, CudaMemory& memory, Compiler& compiler, bool guarded)
    : arenas_(arenas), arena_(arenas.take()), memory_(memory), compiler_(compiler), guarded_(guarded) {}

CudaDevice::~CudaDevice() {
  if (arena_) let_go([] {});  // no guest ever had it
}

void CudaDevice::let_go(const std::function<void()>& wait_for_guest) {
  arenas_.give_back(std::move(arena_), wait_for_guest);
}

std::byte* CudaDevice::at(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t offset = address - base_;
  if (base_ == 0 || address < base_ || offset > arena_->bytes || bytes > arena_->bytes - offset) return nullptr;
  return gpu::as_pointer(arena_->memory.address() + offset);
}

bool CudaDevice::take_event(const wire::Event& event, std::string_view& more) {
  switch (event.kind) {
    case wire::EventKind::kMapped:
      if (base_ != 0) return false;
      base_ = event.address;
      return true;
    case wire::EventKind::kAllocated:
      return allocated(event.address, event.bytes);
    case wire::EventKind::kFreed: {
      const auto found = live_.find(event.address);
      if (found == live_.end()) return false;
      freed_.push_back({.address = found->first, .bytes = found->second});
      live_.erase(found);
      return true;
    }
    case wire::EventKind::kLaunched: {
      wire::LaunchEvent detail;
      const GuestKernel* const launched = kernel(event.address);
      if (!take(more, detail) || launched == nullptr) return false;
      add_launch({.kernel = launched,
                  .grid = {detail.grid[0], detail.grid[1], detail.grid[2]},
                  .cost = {},
                  .unique_bytes = 0});
      return true;
    }
    case wire::EventKind::kTimed: {
      wire::TimedEvent timed;
      if (!take(more, timed)) return false;
      trace().timed = timed;
      return true;
    }
    default:
      return false;
  }
}

bool CudaDevice::allocated(std::uint64_t address, std::uint64_t bytes) {
  if (at(address, bytes) == nullptr) return false;
  const auto next = live_.lower_bound(address);
  if (next != live_.end() && next->first < address + bytes) return false;
  if (next != live_.begin() && std::prev(next)->first + std::prev(next)->second > address) return false;
  reused_ = reused_ || std::ranges::any_of(freed_, [&](const auto& range) {
              return address < range.address + range.bytes && range.address < address + bytes;
            });
  live_.emplace(address, bytes);
  arena_->dirty = std::max(arena_->dirty, address + bytes + kGuard - base_);
  return true;
}

std::optional<wire::MemoryRange> CudaDevice::allocation(std::uint64_t address, std::uint64_t bytes) {
  const auto after = live_.upper_bound(address);
  if (after == live_.begin()) return std::nullopt;
  const auto& [begin, size] = *std::prev(after);
  if (address - begin >= std::max<std::uint64_t>(size, 1) || bytes > size - (address - begin)) return std::nullopt;
  return wire::MemoryRange{.address = begin, .bytes = size};
}

bool CudaDevice::undefined(std::uint64_t address, std::uint64_t bytes) {
  const std::byte* const begin = at(address, bytes);
  return begin != nullptr && memory_.holds_word(begin, bytes, arena_->pattern);
}

std::string CudaDevice::load(GuestKernel& kernel, std::uint64_t number) {
  try {
    kernel.code = ttir::lower(ttir::parse_module(kernel.text));  // for its parameters; the GPU runs what Triton takes
  } catch (const ttir::UnsupportedError&) {
  } catch (const base::InputError&) {
  }
  const auto compiling = compiler_.start(kernel.text, Json::parse(kernel.options));
  const auto result = without_gpu([&] { return compiling.get(); });
  if (const auto* refusal = std::get_if<CompileRefusal>(result.get())) {
    return bytes_of(wire::LoadAnswer{}) +
           base::json_line(Json{{"error", refusal->message}, {"kind", refusal->resources ? "resources" : "compile"}});
  }
  return machine_code(std::get<CompiledKernel>(*result), number);
}

// The guest shows a launch before it runs it, and waits.
std::string CudaDevice::launch(std::string_view payload) {
  const auto request = parse_launch_request(payload);
  if (!request || base_ == 0) return {};
  const GuestKernel* const asked = kernel(request->kernel);
  if (asked == nullptr) return {};
  std::string why_not;
  const auto copy = [this](std::byte* to, std::uint64_t address, std::uint64_t bytes) {
    gpu::copy_to_host(to, gpu::as_address(at(address, bytes)), bytes);
  };
  const Replay::Memory memory{.allocations = live_, .copy = copy, .pattern = arena_->pattern};
  if (auto copies = replay_.copy(*asked, *request, memory, why_not)) {
    auto found = without_gpu([&] { return Replay::run(*asked, *request, *copies, why_not); });
    for (auto& finding : found) add_finding(std::move(finding));
  }
  if (why_not.empty()) {
    ++trace().replayed;
  } else {
    trace().not_replayed = why_not;
  }
  return base::json_line(Json::object());
}

void CudaDevice::before_command() {
  replay_ = {};
  if (guarded_) {
    for (const auto& range : freed_) {
      gpu::fill(gpu::as_address(at(range.address, range.bytes)), range.bytes, arena_->pattern);
    }
  }
  freed_.clear();
  reused_ = false;
}

std::vector<CudaMemory::Range> CudaDevice::guards() const {
  std::vector<CudaMemory::Range> ranges;
  const auto add = [&](std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t end = address + bytes;
    if (const auto* before = at(address - kGuard, kGuard)) ranges.push_back({.begin = before, .bytes = kGuard});
    const std::uint64_t rest = (end + kGuard - 1) / kGuard * kGuard + kGuard - end;
    if (const auto* after = at(end, rest)) ranges.push_back({.begin = after, .bytes = rest});
  };
  for (const auto& [address, bytes] : live_) add(address, bytes);
  for (const auto& range : freed_) add(range.address, range.bytes);
  return ranges;
}

void CudaDevice::after_command() {
  if (!guarded_ || reused_) return;
  const auto ranges = guards();
  const auto broken = memory_.first_broken(ranges, arena_->pattern);
  if (!broken) return;
  add_finding({.rule = "out-of-bounds",
               .error = true,
               .line = 0,
               .column = 0,
               .kernel = {},
               .message = fmt::format("memory {} a tensor was written",
                                      broken->first % 2 == 0 ? "in front of" : "behind the end of")});
  for (const auto& each : ranges) {
    gpu::fill(gpu::as_address(each.begin), each.bytes, arena_->pattern);
  }
}

}  // namespace tritonrl::verify
