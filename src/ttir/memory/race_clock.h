#pragma once

#include <cstdint>
#include <utility>

namespace tritonrl::ttir {

// A vector clock: how far each program has come, as another one knows it; 0: not at all. A persistent tree of 16-way
// nodes: copies are a pointer, clocks that grew out of each other share all but the paths that differ, and join() stops
// where two clocks share. So n programs that pass one clock on cost n paths, not n vectors. For one thread.
class RaceClock {
 public:
  RaceClock() = default;
  RaceClock(const RaceClock& other);
  RaceClock(RaceClock&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  RaceClock& operator=(RaceClock other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~RaceClock();

  std::uint32_t at(std::uint32_t program) const;
  bool empty() const { return root_ == nullptr; }
  // Whether both are the same tree; equal clocks may be different trees.
  bool same(const RaceClock& other) const { return root_ == other.root_; }

  // The later of both, for each program. *this, or `other`, itself where it holds all of the other one.
  RaceClock joined(const RaceClock& other) const;
  RaceClock with(std::uint32_t program, std::uint32_t time) const;

  struct Node;

 private:
  explicit RaceClock(Node* root) : root_(root) {}

  Node* root_ = nullptr;
};

}  // namespace tritonrl::ttir
