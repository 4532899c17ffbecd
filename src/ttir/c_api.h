#ifndef TRITONRL_TTIR_C_API_H
#define TRITONRL_TTIR_C_API_H

#include <stddef.h>
#include <stdint.h>

/* The executor for programs in other languages: libtritonrl_ttir.so. Calls on one device are serialised by a lock in
 * it; strings are UTF-8 and belong to the caller until tritonrl_free_text, except where a comment says otherwise. */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tritonrl_device tritonrl_device; /* an address space, and how launches run */
typedef struct tritonrl_kernel tritonrl_kernel; /* a parsed and lowered kernel */

/* `options` is a JSON object, all keys optional: {"sanitize": true, "threads": 1, "order": "in-order" | "reversed" |
 * "shuffled", "seed": 0, "step_budget": 0, "profile": "h200", "by_line": false}. NULL on a bad option, with *error set.
 */
tritonrl_device* tritonrl_device_create(const char* options, char** error);
void tritonrl_device_destroy(tritonrl_device* device);

/* Memory of this process at `address`, known to kernels under the same address. `defined` 0: nothing has written it. */
void tritonrl_device_allocated(tritonrl_device* device, uint64_t address, uint64_t bytes, int defined,
                               const char* name);
void tritonrl_device_freed(tritonrl_device* device, uint64_t address);
void tritonrl_device_written(tritonrl_device* device, uint64_t address, uint64_t bytes);
/* Offset of the first byte of [address, address + bytes) that nothing has written, or -1. */
int64_t tritonrl_device_first_undefined(tritonrl_device* device, uint64_t address, uint64_t bytes);

/* `ttir` may begin with a line of JSON, what the compiler says of the kernel, for models of time: {"options":
 * {"num_warps", "num_stages"}, "evidence": {"registers", "spills", "shared"}}, each key optional. NULL when the text is
 * no Triton IR or holds what the executor lacks: *error is then {"error": "...", "kind": "input" | "unsupported"}. The
 * kernel may be launched on any device, any number of times, by any thread. */
tritonrl_kernel* tritonrl_kernel_load(const char* ttir, size_t bytes, char** error);
void tritonrl_kernel_destroy(tritonrl_kernel* kernel);

enum { TRITONRL_INTEGER = 0, TRITONRL_FLOAT = 1, TRITONRL_POINTER = 2, TRITONRL_DESCRIPTOR = 3 };

/* One parameter of the kernel's function, in order. */
typedef struct {
  int32_t kind;
  int32_t rank;    /* descriptor */
  int64_t integer; /* also the address of a pointer or of a descriptor's tensor */
  double real;
  uint64_t extent_begin; /* pointer, descriptor: the bytes that the tensor's elements span; both 0: unknown */
  uint64_t extent_end;
  int64_t shape[5];    /* descriptor */
  int64_t strides[5];  /* descriptor, in elements */
  int32_t nan_padding; /* descriptor: what lies outside reads as NaN instead of 0 */
  const char* name;    /* for messages; may be NULL */
} tritonrl_argument;

/* Runs every program of the grid and returns a JSON object: {"findings": [{"rule", "severity", "file", "line",
 * "column", "callers": [{"file", "line", "column"}], "program": [x, y, z], "lane": n | null, "message",
 * "occurrences"}], "printed": ["..."], "counters": {...}, "modelled_us": x}. A failure of this machine is {"error":
 * "...", "kind": "input" | "unsupported" | "host"} and no kernel's effect can be relied on then. */
char* tritonrl_launch(tritonrl_device* device, const tritonrl_kernel* kernel, const uint32_t grid[3],
                      const tritonrl_argument* arguments, size_t count);

/* Modelled times, without a device. {"profile": "h200" | a path, or "profile_text": TOML, "launches": [{"work": {...},
 * "shape": {...}}], "operators": [{"name", "bytes", "flops", "product": "16-bit" | "tf32" | "float32" | "float64"}]},
 * as a launch's "counters" have them, gives {"call_us", "launches": [{"us", "bound"}], "operators": [us]}. */
char* tritonrl_model(const char* request);
/* Counts at other sizes. {"names": ["m"], "sizes": [[64], [128]], "target": [4096], "counts": {"programs": [1, 2]}}
 * gives
 * {"counts": {"programs": {"value", "error", "formula"}}, "unknown": a dimension that would have to vary, or ""}. */
char* tritonrl_scale(const char* request);

void tritonrl_free_text(char* text);

#ifdef __cplusplus
}
#endif

#endif
