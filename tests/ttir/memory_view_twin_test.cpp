#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "memory_twin.h"
#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {
namespace {

constexpr Address kPage = 0x7000000;

struct RegionPlan {
  Address address;
  std::size_t bytes;
  Contents contents;
};
// Neighbours without a gap, a page end inside, two in one page, and lengths that are no multiple of an element's.
const std::vector<RegionPlan>& region_plans() {
  static const std::vector<RegionPlan> plans = {{kPage + 0x100, 0x60, Contents::kDefined},
                                                {kPage + 0x160, 0x43, Contents::kUndefined},
                                                {kPage + 0x1f80, 0x101, Contents::kUndefined},
                                                {kPage + 0x4000, 0x1200, Contents::kDefined}};
  return plans;
}

// One random launch on both memories.
class Trial {
 public:
  Trial(std::uint64_t seed, bool synchronises) : random_(seed), synchronises_(synchronises), twin_(synchronises) {
    for (const RegionPlan& plan : region_plans()) {
      hosts_.emplace_back(plan.bytes);
      space_.add(plan.address, plan.bytes, hosts_.back().data(), "r", plan.contents);
      twin_.add(plan.address, plan.bytes, plan.contents);
    }
    space_.add(kPage + 0x3000, 0x40, nullptr, "gone", Contents::kDefined);
    space_.remove(kPage + 0x3000);
    twin_.add_freed(kPage + 0x3000, 0x40);
    extents_ = {
        {"a", kPage + 0x100, kPage + 0x140, true}, {"b", 0, 0, false}, {"c", kPage + 0x4010, kPage + 0x4ff8, true}};
    twin_.extents = extents_;
  }

  void run(std::size_t operations) {
    MemoryView view(space_, extents_, 1, {.synchronises = synchronises_, .max_findings = 1000000});
    enter(view, 0);
    for (std::size_t i = 0; i < operations; ++i) {
      if (below(3) == 0) enter(view, static_cast<std::uint32_t>(below(4)));
      site_.location = static_cast<LocationId>(i);
      site_.element = std::vector{Element::kI8, Element::kI16, Element::kI32, Element::kI64}[below(4)];
      site_.argument = static_cast<std::int32_t>(below(4)) - 1;
      make_lanes();
      operate(view);
      ASSERT_EQ(out_, twin_out_) << "operation " << i;
    }
    std::set<MemoryTwin::Found> found;
    for (const Finding& finding : view.findings()) {
      found.emplace(finding.rule->id, finding.location, finding.program[0], finding.lane);
    }
    const std::set<MemoryTwin::Found> expected = twin_.found();
    std::vector<MemoryTwin::Found> different;
    std::set_symmetric_difference(found.begin(), found.end(), expected.begin(), expected.end(),
                                  std::back_inserter(different));
    for (const auto& [rule, location, program, lane] : different) {
      const bool ours = found.contains({rule, location, program, lane});
      ADD_FAILURE() << (ours ? "only the view" : "only the twin") << " finds " << rule << " at operation " << location
                    << ", program " << program << ", lane " << lane;
    }
    EXPECT_EQ(view.traffic()[0].sectors, twin_.sectors);
    EXPECT_EQ(view.traffic()[0].distinct, twin_.distinct);
    EXPECT_EQ(view.traffic()[0].lines, twin_.lines);
    EXPECT_EQ(view.unique_bytes().read, twin_.bytes_read());
    EXPECT_EQ(view.unique_bytes().written, twin_.bytes_written());
    compare_memory();
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  void enter(MemoryView& view, std::uint32_t program) {
    view.enter(program, {program, 0, 0});
    twin_.enter(program);
  }

  Address somewhere(std::size_t size) {
    const RegionPlan& plan = region_plans()[below(region_plans().size())];
    const std::size_t kind = below(40);
    if (kind == 0) return below(4096);
    if (kind == 1) return kPage + 0x3000 + below(0x48);
    if (kind == 2) return plan.address + below(plan.bytes + 16);
    if (kind == 3) return plan.address + plan.bytes - below(16);
    return (plan.address + below(std::min<std::size_t>(plan.bytes, 0x60))) / size * size;
  }

  void make_lanes() {
    const std::size_t size = bytes_of(site_.element);
    const std::size_t kind = below(6);
    const std::size_t count = kind == 5 ? 1 : 1 + below(below(10) == 0 ? 900 : 40);
    addresses_.resize(count);
    const Address first = somewhere(size);
    const std::size_t row = 1 + below(16);
    const std::size_t pitch = size * below(40);
    for (std::size_t i = 0; i < count; ++i) {
      switch (kind) {
        case 0:
        case 5:
          addresses_[i] = first + i * size;
          break;
        case 1:
          addresses_[i] = first + i / row * pitch + i % row * size;
          break;
        case 2:
          addresses_[i] = first;
          break;
        case 3:
          addresses_[i] = first + i * pitch;
          break;
        default:
          addresses_[i] = somewhere(size);
      }
    }
    const std::size_t mask = below(4);
    mask_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      mask_[i] = mask == 1 || (mask == 2 && i < count * 2 / 3) || (mask == 3 && below(2) == 0) ? 1 : 0;
    }
    lanes_ = {addresses_.data(), mask == 0 ? nullptr : mask_.data(), count};
    // Few different values, so that programs write equal ones and comparisons hold now and then.
    const std::size_t bytes = count * size;
    values_.resize(bytes);
    compare_.resize(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      values_[i] = static_cast<std::byte>(below(2));
      compare_[i] = static_cast<std::byte>(i % size == 0 ? below(2) : 0);
    }
    out_.assign(bytes, std::byte{0x55});
    twin_out_ = out_;
  }

  void operate(MemoryView& view) {
    const auto ordering = static_cast<Ordering>(below(4));
    switch (below(synchronises_ ? 8 : 4)) {
      case 0:
      case 1:
        view.load(site_, lanes_, out_.data());
        twin_.load(site_, lanes_, twin_out_.data(), false);
        break;
      case 2:
      case 3:
        view.store(site_, lanes_, values_.data());
        twin_.store(site_, lanes_, values_.data());
        break;
      case 4: {
        const bool exchange = below(2) == 0;
        view.atomic_rmw(site_, lanes_, exchange ? RmwOperation::kExchange : RmwOperation::kAdd, ordering,
                        values_.data(), out_.data());
        twin_.rmw(site_, lanes_, exchange, ordering, values_.data(), twin_out_.data());
        break;
      }
      case 5:
        view.atomic_cas(site_, lanes_, ordering, compare_.data(), values_.data(), out_.data());
        twin_.cas(site_, lanes_, ordering, compare_.data(), values_.data(), twin_out_.data());
        break;
      case 6:
        view.load_volatile(site_, lanes_, out_.data());
        twin_.load(site_, lanes_, twin_out_.data(), true);
        break;
      default:
        view.barrier();
        twin_.barrier();
        break;
    }
  }

  void compare_memory() {
    for (std::size_t region = 0; region < hosts_.size(); ++region) {
      for (std::size_t i = 0; i < hosts_[region].size(); ++i) {
        ASSERT_EQ(hosts_[region][i], twin_.at(region_plans()[region].address + i)) << region << " " << i;
      }
    }
  }

  std::mt19937_64 random_;
  bool synchronises_;
  AddressSpace space_;
  MemoryTwin twin_;
  std::vector<std::vector<std::byte>> hosts_;
  std::vector<ArgumentExtent> extents_;
  AccessSite site_;
  std::vector<Address> addresses_;
  std::vector<std::uint8_t> mask_;
  LaneAddresses lanes_;
  std::vector<std::byte> values_;
  std::vector<std::byte> compare_;
  std::vector<std::byte> out_;
  std::vector<std::byte> twin_out_;
};

std::uint64_t trials() { return std::getenv("SOAK") != nullptr ? 2000 : 100; }

TEST(MemoryViewTwin, AgreesOnKernelsWithoutAtomics) {
  for (std::uint64_t seed = 0; seed < trials() && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Trial(seed, false).run(60);
  }
}

TEST(MemoryViewTwin, AgreesOnKernelsThatSynchronise) {
  for (std::uint64_t seed = 0; seed < trials() && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Trial(seed, true).run(60);
  }
}

}  // namespace
}  // namespace tritonrl::ttir
