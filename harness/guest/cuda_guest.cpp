#include "cuda_guest_api.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "call_timer.h"
#include "channel.h"
#include "cuda_arena.h"
#include "cuda_context.h"
#include "cuda_kernel.h"
#include "launch_request.h"
#include "verify/frame_bytes.h"
#include "verify/wire.h"

namespace guest = tritonrl::guest;
namespace wire = tritonrl::verify::wire;
using tritonrl::verify::bytes_of;

struct tritonrl_kernel {
  guest::CudaKernel code;
};

namespace {

guest::Channel g_channel;
guest::CudaContext g_context;
guest::CudaArena g_arena;
guest::CallTimer g_timer;
std::atomic<bool> g_side_streams = false;  // some launch was not on the default stream

char* owned_text(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

// Text for a JSON string: the driver's words have neither quotes nor control characters.
std::string error_json(const std::string& words, const char* kind) {
  return R"({"error": ")" + words + R"(", "kind": ")" + kind + R"("})";
}

std::uint64_t allocate(std::uint64_t bytes) {
  std::uint64_t address = g_arena.allocate(bytes);
  if (address == 0) {
    g_context.api().cuCtxSynchronize();
    g_arena.recycle();
    address = g_arena.allocate(bytes);
  }
  if (address != 0) g_channel.note({.kind = wire::EventKind::kAllocated, .address = address, .bytes = bytes});
  return address;
}

void release(std::uint64_t address) {
  if (g_arena.release(address)) g_channel.note({.kind = wire::EventKind::kFreed, .address = address});
}

bool flag(std::uint32_t which) { return (g_channel.flags() & which) != 0; }

// Where tensors lie decides some percent of what a short call takes, and differs from process to process. So every
// timed call has them elsewhere, and the median is one over places.
std::uint64_t next_shift() {
  static std::uint64_t calls = 0;
  constexpr std::uint64_t kPlaces = 61;
  constexpr std::uint64_t kStep = 136 << 10U;
  return calls++ * 23 % kPlaces * kStep;
}

}  // namespace

const char* tritonrl_guest_connect(int channel, int arena) {
  static std::string failed;
  wire::Hello hello;
  if (!g_channel.open(channel, hello)) return "the other side sent no hello";
  failed = g_context.open(arena, hello);
  if (!failed.empty()) return failed.c_str();
  g_arena.use(g_context.arena(), hello.arena_bytes);
  g_channel.note({.kind = wire::EventKind::kMapped, .address = g_context.arena()});
  return nullptr;
}

char* tritonrl_guest_next_command() {
  std::string command;
  if (!g_channel.next_command(command)) return nullptr;
  g_arena.recycle();
  if (flag(wire::kTimedFlag)) g_arena.shift(next_shift());
  return owned_text(command);
}

void tritonrl_guest_reply(const char* json, size_t bytes) {
  const auto status = g_context.api().cuCtxSynchronize();
  if (status == tritonrl::gpu::kSuccess) {
    g_channel.reply({json, bytes});
  } else {
    g_channel.reply(R"({"failure": {"kind": "fault", "type": "CUDA", "message": ")" +
                    g_context.api().error_text(status) + R"(", "line": 0}})");
  }
}

void tritonrl_guest_operated(const char* name, uint64_t bytes, uint64_t elements, double flops, int on_host,
                             int to_host) {
  const wire::OperatorEvent detail{.elements = elements,
                                   .flops = flops,
                                   .on_host = static_cast<uint32_t>(on_host),
                                   .to_host = static_cast<uint32_t>(to_host)};
  std::string more = bytes_of(detail);
  const std::size_t length = std::strlen(name);
  more.append(name, length).append((8 - length % 8) % 8, '\0');
  g_channel.note({.kind = wire::EventKind::kOperator, .address = length, .bytes = bytes}, more);
}

void* tritonrl_cuda_allocate(intptr_t bytes, int /*device*/, void* /*stream*/) {
  if (bytes == 0) return nullptr;
  const std::uint64_t address = allocate(static_cast<std::uint64_t>(bytes));
  if (address == 0) throw std::bad_alloc();  // torch turns it into an exception of Python's
  return reinterpret_cast<void*>(address);
}

void tritonrl_cuda_release(void* memory, intptr_t /*bytes*/, int /*device*/, void* /*stream*/) {
  release(reinterpret_cast<std::uint64_t>(memory));
}

int tritonrl_cuda_owns(uint64_t address) { return g_arena.holds(address) ? 1 : 0; }

tritonrl_kernel* tritonrl_kernel_load(const char* ttir, size_t bytes, char** error) {
  // Others may time something while this waits.
  g_context.api().cuCtxSynchronize();
  const std::string answer = g_channel.ask(wire::FrameType::kLoadKernel, {ttir, bytes});
  std::string_view rest = answer;
  wire::LoadAnswer head;
  std::string failed;
  if (!tritonrl::verify::take(rest, head) || head.kernel == 0) {
    failed = rest;
  } else {
    auto kernel = std::make_unique<tritonrl_kernel>();
    failed = kernel->code.load(g_context.api(), head.kernel, rest);
    if (failed.empty()) return kernel.release();  // as long as the process lives
    failed = error_json(failed, "compile");
  }
  if (error != nullptr) *error = owned_text(failed);
  return nullptr;
}

void tritonrl_cuda_resources(const tritonrl_kernel* kernel, uint32_t resources[3]) {
  const wire::CudaKernel& head = kernel->code.head();
  resources[0] = head.registers;
  resources[1] = head.spill_bytes;
  resources[2] = head.shared_bytes;
}

char* tritonrl_cuda_launch(const tritonrl_kernel* kernel, const uint32_t grid[3], void* stream,
                           const tritonrl_argument* arguments, size_t count) {
  const wire::LaunchEvent event{.grid = {grid[0], grid[1], grid[2]}};
  if (stream != nullptr) g_side_streams = true;
  g_channel.note({.kind = wire::EventKind::kLaunched,
                  .flag = stream != nullptr ? 1U : 0U,
                  .address = kernel->code.number(),
                  .bytes = 0},
                 bytes_of(event));
  if (flag(wire::kGhostFlag)) return nullptr;
  if (flag(wire::kReplayFlag)) {
    g_context.api().cuCtxSynchronize();
    g_channel.ask(wire::FrameType::kLaunch, guest::launch_request(kernel->code.number(), grid, {arguments, count}));
  }
  const std::uint64_t wanted = kernel->code.scratch_bytes(grid);
  const std::uint64_t scratch = wanted > 0 ? allocate(wanted) : 0;
  if (wanted > 0 && scratch == 0) return owned_text("out of memory");
  const std::string failed = kernel->code.launch(g_context.api(), grid, stream, {arguments, count}, scratch);
  if (scratch != 0) release(scratch);
  return failed.empty() ? nullptr : owned_text(failed);
}

void tritonrl_cuda_begin_call() {
  if (flag(wire::kTimedFlag)) g_timer.begin(g_context, g_side_streams);
}

void tritonrl_cuda_end_call() {
  if (!flag(wire::kTimedFlag)) return;
  if (const auto timed = g_timer.end(g_context)) g_channel.note({.kind = wire::EventKind::kTimed}, bytes_of(*timed));
}

void tritonrl_free_text(char* text) { std::free(text); }
