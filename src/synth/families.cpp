#include "synth/families.h"

#include <vector>

namespace tritonrl::synth {

std::span<const Family> families() {
  static const std::vector<Family> kAll = [] {
    std::vector<Family> all;
    for (const auto level : {level1_families(), level2_families(), level3_families()})
      all.insert(all.end(), level.begin(), level.end());
    return all;
  }();
  return kAll;
}

}  // namespace tritonrl::synth
