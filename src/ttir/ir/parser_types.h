#pragma once

#include "ttir/ir/lexer.h"
#include "ttir/ir/type.h"

namespace tritonrl::ttir {

// The type at the token, which then is what follows it. `index` is read as i64. Types that Triton's IR has none of, or
// that carry a layout (TTGIR), are an UnsupportedError.
Type parse_type(Lexer& lexer);
// Also the short form "<f32>", which operations with a known kind of type print: `kind` is kPointer or kDescriptor.
Type parse_type_or_short(Lexer& lexer, Element kind);

Type scalar(Element element);
// A type of another element with the shape of `type`.
Type with_element(const Type& type, Element element);
// What a load from `pointer` gives: the type of one element for each address, or of the block.
Type pointee_type(const Type& pointer);

}  // namespace tritonrl::ttir
