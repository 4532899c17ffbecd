#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tritonrl::ttir {

// The bytes that a program asked by atomics and volatile loads, and a digest of what they held then. It names memory of
// the host, which must stay.
class Watch {
 public:
  void saw(const std::byte* memory, std::size_t bytes);
  void clear();

  // Whether the bytes hold something else by now.
  bool has_news() const;
  // Whether all that was seen is known, and `other` has it in the same places.
  bool same_places(const Watch& other) const { return whole_ && other.whole_ && places_ == other.places_; }
  bool same_contents(const Watch& other) const { return digest_ == other.digest_; }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Place {
    const std::byte* memory;
    std::size_t bytes;
    bool operator==(const Place&) const = default;
  };
  // More are not kept: thousands of programs may wait.
  static constexpr std::size_t kMostPlaces = 256;

  std::vector<Place> places_;
  std::size_t bytes_ = 0;
  std::uint64_t digest_ = 0;
  bool whole_ = true;
};

}  // namespace tritonrl::ttir
