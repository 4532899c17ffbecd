#include "ttir/lanes/lanes_isa.h"

namespace tritonrl::ttir::lanes::TRITONRL_ISA {

const Table& operations() {
  static constexpr Table kTable = {.binary = binary,
                                   .compare = compare,
                                   .unary = unary,
                                   .fast_math = fast_math,
                                   .fma = fma,
                                   .clamp = clamp,
                                   .select = select,
                                   .convert = convert,
                                   .decode = decode,
                                   .encode = encode,
                                   .fill = fill,
                                   .range = range,
                                   .add_offsets = add_offsets,
                                   .any = any,
                                   .float_dot = float_dot,
                                   .double_dot = double_dot,
                                   .byte_dot = byte_dot};
  return kTable;
}

}  // namespace tritonrl::ttir::lanes::TRITONRL_ISA
