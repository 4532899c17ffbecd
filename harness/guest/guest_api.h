#ifndef TRITONRL_HARNESS_GUEST_API_H
#define TRITONRL_HARNESS_GUEST_API_H

#include <stddef.h>
#include <stdint.h>

#include "ttir/c_api.h"

/* libtritonrl_guest.so: the executor's interface (src/ttir/c_api.h) for a process that may not be trusted. Kernels are
 * loaded and run on the other side of a socket, over an arena that the other side owns; operators are reported to it.
 * Nothing here can take back what was reported. */
#ifdef __cplusplus
extern "C" {
#endif

/* Takes the socket and maps the arena; once, in the child. NULL, or why not (static text). */
const char* tritonrl_guest_connect(int channel, int arena);

/* Waits for the next command: JSON, to be freed with tritonrl_free_text. NULL when the other side has gone. */
char* tritonrl_guest_next_command(void);
/* Answers the command. Whatever happened before it has been reported by then. */
void tritonrl_guest_reply(const char* json, size_t bytes);

/* Memory of the arena for the torch plugin; NULL when there is no room. */
void* tritonrl_guest_reserve(uint64_t bytes, uint64_t alignment);
void tritonrl_guest_release(void* memory);

/* What a loaded kernel would use on a GPU: registers of a thread, bytes spilled, bytes of shared memory. */
void tritonrl_guest_resources(const tritonrl_kernel* kernel, uint32_t resources[3]);

/* A torch operator ran: its name without namespace and overload, the bytes that it moved on the device, the elements of
 * its largest tensor, the flops of products, whether it took or made CPU tensors, whether it copied to the CPU. */
void tritonrl_guest_operated(const char* name, uint64_t bytes, uint64_t elements, double flops, int on_host,
                             int to_host);

#ifdef __cplusplus
}
#endif

#endif
