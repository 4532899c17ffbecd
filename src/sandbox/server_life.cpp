#include "sandbox/server_life.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <vector>

#include "base/error.h"
#include "sandbox/confinement.h"
#include "sandbox/mounts.h"
#include "sandbox/seccomp_filter.h"

namespace tritonrl::sandbox {
namespace {

using base::Json;

constexpr std::size_t kKeptWords = 20;
constexpr int kEntryPollMs = 10;                            // while a guest is on its way in
constexpr auto kGpuWatch = std::chrono::milliseconds(100);  // between looks at a GPU guest's shared memory
constexpr auto kLongWait = std::chrono::seconds(3600);
constexpr auto kPatience = std::chrono::seconds(2);

Clock::time_point after(Clock::time_point start, double seconds) {
  return start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// steady_clock is CLOCK_MONOTONIC.
Clock::time_point time_of(std::int64_t monotonic_ns) {
  return Clock::time_point(std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(monotonic_ns)));
}

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// "Pid:\t123" in the descriptor's description; -1 when the process is gone.
pid_t process_of(int pidfd) {
  std::ifstream file(fmt::format("/proc/self/fdinfo/{}", pidfd));
  for (std::string word; file >> word;) {
    pid_t pid = -1;
    if (word == "Pid:" && file >> pid) return pid;
  }
  return -1;
}

// Shared memory that a process has in use; 0 when it is gone.
std::uint64_t shared_memory_bytes(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  for (std::string word; file >> word;) {
    std::uint64_t kib = 0;
    if (word == "RssShmem:" && file >> kib) return kib * 1024;
  }
  return 0;
}

// Waits for a process that is about to end; after kPatience it is ended.
int reap(pid_t pid) {
  int status = 0;
  const Clock::time_point deadline = Clock::now() + kPatience;
  while (Clock::now() < deadline) {
    if (waitpid(pid, &status, WNOHANG) == pid) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ::kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  return status;
}

Json names_of(const std::vector<HandedDescriptor>& descriptors) {
  Json names = Json::array();
  for (const HandedDescriptor& descriptor : descriptors) names.push_back(descriptor.name);
  return names;
}

}  // namespace

bool GuestState::send_kill() const {
  return pidfd && syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0;
}

void GuestState::kill_by_owner() {
  const std::lock_guard lock(mutex);
  if (is_over() || end.killed) return;
  end.killed = true;
  send_kill();
}

void GuestState::fail(std::exception_ptr reason) {
  const std::lock_guard lock(mutex);
  if (!is_over()) failure = std::move(reason);
  changed.notify_all();
}

ServerLife::ServerLife(ForkServerConfig config)
    : config_(std::move(config)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) throw base::HostError::from_errno("make an event descriptor", errno);
  thread_ = std::thread([this] { live(); });
}

ServerLife::~ServerLife() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake();
  thread_.join();
}

void ServerLife::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

bool ServerLife::is_dead() const {
  const std::lock_guard lock(mutex_);
  return phase_ == Phase::kDead;
}

pid_t ServerLife::pid() const {
  const std::lock_guard lock(mutex_);
  return phase_ == Phase::kDead ? 0 : process_.pid;
}

void ServerLife::wait_until_ready() {
  std::unique_lock lock(mutex_);
  const auto deadline = after(Clock::now(), config_.start_timeout_s);
  if (!changed_.wait_until(lock, deadline, [this] { return phase_ != Phase::kStarting; })) {
    if (process_.pid > 0) ::kill(process_.pid, SIGKILL);
    throw base::HostError(
        fmt::format("the fork server was not ready after {} s{}", config_.start_timeout_s, last_words()),
        base::Retry::kYes);
  }
  if (phase_ == Phase::kDead) throw base::HostError(death_, base::Retry::kYes);
}

// The filter's bytes as a descriptor; -1 where there are none.
int ServerLife::filter_for(const Policy& policy) {
  if (!config_.machine.filters || !config_.machine.seccomp) return -1;
  base::UniqueFd& file = filters_[{policy.code_loading(), policy.gpu().has_value()}];
  if (!file) {
    const std::string bytes = compile_filter(policy, (process_.namespaces & CLONE_NEWPID) != 0);
    base::UniqueFd made(memfd_create("filter", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!made || write(made.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
        fcntl(made.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
      throw base::HostError::from_errno("keep a seccomp filter", errno);
    file = std::move(made);
  }
  return file.get();
}

std::shared_ptr<GuestState> ServerLife::spawn(const SpawnRequest& request) {
  require_facilities(config_.machine, request.policy.enforcement());
  std::shared_ptr<GuestState> guest;
  {
    const std::lock_guard lock(mutex_);
    if (phase_ == Phase::kDead) throw base::HostError(death_, base::Retry::kYes);
    guest = std::make_shared<GuestState>(next_id_++, request.policy);
    if (!process_.private_roots()) guest->folder.emplace("tritonrl-guest");
    const std::string folder = guest->folder ? guest->folder->path().string() : kGuestTmp;
    Environment environment = guest_environment(request.policy, folder);
    for (const auto& [name, value] : config_.environment) environment[name] = value;
    GuestSetup setup;
    setup.policy = request.policy;
    setup.namespaces = process_.namespaces;
    setup.own_id = process_.own_id;
    setup.landlock = config_.machine.landlock_abi > 0;
    if (guest->folder) setup.folder = folder;
    std::vector<int> descriptors = {guest->page.fd(), guest->drain.write_fd(), guest->watch.guest_fd()};
    const int filter = filter_for(request.policy);
    if (filter >= 0) descriptors.push_back(filter);
    for (const HandedDescriptor& descriptor : request.descriptors) descriptors.push_back(descriptor.fd);
    const Json message = {{"id", guest->id},
                          {"entry", request.entry},
                          {"before_confinement", request.before_confinement},
                          {"names", names_of(request.descriptors)},
                          {"has_filter", filter >= 0},
                          {"environment", environment},
                          {"setup", base::json_line(setup.to_json())}};
    guests_[guest->id] = guest;
    if (!send_packet(process_.control.get(), message, descriptors)) {
      guests_.erase(guest->id);
      throw base::HostError("the fork server died" + last_words(), base::Retry::kYes);
    }
    guest->drain.close_write();
    guest->watch.close_guest_fd();
  }
  wake();
  std::unique_lock lock(guest->mutex);
  const auto deadline = after(Clock::now(), config_.spawn_timeout_s);
  if (!guest->changed.wait_until(lock, deadline, [&] { return guest->pidfd || guest->is_over(); })) {
    guest->end.killed = true;  // should it start after all
    throw base::HostError(fmt::format("the fork server made no guest within {} s", config_.spawn_timeout_s),
                          base::Retry::kYes);
  }
  if (guest->failure && !guest->pidfd) std::rethrow_exception(guest->failure);
  return guest;
}

void ServerLife::live() {
  try {
    {
      const std::lock_guard lock(mutex_);
      process_ = start_server_process(config_);
    }
    const Json hello = {{"preload", config_.preload},
                        {"warm_up", config_.warm_up},
                        {"library", config_.library.string()},
                        {"namespaces", process_.namespaces}};
    send_packet(process_.control.get(), hello, {});
    serve();
    die("the fork server was stopped");
  } catch (const std::exception& error) {
    die(error.what());
  }
}

void ServerLife::serve() {
  while (true) {
    std::vector<std::shared_ptr<GuestState>> guests;
    std::vector<pollfd> polled = {{.fd = wake_.get(), .events = POLLIN, .revents = 0},
                                  {.fd = process_.control.get(), .events = POLLIN, .revents = 0},
                                  {.fd = process_.words.get(), .events = POLLIN, .revents = 0}};
    {
      const std::lock_guard lock(mutex_);
      if (stop_) return;
      for (const auto& [id, guest] : guests_) {
        guests.push_back(guest);
        polled.push_back({.fd = guest->drain.poll_fd(), .events = POLLIN, .revents = 0});
        polled.push_back({.fd = guest->watch.poll_fd(), .events = POLLIN, .revents = 0});
      }
    }
    if (poll(polled.data(), polled.size(), poll_ms()) < 0 && errno != EINTR)
      throw base::HostError::from_errno("wait for the fork server", errno);

    if (polled[0].revents != 0) {
      std::uint64_t count = 0;
      [[maybe_unused]] const ssize_t got = read(wake_.get(), &count, sizeof count);
    }
    hear_words();
    for (const auto& guest : guests) tend(*guest);
    bool gone = false;
    while (std::optional<Packet> packet = receive_packet(process_.control.get(), gone)) hear(std::move(*packet));
    if (gone) {
      const int status = reap(process_.pid);
      hear_words();
      const std::lock_guard lock(mutex_);
      process_.pid = 0;
      throw base::HostError(fmt::format("the fork server died ({} {}){}", WIFSIGNALED(status) ? "signal" : "status",
                                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), last_words()));
    }
  }
}

// How long nothing can happen without a message.
int ServerLife::poll_ms() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  Clock::time_point next = now + kLongWait;
  for (const auto& [id, guest] : guests_) {
    const std::int64_t entered_ns = guest->page.setup().entered_ns;
    next = std::min(next, entered_ns == 0 ? now + std::chrono::milliseconds(kEntryPollMs)
                                          : after(time_of(entered_ns), guest->policy.limits().wall_s));
    if (guest->policy.gpu()) next = std::min<Clock::time_point>(next, now + kGpuWatch);
  }
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(next - now).count() + 1;
  return static_cast<int>(std::clamp<std::int64_t>(ms, 1, 60'000));
}

// Drains a guest's output and holds it to its limits.
void ServerLife::tend(GuestState& guest) const {
  guest.drain.drain();
  const std::lock_guard lock(guest.mutex);
  if (guest.is_over()) return;
  const std::int64_t entered_ns = guest.page.setup().entered_ns;
  const Clock::time_point now = Clock::now();
  if (guest.drain.bytes() > guest.policy.limits().output_bytes && !guest.end.output_exceeded) {
    guest.end.output_exceeded = true;
    guest.send_kill();
  }
  if (guest.policy.gpu() && shared_memory_bytes(guest.pid) > guest.policy.limits().memory_bytes) {
    guest.end.memory_exceeded = true;
    guest.send_kill();
  }
  if (std::optional<std::string> call = guest.watch.look(); call && !guest.end.forbidden_call) {
    guest.end.forbidden_call = std::move(call);
    guest.send_kill();
  }
  if (entered_ns != 0 && now >= after(time_of(entered_ns), guest.policy.limits().wall_s) && !guest.end.wall_reached) {
    guest.end.wall_reached = true;
    guest.send_kill();
  }
  if (entered_ns == 0 && now >= after(guest.requested, config_.spawn_timeout_s)) guest.send_kill();
}

void ServerLife::hear(Packet packet) {
  const std::string event = packet.body.value("event", "");
  if (event == "ready") {
    const std::lock_guard lock(mutex_);
    phase_ = Phase::kReady;
    changed_.notify_all();
    return;
  }
  std::shared_ptr<GuestState> guest;
  {
    const std::lock_guard lock(mutex_);
    const auto found = guests_.find(packet.body.value("id", std::uint64_t{0}));
    if (found == guests_.end()) return;
    guest = found->second;
    if (event == "ended" || event == "failed") guests_.erase(found);
  }
  hear_of(*guest, packet);
}

void ServerLife::hear_of(GuestState& guest, Packet& packet) {
  const Json& body = packet.body;
  const std::string event = body.value("event", "");
  if (event == "failed") {
    guest.fail(std::make_exception_ptr(base::HostError(
        "the fork server cannot start a guest: " + body.value("error", std::string("?")), base::Retry::kYes)));
    return;
  }
  if (event == "ended") {
    while (guest.drain.bytes() <= guest.policy.limits().output_bytes && guest.drain.drain()) {
    }
  }
  const std::lock_guard lock(guest.mutex);
  if (event == "spawned" && !packet.descriptors.empty()) {
    guest.pidfd = std::move(packet.descriptors.front());
    guest.pid = process_of(guest.pidfd.get());
    if (guest.end.killed) guest.send_kill();
  } else if (event == "ended") {
    GuestEnd& end = guest.end;
    const std::int64_t entered_ns = guest.page.setup().entered_ns;
    end.wait_status = body.value("status", 0);
    end.usage.start_s = entered_ns == 0 ? 0 : seconds_between(guest.requested, time_of(entered_ns));
    end.usage.wall_s = seconds_between(guest.requested, Clock::now());
    end.usage.cpu_s = body.value("cpu_s", 0.0);
    end.usage.peak_rss_bytes = body.value("peak_rss_bytes", std::uint64_t{0});
    end.output = guest.drain.take_text();
    end.output_bytes = guest.drain.bytes();
    if (end.output_bytes > guest.policy.limits().output_bytes) end.output_exceeded = true;
    try {
      guest.outcome = judge(end, guest.page, guest.policy);
    } catch (...) {
      guest.failure = std::current_exception();
    }
  }
  guest.changed.notify_all();
}

void ServerLife::hear_words() {
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(process_.words.get(), buffer.data(), buffer.size())) > 0;) {
    const std::lock_guard lock(mutex_);
    for (const char c : std::string_view(buffer.data(), static_cast<std::size_t>(got))) {
      if (c != '\n') {
        if (unfinished_word_.size() < 500) unfinished_word_ += c;
        continue;
      }
      words_.push_back(std::exchange(unfinished_word_, {}));
      if (words_.size() > kKeptWords) words_.pop_front();
    }
  }
}

std::string ServerLife::last_words() const {
  std::string text;
  for (const std::string& line : words_) text += "\n  " + line;
  if (!unfinished_word_.empty()) text += "\n  " + unfinished_word_;
  return text.empty() ? text : "; its last words:" + text;
}

void ServerLife::die(const std::string& reason) {
  std::map<std::uint64_t, std::shared_ptr<GuestState>> orphans;
  {
    const std::lock_guard lock(mutex_);
    if (process_.pid > 0) {
      // Process 1 of the guests' outer pid namespace: the kernel ends them all before it is reaped.
      ::kill(process_.pid, SIGKILL);
      waitpid(process_.pid, nullptr, 0);
      process_.pid = 0;
    }
    phase_ = Phase::kDead;
    death_ = reason;
    orphans.swap(guests_);
    changed_.notify_all();
  }
  for (const auto& [id, guest] : orphans)
    guest->fail(std::make_exception_ptr(base::HostError(reason, base::Retry::kYes)));
}

}  // namespace tritonrl::sandbox
