#pragma once

#include <array>
#include <cstdint>

// What a guest process and the trusted side say to each other: frames over an inherited socket, little-endian, plain
// structs. The guest's half is harness/guest, in native memory; the other is guest_channel.cpp.
namespace tritonrl::verify::wire {

// Where a guest maps the arena that the trusted side owns. Pointers of its tensors and kernels lie there.
inline constexpr std::uint64_t kArenaBase = 0x2000'0000'0000;

// Every frame of a guest carries the token of its hello. It is held in native memory and never sent to the guest's
// Python: whoever writes to the socket without it is not the harness.
using Token = std::array<std::uint8_t, 16>;

enum class FrameType : std::uint32_t {
  // To the trusted side. All but kReply are sent from inside a command.
  kEvents = 1,          // Event records; no answer
  kFirstUndefined = 2,  // MemoryRange -> int64_t
  kLoadKernel = 3,      // a line of JSON, then Triton IR -> LoadAnswer and, where it failed, why
  kLaunch = 4,          // LaunchRequest, LaunchArgument..., their names -> JSON
  kReply = 5,           // JSON: what became of the command
  kResources = 6,       // uint64_t: a kernel -> KernelResources; where kernels run on the trusted side
  // To the guest.
  kHello = 101,  // Hello, once
  kCommand = 102,
  kAnswer = 103,
};

// How a command is to run. Read in native memory only: nothing in the guest's Python tells one call from another.
inline constexpr std::uint32_t kGhostFlag = 1;   // launches do nothing
inline constexpr std::uint32_t kTimedFlag = 2;   // the cache is flushed first, and the call timed
inline constexpr std::uint32_t kReplayFlag = 4;  // on a GPU: each launch is shown to the trusted side before it runs

struct FrameHeader {
  FrameType type{};
  std::uint32_t flags = 0;  // of commands
  std::uint64_t bytes = 0;  // that follow
  Token token{};            // of frames to the trusted side
};

struct Hello {
  Token token{};
  std::uint64_t arena_bytes = 0;
  std::uint64_t flush_bytes = 0;  // behind them: a GPU's memory to flush its cache with
};

// The last three come from a GPU's guest.
enum class EventKind : std::uint32_t {
  kAllocated = 1,
  kFreed = 2,
  kWritten = 3,
  kOperator = 4,
  kMapped = 5,    // address: where the arena lies in the guest; once, first
  kLaunched = 6,  // address: the kernel; flag: not on the default stream; a LaunchEvent follows
  kTimed = 7,     // a TimedEvent follows
};

struct Event {
  EventKind kind{};
  std::uint32_t flag = 0;     // allocated: its bytes count as written
  std::uint64_t address = 0;  // operators: bytes of the name that follows the record, padded to 8
  std::uint64_t bytes = 0;    // operators: read and written on the device
};

// Follows the Event of an operator, before its name.
struct OperatorEvent {
  std::uint64_t elements = 0;  // of the largest tensor among arguments and results
  double flops = 0;            // of products; 0 for all else
  std::uint32_t on_host = 0;   // it took or made tensors of the CPU
  std::uint32_t to_host = 0;   // it copied from the device to the CPU
};

struct LaunchEvent {
  std::array<std::uint32_t, 3> grid{};
  std::uint32_t reserved = 0;
};

struct TimedEvent {
  double call_us = 0;  // between events on the default stream
  double tail_us = 0;  // that the rest of the device went on after it
};

struct MemoryRange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

struct LoadAnswer {
  std::uint64_t kernel = 0;  // 0: the text says why not
};

// Of a compiled kernel.
struct KernelResources {
  std::uint32_t registers = 0;  // of a thread
  std::uint32_t spill_bytes = 0;
  std::uint32_t shared_bytes = 0;
};

// Follows a LoadAnswer where kernels run in the guest, on a GPU; behind it the parameters, a TensorMap for each that is
// one, the name and the cubin.
struct CudaKernel {
  std::uint32_t threads = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t clusters = 1;  // blocks of one
  std::uint32_t cooperative = 0;
  std::uint64_t scratch_bytes = 0;  // of one block
  std::uint32_t registers = 0;
  std::uint32_t spill_bytes = 0;
  std::uint32_t parameters = 0;
  std::uint32_t name_bytes = 0;
  std::uint64_t cubin_bytes = 0;
};

enum class ParameterKind : std::uint32_t {
  kInteger = 0,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
  kTensorMap,
  kScratch,
  kNothing,
};

struct CudaParameter {
  ParameterKind kind{};
  std::uint32_t bytes = 0;
};

// How the machine code wants a tensor descriptor: arguments of cuTensorMapEncodeTiled.
struct TensorMap {
  std::uint32_t element_type = 0;
  std::uint32_t element_bytes = 0;
  std::uint32_t swizzle = 0;
  std::uint32_t rank = 0;
  std::array<std::uint32_t, 5> block{};  // outermost dimension first
  std::uint32_t two_per_byte = 0;        // elements of four bits
};

struct LaunchRequest {
  std::uint64_t kernel = 0;
  std::array<std::uint32_t, 3> grid{};
  std::uint32_t arguments = 0;
};

struct LaunchArgument {
  std::int32_t kind = 0;
  std::int32_t rank = 0;
  std::int64_t integer = 0;
  double real = 0;
  std::uint64_t extent_begin = 0;
  std::uint64_t extent_end = 0;
  std::array<std::int64_t, 5> shape{};
  std::array<std::int64_t, 5> strides{};
  std::int32_t nan_padding = 0;
  std::uint32_t name_bytes = 0;  // in the names behind the arguments, one after the other
};

}  // namespace tritonrl::verify::wire
