#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tritonrl::analysis {

// Things by their names, in the order in which the names came. A few are searched, many are indexed.
// What a name views must outlive this.
template <typename T>
class Named {
 public:
  struct Entry {
    std::string_view name;
    T value;
  };

  const T* find(std::string_view name) const {
    if (entries_.size() <= kSearched) {
      for (const Entry& entry : entries_)
        if (entry.name == name) return &entry.value;
      return nullptr;
    }
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &entries_[found->second].value;
  }
  T* find(std::string_view name) { return const_cast<T*>(std::as_const(*this).find(name)); }
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  T& at(std::string_view name) {  // T{} if new
    if (T* known = find(name)) return *known;
    entries_.push_back({name, T{}});
    if (entries_.size() == kSearched + 1) {
      for (std::size_t i = 0; i < entries_.size(); ++i) index_.emplace(entries_[i].name, i);
    } else if (entries_.size() > kSearched) {
      index_.emplace(name, entries_.size() - 1);
    }
    return entries_.back().value;
  }
  void set(std::string_view name, T value) { at(name) = std::move(value); }
  void set_all(const Named& others) {
    for (const auto& [name, value] : others) set(name, value);
  }

  void truncate(std::size_t size) {
    for (; entries_.size() > size; entries_.pop_back()) index_.erase(entries_.back().name);
    if (entries_.size() <= kSearched) index_.clear();
  }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }

 private:
  static constexpr std::size_t kSearched = 16;

  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> index_;
};

}  // namespace tritonrl::analysis
