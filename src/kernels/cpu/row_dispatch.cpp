#include "kernels/cpu/row_kernels.h"

namespace tritonrl::kernels::cpu {

namespace baseline {
const RowKernels& table();
}
#ifdef TRITONRL_X86_TABLES
namespace v3 {
const RowKernels& table();
}
namespace v4 {
const RowKernels& table();
}
#endif

const std::vector<const RowKernels*>& all_row_kernels() {
  static const auto kTables = [] {
    std::vector<const RowKernels*> tables;
#ifdef TRITONRL_X86_TABLES
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq")) {
      tables.push_back(&v4::table());
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) tables.push_back(&v3::table());
#endif
    tables.push_back(&baseline::table());
    return tables;
  }();
  return kTables;
}

}  // namespace tritonrl::kernels::cpu
