#include "ttir/memory/race_clock.h"

#include <algorithm>
#include <array>

namespace tritonrl::ttir {

namespace {
constexpr unsigned kFanBits = 4;
constexpr std::size_t kFan = std::size_t{1} << kFanBits;
}  // namespace

// Level 0 holds times, the levels above it nodes of the level below.
struct RaceClock::Node {
  explicit Node(std::uint32_t its_level) : level(its_level) {}

  std::uint32_t level;
  std::uint32_t references = 1;
};

namespace {

using Node = RaceClock::Node;

struct Leaf : Node {
  Leaf() : Node(0) {}
  std::array<std::uint32_t, kFan> times{};
};

struct Branch : Node {
  explicit Branch(std::uint32_t its_level) : Node(its_level) {}
  std::array<Node*, kFan> children{};
};

Node* share(Node* node) {
  if (node != nullptr) ++node->references;
  return node;
}

void release(Node* node) {
  if (node == nullptr || --node->references != 0) return;
  if (node->level == 0) {
    delete static_cast<Leaf*>(node);
    return;
  }
  auto* branch = static_cast<Branch*>(node);
  for (Node* child : branch->children) release(child);
  delete branch;
}

// Where `program` lies in a node of this level; kFan or more: outside it.
std::size_t slot_of(std::uint32_t program, std::uint32_t level) { return std::uint64_t{program} >> (kFanBits * level); }

Node* lifted(Node* node) {
  auto* branch = new Branch(node->level + 1);
  branch->children[0] = node;
  return branch;
}

// All of these return a reference of the caller's own.
Node* join(Node* a, Node* b);

Node* join_leaves(Leaf* a, Leaf* b) {
  bool as_a = true;
  bool as_b = true;
  for (std::size_t i = 0; i < kFan; ++i) {
    as_a = as_a && a->times[i] >= b->times[i];
    as_b = as_b && b->times[i] >= a->times[i];
  }
  if (as_a || as_b) return share(as_a ? a : b);
  auto* leaf = new Leaf;
  for (std::size_t i = 0; i < kFan; ++i) leaf->times[i] = std::max(a->times[i], b->times[i]);
  return leaf;
}

Node* join_branches(Branch* a, Branch* b) {
  std::array<Node*, kFan> children{};
  bool as_a = true;
  bool as_b = true;
  for (std::size_t i = 0; i < kFan; ++i) {
    children[i] = join(a->children[i], b->children[i]);
    as_a = as_a && children[i] == a->children[i];
    as_b = as_b && children[i] == b->children[i];
  }
  if (as_a || as_b) {
    for (Node* child : children) release(child);
    return share(as_a ? a : b);
  }
  auto* branch = new Branch(a->level);
  branch->children = children;
  return branch;
}

Node* join(Node* a, Node* b) {
  if (a == b || b == nullptr) return share(a);
  if (a == nullptr) return share(b);
  return a->level == 0 ? join_leaves(static_cast<Leaf*>(a), static_cast<Leaf*>(b))
                       : join_branches(static_cast<Branch*>(a), static_cast<Branch*>(b));
}

Node* with_time(Node* node, std::uint32_t level, std::uint32_t program, std::uint32_t time) {
  const std::size_t slot = slot_of(program, level) % kFan;
  if (level == 0) {
    auto* leaf = new Leaf;
    if (node != nullptr) leaf->times = static_cast<Leaf*>(node)->times;
    leaf->times[slot] = time;
    return leaf;
  }
  auto* branch = new Branch(level);
  if (node != nullptr) branch->children = static_cast<Branch*>(node)->children;
  Node* const old = branch->children[slot];
  for (std::size_t i = 0; i < kFan; ++i) {
    if (i != slot) share(branch->children[i]);
  }
  branch->children[slot] = with_time(old, level - 1, program, time);
  return branch;
}

}  // namespace

RaceClock::RaceClock(const RaceClock& other) : root_(share(other.root_)) {}

RaceClock::~RaceClock() { release(root_); }

std::uint32_t RaceClock::at(std::uint32_t program) const {
  const Node* node = root_;
  if (node == nullptr || slot_of(program, node->level) >= kFan) return 0;
  while (node->level != 0) {
    node = static_cast<const Branch*>(node)->children[slot_of(program, node->level) % kFan];
    if (node == nullptr) return 0;
  }
  return static_cast<const Leaf*>(node)->times[program % kFan];
}

RaceClock RaceClock::joined(const RaceClock& other) const {
  Node* a = share(root_);
  Node* b = share(other.root_);
  if (a != nullptr && b != nullptr) {
    while (a->level < b->level) a = lifted(a);
    while (b->level < a->level) b = lifted(b);
  }
  RaceClock result(join(a, b));
  release(a);
  release(b);
  return result;
}

RaceClock RaceClock::with(std::uint32_t program, std::uint32_t time) const {
  Node* root = share(root_);
  std::uint32_t level = root != nullptr ? root->level : 0;
  while (slot_of(program, level) >= kFan) {
    if (root != nullptr) root = lifted(root);
    ++level;
  }
  RaceClock result(with_time(root, level, program, time));
  release(root);
  return result;
}

}  // namespace tritonrl::ttir
