#include "guest_api.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "arena.h"
#include "channel.h"
#include "launch_request.h"
#include "ttir/c_api.h"
#include "verify/wire.h"

namespace wire = tritonrl::verify::wire;

// One device a process; the kernels are numbers of the other side's.
struct tritonrl_device {};

namespace {

tritonrl::guest::Channel g_channel;
tritonrl::guest::Arena g_arena;
tritonrl_device g_device;

template <typename T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

char* owned_text(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

void note(wire::EventKind kind, uint64_t address, uint64_t bytes, uint32_t flag = 0) {
  g_channel.note({.kind = kind, .flag = flag, .address = address, .bytes = bytes});
}

}  // namespace

const char* tritonrl_guest_connect(int channel, int arena) {
  wire::Hello hello;
  if (!g_channel.open(channel, hello)) return "the other side sent no hello";
  if (!g_arena.map(arena, hello.arena_bytes)) return "the arena cannot be mapped at its place";
  return nullptr;
}

char* tritonrl_guest_next_command() {
  std::string command;
  return g_channel.next_command(command) ? owned_text(command) : nullptr;
}

void tritonrl_guest_reply(const char* json, size_t bytes) { g_channel.reply({json, bytes}); }

void* tritonrl_guest_reserve(uint64_t bytes, uint64_t alignment) { return g_arena.reserve(bytes, alignment); }
void tritonrl_guest_release(void* memory) { g_arena.release(memory); }

void tritonrl_guest_operated(const char* name, uint64_t bytes, uint64_t elements, double flops, int on_host,
                             int to_host) {
  const wire::OperatorEvent detail{.elements = elements,
                                   .flops = flops,
                                   .on_host = static_cast<uint32_t>(on_host),
                                   .to_host = static_cast<uint32_t>(to_host)};
  std::string more(bytes_of(detail));
  const std::size_t length = std::strlen(name);
  more.append(name, length).append((8 - length % 8) % 8, '\0');
  g_channel.note({.kind = wire::EventKind::kOperator, .address = length, .bytes = bytes}, more);
}

tritonrl_device* tritonrl_device_create(const char* /*options*/, char** /*error*/) { return &g_device; }
void tritonrl_device_destroy(tritonrl_device* /*device*/) {}

void tritonrl_device_allocated(tritonrl_device* /*device*/, uint64_t address, uint64_t bytes, int defined,
                               const char* /*name*/) {
  note(wire::EventKind::kAllocated, address, bytes, defined != 0 ? 1 : 0);
}

void tritonrl_device_freed(tritonrl_device* /*device*/, uint64_t address) { note(wire::EventKind::kFreed, address, 0); }

void tritonrl_device_written(tritonrl_device* /*device*/, uint64_t address, uint64_t bytes) {
  note(wire::EventKind::kWritten, address, bytes);
}

int64_t tritonrl_device_first_undefined(tritonrl_device* /*device*/, uint64_t address, uint64_t bytes) {
  const wire::MemoryRange range{.address = address, .bytes = bytes};
  const std::string answer = g_channel.ask(wire::FrameType::kFirstUndefined, bytes_of(range));
  int64_t offset = -1;
  if (answer.size() == sizeof offset) std::memcpy(&offset, answer.data(), sizeof offset);
  return offset;
}

tritonrl_kernel* tritonrl_kernel_load(const char* ttir, size_t bytes, char** error) {
  const std::string answer = g_channel.ask(wire::FrameType::kLoadKernel, {ttir, bytes});
  wire::LoadAnswer head;
  std::memcpy(&head, answer.data(), std::min(sizeof head, answer.size()));
  if (head.kernel == 0 && error != nullptr) {
    *error = owned_text(std::string_view(answer).substr(std::min(sizeof head, answer.size())));
  }
  return reinterpret_cast<tritonrl_kernel*>(head.kernel);
}

void tritonrl_guest_resources(const tritonrl_kernel* kernel, uint32_t resources[3]) {
  const auto number = reinterpret_cast<uint64_t>(kernel);
  const std::string answer = g_channel.ask(wire::FrameType::kResources, bytes_of(number));
  wire::KernelResources found;
  std::memcpy(&found, answer.data(), std::min(sizeof found, answer.size()));
  resources[0] = found.registers;
  resources[1] = found.spill_bytes;
  resources[2] = found.shared_bytes;
}

void tritonrl_kernel_destroy(tritonrl_kernel* /*kernel*/) {}  // the other side frees them with the process

char* tritonrl_launch(tritonrl_device* /*device*/, const tritonrl_kernel* kernel, const uint32_t grid[3],
                      const tritonrl_argument* arguments, size_t count) {
  const std::string request =
      tritonrl::guest::launch_request(reinterpret_cast<uint64_t>(kernel), grid, {arguments, count});
  return owned_text(g_channel.ask(wire::FrameType::kLaunch, request));
}

void tritonrl_free_text(char* text) { std::free(text); }
