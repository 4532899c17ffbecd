#include "verify/secret.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"

namespace tritonrl::verify {
namespace {

constexpr std::size_t kSecretBytes = 32;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Whole, or not at all: programs that start at once must agree on one secret.
void make_file(const std::filesystem::path& file) {
  std::string bytes(kSecretBytes, '\0');
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw base::HostError::from_errno("draw a secret", errno);
  }
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  std::string draft = file.string() + ".XXXXXX";
  const base::UniqueFd fd(mkostemp(draft.data(), O_CLOEXEC));
  const bool written = fd && write(fd.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
                       fsync(fd.get()) == 0 && (link(draft.c_str(), file.c_str()) == 0 || errno == EEXIST);
  const int why = errno;
  if (fd) unlink(draft.c_str());
  if (!written) {
    throw base::HostError::from_errno("write the secret " + file.string() + " (TRITONRL_SECRET names another)", why);
  }
}

}  // namespace

Secret Secret::load(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) make_file(file);
  std::string bytes = base::read_file(file, 4096);
  if (bytes.size() < kSecretBytes) {
    throw base::InputError({.file = file.string()}, "the secret is shorter than 32 bytes",
                           "remove the file: another is made, and cached verdicts no longer count");
  }
  return Secret(std::move(bytes));
}

std::filesystem::path Secret::default_file() {
  if (const std::string named = variable("TRITONRL_SECRET"); !named.empty()) return named;
  if (const std::string data = variable("XDG_DATA_HOME"); !data.empty()) {
    return std::filesystem::path(data) / "tritonrl/secret";
  }
  return std::filesystem::path(variable("HOME")) / ".local/share/tritonrl/secret";
}

std::uint64_t Secret::seed(std::string_view task_key, std::string_view code_sha256) const {
  const auto digest = base::hmac_sha256(bytes_, std::string(task_key) + "\n" + std::string(code_sha256));
  std::uint64_t seed = 0;
  std::memcpy(&seed, digest.data(), sizeof seed);
  return seed;
}

std::string Secret::fingerprint() const { return base::hmac_sha256_hex(bytes_, "fingerprint").substr(0, 16); }

}  // namespace tritonrl::verify
