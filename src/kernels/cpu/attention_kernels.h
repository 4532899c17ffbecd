#pragma once

#include <cstdint>

#include "kernels/packed_attention.h"

namespace tritonrl::kernels::cpu {

// One key/value head of one text, with all queries that share it; compiled for one instruction set. `scratch` is what
// packed_attention.cpp makes room for.
using AttendText = void (*)(const PackedAttentionForward&, std::int64_t text, std::int64_t kv_head, float* scratch);
using AttendTextBackward = void (*)(const PackedAttentionBackward&, std::int64_t text, std::int64_t kv_head,
                                    float* scratch);

#ifdef TRITONRL_ISA
namespace TRITONRL_ISA {
void attend_text(const PackedAttentionForward& work, std::int64_t text, std::int64_t kv_head, float* scratch);
void attend_text_backward(const PackedAttentionBackward& work, std::int64_t text, std::int64_t kv_head, float* scratch);
}  // namespace TRITONRL_ISA
#endif

}  // namespace tritonrl::kernels::cpu
