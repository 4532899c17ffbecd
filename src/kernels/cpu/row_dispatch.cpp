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

const RowKernels& row_kernels() {
#ifdef TRITONRL_X86_TABLES
  static const RowKernels& kTable = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
                                        ? v4::table()
                                    : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                                        ? v3::table()
                                        : baseline::table();
  return kTable;
#else
  return baseline::table();
#endif
}

}  // namespace tritonrl::kernels::cpu
