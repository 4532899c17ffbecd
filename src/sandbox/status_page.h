#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/file.h"

namespace tritonrl::sandbox {

inline constexpr std::size_t kStatusTextBytes = 1000;
using StatusText = char[kStatusTextBytes];

// What our own code says on the guest's way into its sandbox. Out of the guest's reach before its code runs.
struct SetupRecord {
  std::atomic<std::int64_t> entered_ns;  // CLOCK_MONOTONIC when the guest's code was let in; 0: never
  std::atomic<std::int32_t> failed;      // `error` says why
  std::atomic<std::uint64_t> token_low;  // taken out on the way
  std::atomic<std::uint64_t> token_high;
  StatusText missing;  // facilities, one a line
  StatusText error;
};

// What the guest's process says of its end. A hostile guest may write anything here: it can choose between reasons for
// its failure, but not turn it into a completion without the token.
struct GuestRecord {
  std::atomic<std::uint64_t> returned_low;  // the token
  std::atomic<std::uint64_t> returned_high;
  std::atomic<std::int32_t> limit;    // the Limit + 1 that a denied request met; 0: none
  std::atomic<std::int32_t> aborted;  // abort() was called
  StatusText message;
};

// Two pages of memory shared with a guest's process, one for each record.
class StatusPage {
 public:
  // New pages with a fresh token, which cannot be resized.
  StatusPage();
  // The pages behind a descriptor that another process made; the descriptor stays the caller's.
  explicit StatusPage(int fd);
  ~StatusPage();
  StatusPage(StatusPage&& other) noexcept;
  StatusPage& operator=(StatusPage&&) = delete;

  int fd() const { return fd_.get(); }
  SetupRecord& setup() const { return *setup_; }
  GuestRecord& guest() const { return *guest_; }

  // Before the guest's code runs: this process loses the setup record.
  void close_setup();
  // The token was handed back.
  bool completed() const;

 private:
  void map(int fd);

  base::UniqueFd fd_;
  SetupRecord* setup_ = nullptr;
  GuestRecord* guest_ = nullptr;
  std::uint64_t token_low_ = 0;
  std::uint64_t token_high_ = 0;
};

void set_text(StatusText& field, std::string_view text);
std::string get_text(const StatusText& field);

}  // namespace tritonrl::sandbox
