#include "kernels/cpu/decode_kernels.h"

namespace tritonrl::kernels::cpu {

namespace baseline {
const DecodeKernels& decode_table();
}
#ifdef TRITONRL_X86_TABLES
namespace v3 {
const DecodeKernels& decode_table();
}
namespace v4 {
const DecodeKernels& decode_table();
}
#endif

const std::vector<const DecodeKernels*>& all_decode_kernels() {
  static const auto kTables = [] {
    std::vector<const DecodeKernels*> tables;
#ifdef TRITONRL_X86_TABLES
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq")) {
      tables.push_back(&v4::decode_table());
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) tables.push_back(&v3::decode_table());
#endif
    tables.push_back(&baseline::decode_table());
    return tables;
  }();
  return kTables;
}

const DecodeKernels& decode_kernels() { return *all_decode_kernels().front(); }

}  // namespace tritonrl::kernels::cpu
