#ifndef TRITONRL_SANDBOX_C_API_H
#define TRITONRL_SANDBOX_C_API_H

#include <stddef.h>
#include <stdint.h>

/* What the fork server (harness/tritonrl_harness/fork_server.py) needs: libtritonrl_sandbox.so. Functions that return
 * text return NULL when they succeed, and else what went wrong, to be freed with tritonrl_sandbox_free_text. */
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The server, once: ends with the program; an empty file system in memory on `folder`. */
char* tritonrl_sandbox_prepare_server(const char* folder, uint64_t bytes);

/* The server, around each fork: the child is the first process of a pid namespace. */
char* tritonrl_sandbox_start_pid_namespace(void);
char* tritonrl_sandbox_leave_pid_namespaces(void);

/* The child, in this order. Errors are noted in the status page too. status_fd, filter_fd and watch_fd are closed on
 * the way. */
char* tritonrl_sandbox_isolate(const char* setup_json, int status_fd, int filter_fd, int watch_fd,
                               const int* descriptors, size_t count);
char* tritonrl_sandbox_lock_down(void);
/* The child's own preparation failed, before the lock-down. */
void tritonrl_sandbox_fail(const char* message);

/* The guest's process, after the lock-down: why it is about to end (a limit's name or ""), or that it is done. */
void tritonrl_sandbox_note(const char* limit, const char* message);
void tritonrl_sandbox_complete(void);

void tritonrl_sandbox_free_text(char* text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
