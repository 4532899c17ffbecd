#pragma once

#include <c10/util/Exception.h>

#include <new>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tritonrl::model {

enum class DeviceState : bool { kWorks, kLost };

// Memory ran out, or a GPU failed. One that is lost to this process cannot be read any more.
class DeviceError : public base::HostError {
 public:
  DeviceError(const std::string& message, DeviceState state) : base::HostError(message), state_(state) {}

  bool lost() const { return state_ == DeviceState::kLost; }

 private:
  DeviceState state_;
};

// What libtorch said while it did `work`: a DeviceError of one line, or the error as it is where no device is to blame.
[[noreturn]] void throw_as_device_error(std::string_view work, const c10::Error& error);
[[noreturn]] void throw_as_device_error(std::string_view work, const std::bad_alloc& error);

// Does it, with what libtorch throws told apart.
template <typename Work>
decltype(auto) during(std::string_view name, const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    throw_as_device_error(name, error);
  } catch (const std::bad_alloc& error) {
    throw_as_device_error(name, error);
  }
}

}  // namespace tritonrl::model
