#ifndef TRITONRL_HARNESS_TRACE_H
#define TRITONRL_HARNESS_TRACE_H

namespace tritonrl::device {

// From now on the executor is told of operators that work on CPU tensors only, too. They cannot be switched off from
// Python.
void trace_host_operators();

}  // namespace tritonrl::device

#endif
