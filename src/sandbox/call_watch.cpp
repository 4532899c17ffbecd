#include "sandbox/call_watch.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/error.h"
#include "sandbox/packet.h"
#include "sandbox/seccomp_filter.h"

namespace tritonrl::sandbox {

CallWatch::CallWatch() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw base::HostError::from_errno("make a socket pair", errno);
  ours_.reset(ends[0]);
  guest_.reset(ends[1]);
}

std::optional<std::string> CallWatch::look() {
  if (!listener_) {
    if (!ours_) return std::nullopt;
    bool gone = false;
    std::optional<Packet> packet = receive_packet(ours_.get(), gone);
    if (gone) ours_.reset();  // the guest has no filter; a closed socket would wake every poll
    if (!packet || packet->descriptors.empty()) return std::nullopt;
    listener_ = std::move(packet->descriptors.front());
  }
  pollfd waiting = {.fd = listener_.get(), .events = POLLIN, .revents = 0};
  if (poll(&waiting, 1, 0) <= 0) return std::nullopt;
  if ((waiting.revents & POLLIN) == 0) {
    listener_.reset();  // the guest is gone
    ours_.reset();
    return std::nullopt;
  }
  seccomp_notif call = {};
  if (ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &call) != 0) return std::nullopt;  // it died in the call
  std::array<std::uint64_t, 6> arguments{};
  for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i] = call.data.args[i];
  return describe_call(call.data.nr, arguments);
}

}  // namespace tritonrl::sandbox
