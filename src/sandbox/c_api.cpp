#include "sandbox/c_api.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "sandbox/confinement.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/outcome.h"
#include "sandbox/privileges.h"

using namespace tritonrl;           // NOLINT(google-build-using-namespace): C functions have no namespace of their own
using namespace tritonrl::sandbox;  // NOLINT(google-build-using-namespace)

namespace {

// The one guest that this process becomes.
std::unique_ptr<StatusPage> g_page;
std::optional<Confinement> g_confinement;

char* owned_text(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void note_failure(const char* message) {
  if (!g_page) return;
  set_text(g_page->setup().error, message);
  g_page->setup().failed = 1;
}

template <typename Action>
char* guarded(const Action& action) {
  try {
    action();
    return nullptr;
  } catch (const std::exception& error) {
    note_failure(error.what());
    return owned_text(error.what());
  }
}

std::string content(const base::UniqueFd& file) {
  struct stat about = {};
  if (fstat(file.get(), &about) != 0) throw base::HostError::from_errno("look at the filter", errno);
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  if (pread(file.get(), bytes.data(), bytes.size(), 0) != about.st_size)
    throw base::HostError::from_errno("read the filter", errno);
  return bytes;
}

}  // namespace

char* tritonrl_sandbox_prepare_server(const char* folder, uint64_t bytes) {
  return guarded([&] {
    die_with_parent();
    if (*folder != '\0') mount_scratch(folder, bytes);
  });
}

char* tritonrl_sandbox_start_pid_namespace(void) {
  return guarded([] { start_pid_namespace(); });
}

char* tritonrl_sandbox_leave_pid_namespaces(void) {
  return guarded([] { leave_pid_namespaces(); });
}

char* tritonrl_sandbox_isolate(const char* setup_json, int status_fd, int filter_fd, int watch_fd,
                               const int* descriptors, size_t count) {
  return guarded([&] {
    const base::UniqueFd status(status_fd);
    const base::UniqueFd filter(filter_fd);
    g_page = std::make_unique<StatusPage>(status.get());
    GuestSetup setup = GuestSetup::from_json(base::parse_json(setup_json, {.file = "guest setup"}));
    if (filter) setup.filter = content(filter);
    setup.watch = watch_fd;
    setup.descriptors.assign(descriptors, descriptors + count);
    g_confinement.emplace(std::move(setup), *g_page);
    g_confinement->isolate();
  });
}

char* tritonrl_sandbox_lock_down(void) {
  return guarded([] {
    base::check(g_confinement.has_value(), "a guest is locked down before it is isolated");
    g_confinement->lock_down();
  });
}

void tritonrl_sandbox_fail(const char* message) { note_failure(message); }

void tritonrl_sandbox_note(const char* limit, const char* message) {
  if (!g_page) return;
  if (const auto named = limit_named(limit)) g_page->guest().limit = static_cast<int>(*named) + 1;
  if (*message != '\0') set_text(g_page->guest().message, message);
}

void tritonrl_sandbox_complete(void) {
  if (g_page) complete(*g_page);
}

void tritonrl_sandbox_free_text(char* text) { std::free(text); }
