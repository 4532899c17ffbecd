#pragma once

#include <cstring>
#include <string>
#include <string_view>

namespace tritonrl::verify {

// Takes a plain struct off the front. False when there are too few bytes.
template <typename T>
bool take(std::string_view& bytes, T& value) {
  if (bytes.size() < sizeof value) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace tritonrl::verify
