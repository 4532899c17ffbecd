#ifndef TRITONRL_HARNESS_CHANNEL_H
#define TRITONRL_HARNESS_CHANNEL_H

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "verify/wire.h"

namespace tritonrl::guest {

// The guest's end of the socket. Events are gathered and sent before anything that the other side acts on. Any thread
// may ask; a channel that breaks ends the process, since nobody is left to work for.
class Channel {
 public:
  // Reads the hello. False when there is none.
  bool open(int descriptor, verify::wire::Hello& hello);

  void note(const verify::wire::Event& event, std::string_view more = {});
  // Sends and waits for the answer.
  std::string ask(verify::wire::FrameType type, std::string_view payload);
  void reply(std::string_view json);
  // False when the other side has gone.
  bool next_command(std::string& json);
  // Of the command that came last (wire.h).
  std::uint32_t flags() const { return flags_; }

 private:
  void flush();
  void send(verify::wire::FrameType type, std::string_view payload);
  bool receive(verify::wire::FrameType& type, std::string& payload);

  std::mutex mutex_;
  int descriptor_ = -1;
  verify::wire::Token token_{};
  std::string events_;
  std::uint32_t flags_ = 0;
};

}  // namespace tritonrl::guest

#endif
