#include "kernels/cpu/decode_kernels.h"
#include "kernels/cpu/row_kernels.h"

namespace tritonrl::kernels::cpu {

#define TRITONRL_TABLES_OF(isa)        \
  namespace isa {                      \
  const DecodeKernels& decode_table(); \
  const RowKernels& row_table();       \
  }
TRITONRL_TABLES_OF(baseline)
#ifdef TRITONRL_X86_TABLES
TRITONRL_TABLES_OF(v3)
TRITONRL_TABLES_OF(v4)
#endif
#undef TRITONRL_TABLES_OF

namespace {

#ifdef TRITONRL_X86_TABLES
bool has_v4() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}
bool has_v3() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

}  // namespace

const std::vector<const DecodeKernels*>& all_decode_kernels() {
  static const auto kTables = [] {
    std::vector<const DecodeKernels*> tables;
#ifdef TRITONRL_X86_TABLES
    if (has_v4()) tables.push_back(&v4::decode_table());
    if (has_v3()) tables.push_back(&v3::decode_table());
#endif
    tables.push_back(&baseline::decode_table());
    return tables;
  }();
  return kTables;
}

const DecodeKernels& decode_kernels() { return *all_decode_kernels().front(); }

const std::vector<const RowKernels*>& all_row_kernels() {
  static const auto kTables = [] {
    std::vector<const RowKernels*> tables;
#ifdef TRITONRL_X86_TABLES
    if (has_v4()) tables.push_back(&v4::row_table());
    if (has_v3()) tables.push_back(&v3::row_table());
#endif
    tables.push_back(&baseline::row_table());
    return tables;
  }();
  return kTables;
}

}  // namespace tritonrl::kernels::cpu
