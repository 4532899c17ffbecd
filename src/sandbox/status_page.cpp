#include "sandbox/status_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace tritonrl::sandbox {
namespace {

constexpr std::size_t kPageBytes = 4096;
static_assert(sizeof(SetupRecord) <= kPageBytes && sizeof(GuestRecord) <= kPageBytes);

void* map_page(int fd, off_t offset) {
  void* memory = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  if (memory == MAP_FAILED) throw base::HostError::from_errno("map a guest's status page", errno);
  return memory;
}

std::uint64_t random_word() {
  std::uint64_t word = 0;
  if (getrandom(&word, sizeof word, 0) != sizeof word)
    throw base::HostError::from_errno("draw a completion token", errno);
  return word | 1U;  // never 0, which means "not returned"
}

}  // namespace

StatusPage::StatusPage() : fd_(memfd_create("status", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  // Sealed: a guest that shrank it would raise SIGBUS here.
  if (!fd_ || ftruncate(fd_.get(), 2 * kPageBytes) != 0 ||
      fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw base::HostError::from_errno("make a guest's status page", errno);
  map(fd_.get());
  setup_->token_low = token_low_ = random_word();
  setup_->token_high = token_high_ = random_word();
}

StatusPage::StatusPage(int fd) { map(fd); }

StatusPage::~StatusPage() {
  close_setup();
  if (guest_ != nullptr) munmap(guest_, kPageBytes);
}

StatusPage::StatusPage(StatusPage&& other) noexcept
    : fd_(std::move(other.fd_)),
      setup_(std::exchange(other.setup_, nullptr)),
      guest_(std::exchange(other.guest_, nullptr)),
      token_low_(other.token_low_),
      token_high_(other.token_high_) {}

void StatusPage::map(int fd) {
  setup_ = static_cast<SetupRecord*>(map_page(fd, 0));
  guest_ = static_cast<GuestRecord*>(map_page(fd, kPageBytes));
}

void StatusPage::close_setup() {
  if (setup_ != nullptr) munmap(std::exchange(setup_, nullptr), kPageBytes);
}

bool StatusPage::completed() const {
  return guest_->returned_low == token_low_ && guest_->returned_high == token_high_;
}

void set_text(StatusText& field, std::string_view text) {
  const std::size_t size = std::min(text.size(), kStatusTextBytes - 1);
  std::memcpy(field, text.data(), size);
  field[size] = '\0';
}

std::string get_text(const StatusText& field) {
  std::array<char, kStatusTextBytes> copy{};
  std::memcpy(copy.data(), field, copy.size() - 1);
  return {copy.data()};
}

}  // namespace tritonrl::sandbox
