#ifndef TRITONRL_HARNESS_CLAIMED_DEVICE_H
#define TRITONRL_HARNESS_CLAIMED_DEVICE_H

#include <ATen/core/Generator.h>

namespace tritonrl::device {

// Registers what torch asks about a CUDA device: guard, streams, events, hooks, random generators.
// False when torch has CUDA hooks already: a CUDA build, which has its own.
bool install_device();

// Throws what the CUDA run-time says of a device that is not there; -1 is the current one.
void check_index(c10::DeviceIndex index);

// The device's default generator.
const at::Generator& default_generator();
// The CPU generator that a generator of the device draws from; undefined when `generator` is none of ours.
at::Generator host_generator(const at::Generator& generator);

// Modelled time of the device, in microseconds: what events record.
double modelled_us();
void advance(double microseconds);

}  // namespace tritonrl::device

#endif
