#include "verify/guest_channel.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

constexpr std::uint64_t kMostFrameBytes = std::uint64_t{64} << 20;

enum class Read : std::uint8_t { kWhole, kEnded, kTimedOut };

Read read_all(int fd, char* into, std::size_t bytes, const Deadline& deadline) {
  while (bytes > 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left()).count();
    if (left <= 0) return Read::kTimedOut;
    pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<long>(left, 1'000'000)));
    if (ready < 0 && errno != EINTR) throw base::HostError::from_errno("wait for a guest", errno);
    if (ready <= 0) continue;
    const ssize_t got = recv(fd, into, bytes, 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return Read::kEnded;
    into += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return Read::kWhole;
}

// Whether bytes wait to be read. The end of a guest is none: that is found when it is written to.
bool readable_now(int fd) {
  char byte = 0;
  return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

}  // namespace

GuestChannel::GuestChannel(base::UniqueFd socket, GuestDevice& device) : socket_(std::move(socket)), device_(device) {
  if (getrandom(token_.data(), token_.size(), 0) != static_cast<ssize_t>(token_.size())) {
    throw base::HostError::from_errno("draw a token", errno);
  }
  wire::Hello hello = device_.hello();
  hello.token = token_;
  send(wire::FrameType::kHello, {reinterpret_cast<const char*>(&hello), sizeof hello});
}

bool GuestChannel::send(wire::FrameType type, std::string_view payload, std::uint32_t flags) {
  const wire::FrameHeader header{.type = type, .flags = flags, .bytes = payload.size(), .token = {}};
  std::string_view head(reinterpret_cast<const char*>(&header), sizeof header);
  while (!head.empty() || !payload.empty()) {
    std::array<iovec, 2> parts{iovec{const_cast<char*>(head.data()), head.size()},
                               iovec{const_cast<char*>(payload.data()), payload.size()}};
    const msghdr message{.msg_name = nullptr,
                         .msg_namelen = 0,
                         .msg_iov = parts.data(),
                         .msg_iovlen = parts.size(),
                         .msg_control = nullptr,
                         .msg_controllen = 0,
                         .msg_flags = 0};
    const ssize_t sent = sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    const std::size_t of_head = std::min(head.size(), static_cast<std::size_t>(sent));
    head.remove_prefix(of_head);
    payload.remove_prefix(static_cast<std::size_t>(sent) - of_head);
  }
  return true;
}

GuestChannel::Reply GuestChannel::command(const Json& command, Deadline& deadline) {
  executor_seconds_ = 0;
  if (readable_now(socket_.get())) return {.json = {}, .silence = Silence::kUnasked};
  device_.before_command();
  if (!send(wire::FrameType::kCommand, base::json_line(command), device_.command_flags())) return {};
  std::string payload;
  while (true) {
    wire::FrameHeader header;
    auto read = read_all(socket_.get(), reinterpret_cast<char*>(&header), sizeof header, deadline);
    if (read == Read::kWhole) {
      if (header.token != token_ || header.bytes > kMostFrameBytes) return {.json = {}, .silence = Silence::kForged};
      payload.resize(header.bytes);
      read = read_all(socket_.get(), payload.data(), payload.size(), deadline);
    }
    if (read == Read::kTimedOut) return {.json = {}, .silence = Silence::kTimedOut};
    if (read == Read::kEnded) return {};
    if (header.type == wire::FrameType::kReply) {
      Json reply = Json::parse(payload, nullptr, false);
      if (!reply.is_object()) return {.json = {}, .silence = Silence::kForged};
      device_.after_command();
      return {.json = std::move(reply)};
    }
    const auto began = Clock::now();
    if (!serve(header.type, payload)) return {.json = {}, .silence = Silence::kForged};
    // What runs here is bounded by the step budget, which does not depend on how busy the machine is.
    const auto took = Clock::now() - began;
    deadline.extend(took);
    executor_seconds_ += std::chrono::duration<double>(took).count();
  }
}

bool GuestChannel::serve(wire::FrameType type, std::string_view payload) {
  std::string answer;
  switch (type) {
    case wire::FrameType::kEvents:
      return device_.take_events(payload);
    case wire::FrameType::kFirstUndefined: {
      wire::MemoryRange range;
      if (payload.size() != sizeof range) return false;
      std::memcpy(&range, payload.data(), sizeof range);
      const std::int64_t offset = device_.first_undefined(range.address, range.bytes);
      answer.assign(reinterpret_cast<const char*>(&offset), sizeof offset);
      break;
    }
    case wire::FrameType::kLoadKernel:
      answer = device_.load_kernel(payload);
      break;
    case wire::FrameType::kLaunch:
      answer = device_.launch(payload);
      break;
    case wire::FrameType::kResources:
      answer = device_.resources(payload);
      break;
    default:
      return false;
  }
  if (answer.empty()) return false;
  send(wire::FrameType::kAnswer, answer);  // a guest that has gone is noticed at the next read
  return true;
}

}  // namespace tritonrl::verify
