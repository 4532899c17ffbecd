#ifndef TRITONRL_HARNESS_PLUGIN_API_H
#define TRITONRL_HARNESS_PLUGIN_API_H

#include <stdint.h>

/* libtritonrl_torch.so: a device that torch takes for cuda:0, whose memory is this process's own. The executor reaches
 * it as function pointers (those of src/ttir/c_api.h), so that it links neither the executor nor Python. */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void* device; /* first argument of the next four */
  void (*allocated)(void* device, uint64_t address, uint64_t bytes, int defined, const char* name);
  void (*freed)(void* device, uint64_t address);
  void (*written)(void* device, uint64_t address, uint64_t bytes);
  int64_t (*first_undefined)(void* device, uint64_t address, uint64_t bytes);
  /* A torch operator reads memory that nothing has written: byte `offset` of the `bytes` at `address`. */
  void (*unwritten)(const char* op, uint64_t address, uint64_t bytes, uint64_t offset);
  /* Where the device's memory comes from; both NULL: this process's heap. */
  void* (*reserve)(uint64_t bytes, uint64_t alignment);
  void (*release)(void* memory);
  /* Told of every operator (tritonrl_guest_operated); may be NULL. */
  void (*operated)(const char* name, uint64_t bytes, uint64_t elements, double flops, int on_host, int to_host);
} tritonrl_torch_executor;

typedef struct {
  uint64_t memory_bytes;     /* of the device: more raises torch.OutOfMemoryError */
  double bytes_per_us;       /* modelled memory bandwidth */
  double op_us;              /* modelled floor of one operator */
  uint64_t quarantine_bytes; /* freed memory kept from reuse */
} tritonrl_torch_profile;

/* Makes this process claim a CUDA device; once, before torch looks for one. NULL, or why not (static text). */
const char* tritonrl_torch_install(const tritonrl_torch_executor* executor, const tritonrl_torch_profile* profile);

/* In a forked child: memory that the parent kept is not reused, and operators on CPU tensors are told too. */
void tritonrl_torch_start_guest(void);

/* The version of torch that the library was built for: another one cannot load it safely. */
const char* tritonrl_torch_built_for(void);

/* Whether a kernel may touch `address`: memory of the device, or pinned host memory. */
int tritonrl_torch_owns(uint64_t address);

/* Operators run on the device so far, the bytes that they read and wrote, and the modelled clock. */
uint64_t tritonrl_torch_op_count(void);
uint64_t tritonrl_torch_bytes_moved(void);
double tritonrl_torch_modelled_us(void);
void tritonrl_torch_advance(double microseconds);

uint64_t tritonrl_torch_memory_allocated(void);
uint64_t tritonrl_torch_max_memory_allocated(void);
void tritonrl_torch_reset_max_memory(void);

#ifdef __cplusplus
}
#endif

#endif
