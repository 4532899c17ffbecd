#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"

namespace tritonrl::sandbox {

// One message on the fork server's control socket: JSON, and descriptors beside it.
struct Packet {
  base::Json body;
  std::vector<base::UniqueFd> descriptors;
};

// False when the other side is gone.
bool send_packet(int socket, const base::Json& body, const std::vector<int>& descriptors);

// The next message without waiting for it; `gone` is set when the other side is.
std::optional<Packet> receive_packet(int socket, bool& gone);

}  // namespace tritonrl::sandbox
