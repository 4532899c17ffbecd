#include "channel.h"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tritonrl::guest {
namespace {

namespace wire = verify::wire;

constexpr std::size_t kMostEvents = std::size_t{1} << 16;  // bytes
constexpr int kChannelBroken = 111;

bool read_all(int descriptor, char* into, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = read(descriptor, into, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int descriptor, std::string_view head, std::string_view body) {
  while (!head.empty() || !body.empty()) {
    const std::array<iovec, 2> parts{iovec{const_cast<char*>(head.data()), head.size()},
                                     iovec{const_cast<char*>(body.data()), body.size()}};
    const ssize_t written = writev(descriptor, parts.data(), 2);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    const std::size_t of_head = std::min(head.size(), static_cast<std::size_t>(written));
    head.remove_prefix(of_head);
    body.remove_prefix(static_cast<std::size_t>(written) - of_head);
  }
  return true;
}

}  // namespace

bool Channel::open(int descriptor, wire::Hello& hello) {
  descriptor_ = descriptor;
  wire::FrameType type{};
  std::string payload;
  if (!receive(type, payload) || type != wire::FrameType::kHello || payload.size() != sizeof hello) return false;
  std::memcpy(&hello, payload.data(), sizeof hello);
  token_ = hello.token;
  return true;
}

void Channel::note(const wire::Event& event, std::string_view more) {
  const std::scoped_lock lock(mutex_);
  if (descriptor_ < 0) return;  // before the fork
  events_.append(reinterpret_cast<const char*>(&event), sizeof event);
  events_.append(more);
  if (events_.size() >= kMostEvents) flush();
}

std::string Channel::ask(wire::FrameType type, std::string_view payload) {
  const std::scoped_lock lock(mutex_);
  flush();
  send(type, payload);
  wire::FrameType answered{};
  std::string answer;
  if (!receive(answered, answer) || answered != wire::FrameType::kAnswer) _exit(kChannelBroken);
  return answer;
}

void Channel::reply(std::string_view json) {
  const std::scoped_lock lock(mutex_);
  flush();
  send(wire::FrameType::kReply, json);
}

bool Channel::next_command(std::string& json) {
  wire::FrameType type{};
  return receive(type, json) && type == wire::FrameType::kCommand;
}

void Channel::flush() {
  if (events_.empty()) return;
  send(wire::FrameType::kEvents, events_);
  events_.clear();
}

void Channel::send(wire::FrameType type, std::string_view payload) {
  const wire::FrameHeader header{.type = type, .bytes = payload.size(), .token = token_};
  if (!write_all(descriptor_, {reinterpret_cast<const char*>(&header), sizeof header}, payload)) _exit(kChannelBroken);
}

bool Channel::receive(wire::FrameType& type, std::string& payload) {
  wire::FrameHeader header;
  if (!read_all(descriptor_, reinterpret_cast<char*>(&header), sizeof header)) return false;
  type = header.type;
  if (type == wire::FrameType::kCommand) flags_ = header.flags;
  payload.resize(header.bytes);
  return read_all(descriptor_, payload.data(), payload.size());
}

}  // namespace tritonrl::guest
