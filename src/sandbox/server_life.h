#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/file.h"
#include "sandbox/guest_state.h"
#include "sandbox/packet.h"
#include "sandbox/server_process.h"

namespace tritonrl::sandbox {

// One life of the fork server's process, and the thread that starts it, speaks with it, drains its guests' output and
// keeps their time. The process dies with that thread.
struct ServerLife {
 public:
  explicit ServerLife(ForkServerConfig config);
  ~ServerLife();
  ServerLife(const ServerLife&) = delete;
  ServerLife& operator=(const ServerLife&) = delete;

  void wait_until_ready();
  bool is_dead() const;
  pid_t pid() const;
  std::shared_ptr<GuestState> spawn(const SpawnRequest& request);

 private:
  enum class Phase { kStarting, kReady, kDead };

  void live();
  void serve();
  void tend(GuestState& guest) const;
  void hear(Packet packet);
  void hear_of(GuestState& guest, Packet& packet);
  void hear_words();
  void die(const std::string& reason);
  int poll_ms();
  void wake();
  int filter_for(const Policy& policy);
  std::string last_words() const;

  const ForkServerConfig config_;
  base::UniqueFd wake_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Phase phase_ = Phase::kStarting;
  bool stop_ = false;
  std::string death_;  // why
  ServerProcess process_;
  std::map<std::uint64_t, std::shared_ptr<GuestState>> guests_;
  std::map<std::pair<bool, bool>, base::UniqueFd> filters_;
  std::uint64_t next_id_ = 1;
  std::deque<std::string> words_;  // the last lines of its standard error
  std::string unfinished_word_;

  std::thread thread_;
};

}  // namespace tritonrl::sandbox
