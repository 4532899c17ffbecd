#include "sandbox/confinement.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sched.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <utility>

#include "base/error.h"
#include "sandbox/landlock.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/outcome.h"
#include "sandbox/privileges.h"
#include "sandbox/resource_limits.h"
#include "sandbox/seccomp.h"

namespace tritonrl::sandbox {
namespace {

// The completion token, out of the shared page: nothing but our own code knows where it is.
std::uint64_t g_token_low = 0;
std::uint64_t g_token_high = 0;
GuestRecord* g_guest = nullptr;

std::int64_t monotonic_ns() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

void become_guest_id() {
  if (setgroups(0, nullptr) != 0 || setresgid(kGuestId, kGuestId, kGuestId) != 0 ||
      setresuid(kGuestId, kGuestId, kGuestId) != 0)
    throw base::HostError::from_errno("take the guest's user id", errno);
}

// `folder`: the only one that the guest may write to; empty: none.
FileAccess file_access(const Policy& policy, const std::string& folder) {
  FileAccess access;
  access.read = policy.read_paths();
  access.devices = gpu_devices(policy);
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/urandom"}) access.devices.emplace_back(device);
  if (policy.gpu()) access.read.emplace_back("/proc");  // the CUDA driver and torch read it; nothing there is written
  if (!folder.empty()) access.write.emplace_back(folder);
  return access;
}

// Why the guest's end came, should it come. The first process of a pid namespace dies of no signal without a handler:
// SIGXCPU ends it here, abort() goes on to end it by SIGSEGV. A C++ allocation that fails met the limit on memory.
void note_troubles(GuestRecord& guest) {
  g_guest = &guest;
  std::signal(SIGABRT, [](int) { g_guest->aborted = 1; });
  std::signal(SIGXCPU, [](int) {
    g_guest->limit = static_cast<int>(Limit::kCpu) + 1;
    _exit(1);
  });
  std::set_new_handler([] {
    g_guest->limit = static_cast<int>(Limit::kMemory) + 1;
    throw std::bad_alloc();
  });
}

}  // namespace

base::Json GuestSetup::to_json() const {
  return base::Json{{"policy", policy.to_json()},
                    {"namespaces", namespaces},
                    {"own_id", own_id},
                    {"landlock", landlock},
                    {"folder", folder}};
}

GuestSetup GuestSetup::from_json(const base::Json& json) {
  const base::Place where{.file = "guest setup"};
  base::JsonFields fields(json, where);
  GuestSetup setup;
  const base::Json* policy = fields.optional_value("policy");
  if (policy == nullptr) fields.refuse("policy", "is missing");
  setup.policy = Policy::from_json(*policy, where);
  setup.namespaces = static_cast<int>(fields.integer("namespaces"));
  setup.own_id = fields.optional_boolean("own_id").value_or(false);
  setup.landlock = fields.optional_boolean("landlock").value_or(true);
  setup.folder = fields.optional_text("folder").value_or("");
  fields.finish();
  return setup;
}

Confinement::Confinement(GuestSetup setup, StatusPage& page)
    : setup_(std::move(setup)), page_(page), watch_(setup_.watch) {
  g_token_low = page_.setup().token_low.exchange(0);
  g_token_high = page_.setup().token_high.exchange(0);
}

// A step that needs a facility of the kernel: without it the guest does not run, or runs and says so.
template <typename Step>
void Confinement::apply(const std::string& facility, const Step& step) {
  try {
    step();
  } catch (const base::HostError& error) {
    if (setup_.policy.enforcement() == Enforcement::kRequire)
      throw base::HostError(fmt::format("the sandbox needs {}: {}", facility, error.what()));
    StatusText& missing = page_.setup().missing;
    set_text(missing, get_text(missing) + facility + "\n");
  }
}

void Confinement::isolate() {
  lead_own_session();
  std::vector<int> kept = setup_.descriptors;
  kept.push_back(watch_.get());
  close_descriptors_except(kept);
  umask(022);  // folders of the private root: the guest is another user
  proc_ = base::UniqueFd(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!proc_) throw base::HostError::from_errno("open /proc", errno);

  for (const NamespaceKind& kind : namespace_kinds())
    if (!in_namespace(kind.flag))
      apply(fmt::format("{} namespaces", kind.name), [] { throw base::HostError("this kernel gives none"); });
  if (in_namespace(CLONE_NEWUSER) && in_namespace(CLONE_NEWNS))
    apply("a private root", [this] {
      enter_private_root(setup_.policy, setup_.own_id ? kGuestId : 0);
      private_root_ = true;
    });
  if (in_namespace(CLONE_NEWUSER)) {
    if (setup_.own_id) become_guest_id();
    apply("nested user namespaces", [this] { enter_own_user_namespace(proc_.get()); });
  }
  umask(077);
  drop_privileges();
  die_with_parent();
}

void Confinement::lock_down() {
  limit_resources(setup_.policy.limits(), proc_.get(),
                  {.locked_memory = !setup_.policy.gpu(), .threads = in_namespace(CLONE_NEWUSER)});
  proc_.reset();
  hide_from_tracing();
  note_troubles(page_.guest());
  apply("Landlock", [this] {
    if (!setup_.landlock) throw base::HostError("this kernel has none");
    restrict_with_landlock(file_access(setup_.policy, private_root_ ? kGuestTmp : setup_.folder));
  });
  apply("seccomp", [this] {
    if (setup_.filter.empty()) throw base::HostError("there is no filter");
    install_filter(setup_.filter, watch_.get());
  });
  watch_.reset();
  page_.setup().entered_ns = monotonic_ns();
  page_.close_setup();
}

void confine(GuestSetup setup, StatusPage& page) {
  Confinement confinement(std::move(setup), page);
  confinement.isolate();
  confinement.lock_down();
}

void complete(StatusPage& page) {
  page.guest().returned_low = g_token_low;
  page.guest().returned_high = g_token_high;
}

}  // namespace tritonrl::sandbox
