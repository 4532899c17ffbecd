#ifndef TRITONRL_HARNESS_GPU_TRACE_API_H
#define TRITONRL_HARNESS_GPU_TRACE_API_H

#include <stdint.h>

/* libtritonrl_trace.so: tells of every torch operator, whoever calls it; nothing in Python can switch it off. */
#ifdef __cplusplus
extern "C" {
#endif

/* As tritonrl_guest_operated in guest_api.h. */
typedef void (*tritonrl_operated_function)(const char* name, uint64_t bytes, uint64_t elements, double flops,
                                           int on_host, int to_host);

/* Once, from now on. */
void tritonrl_trace_start(tritonrl_operated_function operated);

#ifdef __cplusplus
}
#endif

#endif
