#include "ttir/ir/parser_types.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tritonrl::ttir {
namespace {

constexpr int kMaxTypeDepth = 100;
constexpr std::size_t kMaxDescriptorRank = 5;

struct Scalar {
  std::string_view name;
  Element element;
};
constexpr std::array<Scalar, 15> kScalars{{{"i32", Element::kI32},
                                           {"f32", Element::kF32},
                                           {"i1", Element::kI1},
                                           {"i64", Element::kI64},
                                           {"f16", Element::kF16},
                                           {"bf16", Element::kBF16},
                                           {"i8", Element::kI8},
                                           {"i16", Element::kI16},
                                           {"f64", Element::kF64},
                                           {"index", Element::kI64},
                                           {"f8E4M3FN", Element::kF8E4M3FN},
                                           {"f8E5M2", Element::kF8E5M2},
                                           {"f8E4M3FNUZ", Element::kF8E4M3FNUZ},
                                           {"f8E5M2FNUZ", Element::kF8E5M2FNUZ},
                                           {"f8E4M3B11FNUZ", Element::kF8E4M3B11FNUZ}}};

std::optional<Element> scalar_named(std::string_view name) {
  for (const Scalar& scalar : kScalars)
    if (scalar.name == name) return scalar.element;
  return std::nullopt;
}

// The spelling of a type of MLIR that this parser does not read: "i4", "f4E2M1FN", "vector".
bool is_foreign_type(std::string_view name) {
  constexpr std::array<std::string_view, 7> kWords{"vector", "memref", "tuple", "complex", "none", "tf32", "function"};
  if (std::ranges::find(kWords, name) != kWords.end()) return true;
  for (const std::string_view prefix : {"si", "ui", "i", "f", "bf"})
    if (name.starts_with(prefix) && name.size() > prefix.size() && name[prefix.size()] >= '0' &&
        name[prefix.size()] <= '9')
      return true;
  return false;
}

class TypeParser {
 public:
  explicit TypeParser(Lexer& lexer) : lexer_(lexer) {}

  Type parse(int depth) {
    const Token token = lexer_.token();
    if (depth > kMaxTypeDepth)
      lexer_.fail(token.offset, "types nest deeper than " + std::to_string(kMaxTypeDepth) + " levels");
    if (token.kind == TokenKind::kWord) {
      lexer_.next();
      if (token.text == "tensor") return tensor(token, depth);
      if (const auto element = scalar_named(token.text)) return scalar(*element);
      if (depth > 0 && (token.text.starts_with("si") || token.text.starts_with("ui")))
        if (const auto element = scalar_named(token.text.substr(1)); element && is_integer(*element)) {
          Type type = scalar(*element);
          type.signedness = token.text[0] == 's' ? Signedness::kSigned : Signedness::kUnsigned;
          return type;
        }
      if (is_foreign_type(token.text)) lexer_.unsupported(token, "the type " + std::string(token.text));
      lexer_.fail(token.offset, "expected a type, found '" + std::string(token.text) + "'");
    }
    if (token.kind == TokenKind::kTypeName) {
      lexer_.next();
      if (token.text == "tt.ptr") return pointer(token, depth);
      if (token.text == "tt.tensordesc") return descriptor(token, depth);
      lexer_.unsupported(token, "the type !" + std::string(token.text));
    }
    lexer_.expected("a type");
  }

  Type pointer(const Token& name, int depth) {
    lexer_.expect('<');
    Type inner = parse(depth + 1);
    if (lexer_.accept(',')) {
      const Token space = lexer_.take(TokenKind::kInteger, "an address space");
      lexer_.expect('>');
      if (space.text != "1") lexer_.unsupported(name, "a pointer to address space " + std::string(space.text));
    } else {
      lexer_.expect('>');
    }
    if (inner.signedness != Signedness::kSignless) lexer_.fail(name.offset, "a pointer's integers have no sign");
    if (inner.element >= Element::kPointer) lexer_.unsupported(name, "the type !tt.ptr<" + inner.text() + ">");
    if (inner.is_tensor())
      return {
          .element = Element::kBlockPointer, .shape = {}, .pointee = inner.element, .block = std::move(inner.shape)};
    return {.element = Element::kPointer, .shape = {}, .pointee = inner.element, .block = {}};
  }

  Type descriptor(const Token& name, int depth) {
    lexer_.expect('<');
    Type inner = parse(depth + 1);
    if (lexer_.at(',')) lexer_.unsupported(lexer_.token(), "a tensor descriptor with a layout");
    lexer_.expect('>');
    if (!inner.is_tensor() || inner.element >= Element::kPointer)
      lexer_.fail(name.offset, "a descriptor's block is a tensor of numbers");
    if (inner.shape.size() > kMaxDescriptorRank)
      lexer_.fail(name.offset, "a descriptor has at most " + std::to_string(kMaxDescriptorRank) + " dimensions");
    return {.element = Element::kDescriptor,
            .shape = {},
            .pointee = inner.element,
            .block = std::move(inner.shape),
            .signedness = inner.signedness};
  }

 private:
  Type tensor(const Token& name, int depth) {
    if (!lexer_.at('<')) lexer_.expected("'<'");
    Shape shape = lexer_.take_sizes();
    Type type = parse(depth + 1);
    if (type.is_tensor()) lexer_.fail(name.offset, "a tensor's elements are no tensors");
    if (type.element > Element::kPointer) lexer_.unsupported(name, "a tensor of " + type.text());
    if (lexer_.at(',')) {
      lexer_.next();
      lexer_.unsupported(lexer_.token(), "a tensor with a layout");
    }
    lexer_.expect('>');
    if (shape.empty()) lexer_.unsupported(name, "a tensor without dimensions");
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
      if (size > kMaxElements / elements)
        lexer_.fail(name.offset, "this tensor has more than " + std::to_string(kMaxElements) +
                                     " elements, the limit of Triton (TRITON_MAX_TENSOR_NUMEL)");
      elements *= size;
    }
    if (type.signedness != Signedness::kSignless && depth == 0)
      lexer_.fail(name.offset, "only a descriptor's integers have a sign");
    type.shape = std::move(shape);
    return type;
  }

  Lexer& lexer_;
};

}  // namespace

Type parse_type(Lexer& lexer) { return TypeParser(lexer).parse(0); }

Type parse_type_or_short(Lexer& lexer, Element kind) {
  if (!lexer.at('<')) return parse_type(lexer);
  const Token bracket = lexer.token();
  return kind == Element::kDescriptor ? TypeParser(lexer).descriptor(bracket, 0)
                                      : TypeParser(lexer).pointer(bracket, 0);
}

Type scalar(Element element) {
  Type type;
  type.element = element;
  return type;
}

Type with_element(const Type& type, Element element) {
  Type other = scalar(element);
  other.shape = type.shape;
  return other;
}

Type pointee_type(const Type& pointer) {
  if (pointer.element == Element::kPointer) return with_element(pointer, pointer.pointee);
  Type block = scalar(pointer.pointee);
  block.shape = pointer.block;
  return block;
}

}  // namespace tritonrl::ttir
