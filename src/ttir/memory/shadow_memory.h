#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "ttir/memory/address_space.h"
#include "ttir/memory/shadow_arena.h"

namespace tritonrl::ttir {

// A Cell for each byte of guest memory that a launch touches. Bytes with one history share a cell: a page's cells stand
// for 2^shift bytes each, as coarse as the first access allows, and are split when a finer access comes. A Cell that is
// all zeros means untouched.
template <typename Cell>
class ShadowMemory {
  static_assert(std::is_trivially_copyable_v<Cell>);

 public:
  static constexpr unsigned kPageShift = 12;
  static constexpr Address kPageBytes = Address{1} << kPageShift;

  // Cells of [begin, begin + count << shift), which lies in one page.
  struct Cells {
    Cell* first;
    std::size_t count;
    unsigned shift;
    Address begin;

    Address address_of(std::size_t cell) const { return begin + (Address{cell} << shift); }
  };

  ShadowMemory() : table_(kFirstTable) {}

  // Calls visit(Cells) for [begin, end), page by page; the cells cover exactly that.
  template <typename Visit>
  void touch(Address begin, Address end, Visit&& visit) {
    while (begin < end) {
      const Address stop = std::min(end, (begin | (kPageBytes - 1)) + 1);
      Page& page = page_of(begin);
      const Address from = begin % kPageBytes;
      const Address to = from + (stop - begin);
      const auto finest = static_cast<unsigned>(std::countr_zero(from | to | kPageBytes));
      if (page.cells == nullptr) [[unlikely]] {
        create(page, finest);
      } else if (page.shift > finest) [[unlikely]] {
        split(page, finest);
      }
      visit(Cells{page.cells + (from >> page.shift), (to - from) >> page.shift, page.shift, begin});
      begin = stop;
    }
  }

  // The cell of the 2^shift bytes at `address`, a multiple of that; nullptr where page and cells are not of that size
  // yet.
  Cell* single(Address address, unsigned shift) {
    const Page& page = page_of(address);
    if (page.cells == nullptr || page.shift != shift) [[unlikely]] {
      return nullptr;
    }
    return page.cells + (address % kPageBytes >> shift);
  }

  // Calls visit(Cell) for the cells that [begin, end) meets, where there are any.
  template <typename Visit>
  void peek(Address begin, Address end, Visit&& visit) {
    while (begin < end) {
      const Address stop = std::min(end, (begin | (kPageBytes - 1)) + 1);
      if (const Chunk* chunk = find_chunk(begin >> kChunkShift)) {
        const Page& page = chunk->pages[(begin >> kPageShift) % kChunkPages];
        if (page.cells != nullptr) {
          const Address from = begin % kPageBytes;
          const std::size_t last = (from + (stop - begin) - 1) >> page.shift;
          for (std::size_t i = from >> page.shift; i <= last; ++i) visit(page.cells[i]);
        }
      }
      begin = stop;
    }
  }

  // Calls visit(Cells) for every page that was touched.
  template <typename Visit>
  void for_each_page(Visit&& visit) const {
    for (const Slot& slot : table_) {
      if (slot.chunk == nullptr) continue;
      for (std::size_t i = 0; i < kChunkPages; ++i) {
        const Page& page = slot.chunk->pages[i];
        if (page.cells == nullptr) continue;
        visit(Cells{page.cells, kPageBytes >> page.shift, page.shift, (slot.key << kChunkShift) + i * kPageBytes});
      }
    }
  }

 private:
  static constexpr std::size_t kChunkPages = 64;
  static constexpr unsigned kChunkShift = kPageShift + 6;
  static constexpr std::size_t kFirstTable = 32;  // a power of two, like every size that follows

  struct Page {
    Cell* cells;
    unsigned shift;
  };
  struct Chunk {
    std::array<Page, kChunkPages> pages;
  };
  struct Slot {
    std::uint64_t key = 0;
    Chunk* chunk = nullptr;
  };

  Page& page_of(Address address) {
    const std::uint64_t key = address >> kChunkShift;
    if (key != last_.key || last_.chunk == nullptr) [[unlikely]] {
      Chunk* chunk = find_chunk(key);
      last_ = {key, chunk != nullptr ? chunk : create_chunk(key)};
    }
    return last_.chunk->pages[(address >> kPageShift) % kChunkPages];
  }

  std::size_t home_of(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15U >> 32U) & (table_.size() - 1); }

  Chunk* find_chunk(std::uint64_t key) const {
    for (std::size_t at = home_of(key); table_[at].chunk != nullptr; at = (at + 1) & (table_.size() - 1)) {
      if (table_[at].key == key) return table_[at].chunk;
    }
    return nullptr;
  }

  Chunk* create_chunk(std::uint64_t key) {
    if (2 * (chunks_ + 1) > table_.size()) {
      std::vector<Slot> old(2 * table_.size());
      old.swap(table_);
      for (const Slot& slot : old) {
        if (slot.chunk != nullptr) insert(slot);
      }
    }
    auto* chunk = new (arena_.take(sizeof(Chunk))) Chunk{};
    insert({key, chunk});
    ++chunks_;
    return chunk;
  }

  void insert(Slot slot) {
    std::size_t at = home_of(slot.key);
    while (table_[at].chunk != nullptr) at = (at + 1) & (table_.size() - 1);
    table_[at] = slot;
  }

  Cell* take_cells(unsigned shift) {
    std::vector<Cell*>& unused = unused_[shift];
    if (unused.empty()) {
      return reinterpret_cast<Cell*>(arena_.take(sizeof(Cell) << (kPageShift - shift)));
    }
    Cell* cells = unused.back();
    unused.pop_back();
    return cells;
  }

  void create(Page& page, unsigned shift) {
    page.cells = take_cells(shift);
    page.shift = shift;
    std::uninitialized_value_construct_n(page.cells, kPageBytes >> shift);
  }

  void split(Page& page, unsigned shift) {
    Cell* cells = take_cells(shift);
    const std::size_t parts = std::size_t{1} << (page.shift - shift);
    for (std::size_t i = 0; i < kPageBytes >> page.shift; ++i) {
      std::uninitialized_fill_n(cells + i * parts, parts, page.cells[i]);
    }
    unused_[page.shift].push_back(page.cells);
    page.cells = cells;
    page.shift = shift;
  }

  ShadowArena arena_;
  std::vector<Slot> table_;
  std::size_t chunks_ = 0;
  Slot last_;
  std::array<std::vector<Cell*>, kPageShift + 1> unused_;  // by shift: cells that were split
};

}  // namespace tritonrl::ttir
