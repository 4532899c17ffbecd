#include "ttir/ir/type.h"

#include <array>
#include <string_view>

namespace tritonrl::ttir {
namespace {

struct ElementFacts {
  std::string_view name;
  std::size_t bytes;
};

constexpr std::array<ElementFacts, 17> kFacts{{{"i1", 1},
                                               {"i8", 1},
                                               {"i16", 2},
                                               {"i32", 4},
                                               {"i64", 8},
                                               {"f8E4M3FN", 1},
                                               {"f8E5M2", 1},
                                               {"f8E4M3FNUZ", 1},
                                               {"f8E5M2FNUZ", 1},
                                               {"f8E4M3B11FNUZ", 1},
                                               {"f16", 2},
                                               {"bf16", 2},
                                               {"f32", 4},
                                               {"f64", 8},
                                               {"!tt.ptr", 8},
                                               {"!tt.ptr", 8},
                                               {"!tt.tensordesc", 8}}};
static_assert(kFacts.size() == static_cast<std::size_t>(Element::kDescriptor) + 1);

constexpr std::array<const char*, 3> kSigns{"", "s", "u"};

const ElementFacts& facts(Element element) { return kFacts[static_cast<std::size_t>(element)]; }

std::string tensor_text(const Shape& shape, const std::string& element) {
  std::string text = "tensor<";
  for (const std::int64_t size : shape) text += std::to_string(size) + "x";
  return text + element + ">";
}

}  // namespace

bool is_integer(Element element) { return element <= Element::kI64; }
bool is_float(Element element) { return element >= Element::kF8E4M3FN && element <= Element::kF64; }
std::size_t bytes_of(Element element) { return facts(element).bytes; }
std::string name_of(Element element) { return std::string(facts(element).name); }

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::string Type::text() const {
  std::string scalar = name_of(element);
  if (element == Element::kPointer) scalar += "<" + name_of(pointee) + ">";
  if (element == Element::kBlockPointer || element == Element::kDescriptor)
    scalar += "<" + tensor_text(block, kSigns[static_cast<std::size_t>(signedness)] + name_of(pointee)) + ">";
  return is_tensor() ? tensor_text(shape, scalar) : scalar;
}

}  // namespace tritonrl::ttir
