#include "sandbox/fork_server.h"

#include <mutex>
#include <utility>

#include "base/error.h"
#include "sandbox/server_life.h"

namespace tritonrl::sandbox {

Guest::Guest(std::shared_ptr<GuestState> state) : state_(std::move(state)) {}

Guest::~Guest() {
  if (state_) state_->kill_by_owner();
}

Guest& Guest::operator=(Guest&& other) noexcept {
  if (state_) state_->kill_by_owner();
  state_ = std::move(other.state_);
  return *this;
}

pid_t Guest::pid() const { return state_->pid; }

int Guest::pidfd() const { return state_->pidfd.get(); }

void Guest::kill() { state_->kill_by_owner(); }

bool Guest::ended() const {
  const std::lock_guard lock(state_->mutex);
  return state_->is_over();
}

Outcome Guest::wait() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [this] { return state_->is_over(); });
  if (state_->failure) std::rethrow_exception(state_->failure);
  return state_->outcome.value();
}

std::optional<Outcome> Guest::wait_until(Clock::time_point deadline) {
  {
    std::unique_lock lock(state_->mutex);
    if (!state_->changed.wait_until(lock, deadline, [this] { return state_->is_over(); })) return std::nullopt;
  }
  return wait();
}

struct ForkServer::Lives {
  ForkServerConfig config;
  mutable std::mutex mutex;
  std::shared_ptr<ServerLife> present;
};

ForkServer::ForkServer(ForkServerConfig config) : lives_(std::make_unique<Lives>()) {
  base::check(config.python.is_absolute(), "the fork server's interpreter must be an absolute path");
  lives_->config = std::move(config);
}

ForkServer::~ForkServer() = default;

// The server that lives; a new one when it does not.
std::shared_ptr<ServerLife> ForkServer::life() {
  std::shared_ptr<ServerLife> buried;  // joined outside the lock
  const std::lock_guard lock(lives_->mutex);
  if (!lives_->present || lives_->present->is_dead()) {
    buried = std::move(lives_->present);
    lives_->present = std::make_shared<ServerLife>(lives_->config);
  }
  return lives_->present;
}

void ForkServer::start() { life()->wait_until_ready(); }

Guest ForkServer::spawn(const SpawnRequest& request) {
  const std::shared_ptr<ServerLife> server = life();
  server->wait_until_ready();
  return Guest(server->spawn(request));
}

pid_t ForkServer::pid() const {
  const std::lock_guard lock(lives_->mutex);
  return lives_->present ? lives_->present->pid() : 0;
}

}  // namespace tritonrl::sandbox
