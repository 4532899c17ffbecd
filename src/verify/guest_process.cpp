#include "verify/guest_process.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"

namespace tritonrl::verify {
namespace {

using base::Json;

std::atomic<std::uint64_t> processes_started = 0;

std::array<base::UniqueFd, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw base::HostError::from_errno("make a socket for a guest", errno);
  }
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

// The rule for an exception that the harness reported.
std::string rule_for(std::string_view kind, std::string_view phase_rule) {
  if (kind == "compile") return "compile-error";
  if (kind == "memory") return "memory-limit";
  if (kind == "disk") return "disk-limit";
  if (kind == "fault") return "out-of-bounds";
  if (kind == "exit") return "early-exit";
  if (kind == "unspeakable") return "wrong-structure";
  return std::string(phase_rule);
}

std::string rule_for(sandbox::Limit limit) {
  switch (limit) {
    case sandbox::Limit::kWall:
    case sandbox::Limit::kCpu:
      return "time-limit";
    case sandbox::Limit::kMemory:
      return "memory-limit";
    case sandbox::Limit::kProcesses:
      return "process-limit";
    case sandbox::Limit::kDisk:
    case sandbox::Limit::kFileBytes:
      return "disk-limit";
    case sandbox::Limit::kOutput:
      return "output-limit";
  }
  return "crash";
}

std::string rule_for(const sandbox::Ending& ending) {
  if (const auto* limit = std::get_if<sandbox::LimitReached>(&ending)) return rule_for(limit->limit);
  if (std::holds_alternative<sandbox::ForbiddenCall>(ending)) return "forbidden-call";
  if (std::holds_alternative<sandbox::Signalled>(ending)) return "crash";
  return "early-exit";
}

}  // namespace

GuestProcess::GuestProcess(sandbox::ForkServer& server, const GuestConfig& config, std::unique_ptr<GuestDevice> device)
    : number_(++processes_started),
      device_(std::move(device)),
      command_seconds_(config.command_seconds),
      total_seconds_(config.total_seconds) {
  auto [ours, theirs] = socket_pair();
  channel_ = std::make_unique<GuestChannel>(std::move(ours), *device_);
  guest_ = std::make_shared<sandbox::Guest>(
      server.spawn({.entry = config.entry,
                    .before_confinement = device_->before_confinement(),
                    .descriptors = {{"channel", theirs.get()}, {"arena", device_->descriptor()}},
                    .policy = config.policy}));
}

GuestProcess::~GuestProcess() {
  if (guest_) guest_->kill();
  device_->let_go([guest = guest_] {
    try {
      if (guest) guest->wait();
    } catch (const base::HostError&) {  // gone, in one way or another
    }
  });
}

std::variant<Json, GuestFailure> GuestProcess::command(const Json& command, std::string_view phase_rule) {
  const double budget_seconds = std::min(command_seconds_, total_seconds_ - spent_seconds_);
  Deadline deadline(guest_->pid(), budget_seconds);
  auto reply = channel_->command(command, deadline);
  spent_seconds_ += budget_seconds - deadline.unused_seconds();
  if (!reply.json) return failure_of(reply.silence, budget_seconds);
  const auto failed = reply.json->find("failure");
  if (failed == reply.json->end()) return *std::move(reply.json);
  const std::string kind = failed->value("kind", "");
  std::string message = fmt::format("{}: {}", failed->value("type", ""), failed->value("message", ""));
  if (kind == "unsupported") throw ExecutorLimit(message);
  return GuestFailure{.rule = rule_for(kind, phase_rule),
                      .message = std::move(message),
                      .line = failed->value("line", std::uint32_t{0})};
}

GuestFailure GuestProcess::failure_of(Silence silence, double budget_seconds) {
  switch (silence) {
    case Silence::kTimedOut:
      guest_->kill();
      return {.rule = "time-limit",
              .message = budget_seconds < command_seconds_
                             ? fmt::format("its calls took more than {} s together", total_seconds_)
                             : fmt::format("no answer within {} s", command_seconds_),
              .out_of_time = true,
              .ended = true};
    case Silence::kForged:
      guest_->kill();
      return {
          .rule = "channel-forged", .message = "something other than the harness wrote to its socket", .ended = true};
    case Silence::kUnasked:
      guest_->kill();
      return {.rule = "background-work",
              .message = "the process went on working after its call had returned",
              .ended = true};
    case Silence::kEnded:
      break;
  }
  const sandbox::Outcome outcome = guest_->wait();
  const bool wall = outcome.ending == sandbox::Ending(sandbox::LimitReached{sandbox::Limit::kWall});
  return {
      .rule = rule_for(outcome.ending), .message = "the process " + outcome.text(), .out_of_time = wall, .ended = true};
}

int GuestProcess::threads() const {
  int count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator at(fmt::format("/proc/{}/task", guest_->pid()), error), end;
       !error && at != end; at.increment(error)) {
    ++count;
  }
  return count;
}

std::optional<TensorView> GuestProcess::tensor(const Json& described) {
  TensorView view{.dtype = described.at("dtype").get<std::string>(),
                  .shape = described.at("shape").get<std::vector<std::int64_t>>(),
                  .strides = described.at("strides").get<std::vector<std::int64_t>>(),
                  .data = nullptr};
  const auto bytes = span_bytes(view);
  if (!bytes) return std::nullopt;
  if (*bytes == 0) return view;
  const auto address = described.at("address").get<std::uint64_t>();
  if (!device_->allocation(address, *bytes)) return std::nullopt;
  view.data = device_->at(address, *bytes);
  return view;
}

}  // namespace tritonrl::verify
