#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/json.h"
#include "verify/deadline.h"
#include "verify/guest_device.h"
#include "verify/wire.h"

namespace tritonrl::verify {

// Why a guest gave no reply.
enum class Silence : std::uint8_t {
  kEnded,     // its end of the socket is closed: the process's outcome says more
  kTimedOut,  // the deadline passed
  kForged,    // a frame without the token, or one that makes no sense
  kUnasked,   // it went on working after it had replied
};

// The trusted end of a guest's socket. While a command runs, the guest's launches run here, on its device.
class GuestChannel {
 public:
  // `socket` is our end; the guest's hello is sent at once. The device must outlive the channel.
  GuestChannel(base::UniqueFd socket, GuestDevice& device);

  struct Reply {
    std::optional<base::Json> json;  // nothing: see `silence`
    Silence silence = Silence::kEnded;
  };
  Reply command(const base::Json& command, Deadline& deadline);

  // Seconds of the last command that went to launches here: our time, not the guest's.
  double executor_seconds() const { return executor_seconds_; }

 private:
  bool send(wire::FrameType type, std::string_view payload, std::uint32_t flags = 0);
  bool serve(wire::FrameType type, std::string_view payload);

  base::UniqueFd socket_;
  GuestDevice& device_;
  wire::Token token_{};
  double executor_seconds_ = 0;
};

}  // namespace tritonrl::verify
