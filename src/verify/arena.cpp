#include "verify/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "verify/wire.h"

namespace tritonrl::verify {

Arena::Arena(std::uint64_t bytes) : fd_(memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes_(bytes) {
  if (!fd_ || ftruncate(fd_.get(), static_cast<off_t>(bytes)) != 0) {
    throw base::HostError::from_errno("make the memory that a guest shares", errno);
  }
  // A guest that could shrink it would fault us.
  if (fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    throw base::HostError::from_errno("seal the memory that a guest shares", errno);
  }
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
  if (memory == MAP_FAILED) throw base::HostError::from_errno("map the memory that a guest shares", errno);
  memory_ = static_cast<std::byte*>(memory);
}

Arena::~Arena() { munmap(memory_, bytes_); }

std::byte* Arena::at(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t offset = address - wire::kArenaBase;
  if (address < wire::kArenaBase || offset > bytes_ || bytes > bytes_ - offset) return nullptr;
  return memory_ + offset;
}

}  // namespace tritonrl::verify
