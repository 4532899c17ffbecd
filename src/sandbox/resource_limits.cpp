#include "sandbox/resource_limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/file.h"

namespace tritonrl::sandbox {
namespace {

void limit(int resource, std::uint64_t value, const char* what, std::uint64_t grace = 0) {
  const struct rlimit both = {.rlim_cur = value, .rlim_max = value + grace};
  if (setrlimit(static_cast<__rlimit_resource>(resource), &both) != 0)
    throw base::HostError::from_errno(std::string("limit ") + what, errno);
}

struct Present {
  std::uint64_t data_bytes = 0;  // private writable memory, mapped
  std::uint64_t threads = 0;
};

// From /proc/self/status: "VmData:    185328 kB", "Threads:        1".
Present present_use(int proc) {
  const int fd = openat(proc, "self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw base::HostError::from_errno("read /proc/self/status", errno);
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(fdopen(fd, "r"));
  Present result;
  char line[256];
  unsigned long long value = 0;
  while (file && std::fgets(line, sizeof line, file.get()) != nullptr) {
    if (std::sscanf(line, "VmData: %llu", &value) == 1) result.data_bytes = value * 1024;  // NOLINT(cert-err34-c)
    if (std::sscanf(line, "Threads: %llu", &value) == 1) result.threads = value;           // NOLINT(cert-err34-c)
  }
  return result;
}

double cpu_seconds_used() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

void limit_resources(const Limits& limits, int proc, const LimitedResources& resources) {
  const Present present = present_use(proc);
  // Private writable memory, and not the address space: CUDA reserves terabytes of that.
  limit(RLIMIT_DATA, present.data_bytes + limits.memory_bytes, "memory");
  if (resources.threads) limit(RLIMIT_NPROC, present.threads + limits.threads, "threads");
  // First SIGXCPU, which names the limit; a second later SIGKILL, for those who do not listen.
  const double cpu_s = std::floor(cpu_seconds_used()) + std::ceil(limits.cpu_s);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(cpu_s), "CPU time", 1);
  limit(RLIMIT_FSIZE, limits.file_bytes, "file sizes");
  limit(RLIMIT_NOFILE, limits.open_files, "open files");
  limit(RLIMIT_CORE, 0, "core dumps");
  limit(RLIMIT_MSGQUEUE, 0, "message queues");
  if (resources.locked_memory) limit(RLIMIT_MEMLOCK, 0, "locked memory");
}

}  // namespace tritonrl::sandbox
