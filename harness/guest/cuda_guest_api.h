#ifndef TRITONRL_HARNESS_CUDA_GUEST_API_H
#define TRITONRL_HARNESS_CUDA_GUEST_API_H

#include <stddef.h>
#include <stdint.h>

#include "ttir/c_api.h"

/* libtritonrl_cuda_guest.so: what a guest on a GPU holds of the verifier. Its kernels come as machine code from the
 * other side of the socket and are launched from here; its memory is an arena that the other side owns. Launches,
 * allocations and times are reported from native memory; nothing here can take back what was reported. The socket's
 * functions are those of guest_api.h. */
#ifdef __cplusplus
extern "C" {
#endif

/* Takes the socket, makes a context and maps the arena; once, in the child, before it is locked down. NULL, or why not
 * (text that stays). */
const char* tritonrl_guest_connect(int channel, int arena);

char* tritonrl_guest_next_command(void);
/* Waits for the device, then answers. A device that faulted answers in the place of `json`. */
void tritonrl_guest_reply(const char* json, size_t bytes);

void tritonrl_guest_operated(const char* name, uint64_t bytes, uint64_t elements, double flops, int on_host,
                             int to_host);

/* torch.cuda.memory.CUDAPluggableAllocator: std::bad_alloc when there is no room. */
void* tritonrl_cuda_allocate(intptr_t bytes, int device, void* stream);
void tritonrl_cuda_release(void* memory, intptr_t bytes, int device, void* stream);
/* Whether a kernel may be given the address. */
int tritonrl_cuda_owns(uint64_t address);

/* A kernel from a line of JSON and Triton IR, as the other side takes them. NULL: *error says why, as JSON. */
tritonrl_kernel* tritonrl_kernel_load(const char* ttir, size_t bytes, char** error);
/* What it uses: registers of a thread, bytes spilled, bytes of shared memory. */
void tritonrl_cuda_resources(const tritonrl_kernel* kernel, uint32_t resources[3]);
/* NULL, or the driver's words, to be freed with tritonrl_free_text. */
char* tritonrl_cuda_launch(const tritonrl_kernel* kernel, const uint32_t grid[3], void* stream,
                           const tritonrl_argument* arguments, size_t count);

/* Around every call of a model. Whether it is timed, the other side knows. */
void tritonrl_cuda_begin_call(void);
void tritonrl_cuda_end_call(void);

void tritonrl_free_text(char* text);

#ifdef __cplusplus
}
#endif

#endif
