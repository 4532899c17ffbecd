#include "sandbox/packet.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace tritonrl::sandbox {
namespace {

constexpr std::size_t kMostDescriptors = 64;
constexpr std::size_t kMostBytes = 1 << 16;

}  // namespace

bool send_packet(int socket, const base::Json& body, const std::vector<int>& descriptors) {
  base::check(descriptors.size() <= kMostDescriptors, "too many descriptors for one message");
  std::string text = base::json_line(body);
  base::check(text.size() <= kMostBytes, "a message to the fork server is too long");
  iovec part = {.iov_base = text.data(), .iov_len = text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> space{};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    const std::size_t bytes = descriptors.size() * sizeof(int);
    message.msg_control = space.data();
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(header), descriptors.data(), bytes);
  }
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0) return true;
  if (errno == EPIPE || errno == ECONNRESET) return false;
  throw base::HostError::from_errno("write to the fork server", errno);
}

std::optional<Packet> receive_packet(int socket, bool& gone) {
  std::string text(kMostBytes, '\0');
  iovec part = {.iov_base = text.data(), .iov_len = text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))> space{};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t got = -1;
  do {
    got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && errno == EAGAIN) return std::nullopt;
  if (got <= 0) {
    gone = true;
    return std::nullopt;
  }
  Packet packet;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      packet.descriptors.emplace_back(fd);
    }
  }
  packet.body = base::parse_json(std::string_view(text.data(), static_cast<std::size_t>(got)), {.file = "fork server"});
  return packet;
}

}  // namespace tritonrl::sandbox
