#include "ttir/ir/parser_attributes.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ttir/ir/parser_types.h"
#include "ttir/lanes/float_format.h"

namespace tritonrl::ttir {
namespace {

constexpr int kMaxAttributeDepth = 100;

unsigned bit_width(Element element) {
  return element == Element::kI1 ? 1 : static_cast<unsigned>(8 * bytes_of(element));
}

struct Integer {
  std::uint64_t magnitude = 0;
  bool negative = false;
  bool hexadecimal = false;
};

std::optional<Integer> integer_of(std::string_view text) {
  Integer value;
  value.negative = text.starts_with('-');
  if (value.negative) text.remove_prefix(1);
  value.hexadecimal = text.starts_with("0x");
  if (value.hexadecimal) text.remove_prefix(2);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value.magnitude, value.hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Two's complement in the low `bits` bits. As in MLIR, the literal may use the sign bit: 255 is an i8.
std::optional<std::uint64_t> integer_bits(std::string_view text, unsigned bits) {
  const std::optional<Integer> value = integer_of(text);
  if (!value) return std::nullopt;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  if (value->magnitude > (value->negative ? mask / 2 + 1 : mask)) return std::nullopt;
  return (value->negative ? 0 - value->magnitude : value->magnitude) & mask;
}

std::int64_t sign_extended(std::uint64_t bits, unsigned width) {
  const unsigned shift = 64 - width;
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

template <Element kElement>
std::uint64_t narrow_bits(double value) {
  using Format = FloatFormat<kElement>;
  return Format::encode(Format::nearest(to_odd(value)));
}

std::uint64_t float_bits(double value, Element element) {
  switch (element) {
    case Element::kF64:
      return std::bit_cast<std::uint64_t>(value);
    case Element::kF32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case Element::kF16:
      return narrow_bits<Element::kF16>(value);
    case Element::kBF16:
      return narrow_bits<Element::kBF16>(value);
    case Element::kF8E4M3FN:
      return narrow_bits<Element::kF8E4M3FN>(value);
    case Element::kF8E5M2:
      return narrow_bits<Element::kF8E5M2>(value);
    case Element::kF8E4M3FNUZ:
      return narrow_bits<Element::kF8E4M3FNUZ>(value);
    case Element::kF8E5M2FNUZ:
      return narrow_bits<Element::kF8E5M2FNUZ>(value);
    default:
      return narrow_bits<Element::kF8E4M3B11FNUZ>(value);
  }
}

double double_of_text(const Lexer& lexer, const Token& literal) {
  double value = 0;
  const char* end = literal.text.data() + literal.text.size();
  const auto [stop, error] = std::from_chars(literal.text.data(), end, value);
  if (stop != end) lexer.fail(literal.offset, "expected a number");
  // Past a double's range from_chars leaves no value; strtod gives what MLIR gives: infinity or zero.
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(literal.text).c_str(), nullptr);
  return value;
}

bool is_literal(const Token& token) {
  return token.kind == TokenKind::kInteger || token.kind == TokenKind::kFloat ||
         (token.kind == TokenKind::kWord && (token.text == "true" || token.text == "false"));
}

// The literals of "[[1, 2], [3, 4]]" in order, and the sizes that its brackets have.
class DenseList {
 public:
  DenseList(Lexer& lexer, std::vector<Token>& literals) : lexer_(lexer), literals_(literals) {}

  Shape parse() {
    parse_level(0);
    return sizes_;
  }

 private:
  void parse_level(std::size_t level) {
    const std::size_t offset = lexer_.token().offset;
    if (level == kMaxRank) lexer_.fail(offset, "a tensor has at most " + std::to_string(kMaxRank) + " dimensions");
    lexer_.expect('[');
    std::int64_t count = 0;
    do {
      if (lexer_.at('[')) {
        if (leaf_level_ != 0 && level + 1 >= leaf_level_) lexer_.expected("a number");
        parse_level(level + 1);
      } else {
        if (!is_literal(lexer_.token()) || (leaf_level_ != 0 && leaf_level_ != level + 1))
          lexer_.expected("a number or '['");
        leaf_level_ = level + 1;
        if (literals_.size() == static_cast<std::size_t>(kMaxElements))
          lexer_.fail(offset, "a tensor has at most " + std::to_string(kMaxElements) + " elements");
        literals_.push_back(lexer_.token());
        lexer_.next();
      }
      ++count;
    } while (lexer_.accept(','));
    lexer_.expect(']');
    if (sizes_.size() <= level) sizes_.resize(level + 1, 0);
    if (sizes_[level] != 0 && sizes_[level] != count) lexer_.fail(offset, "the lists of this tensor differ in length");
    sizes_[level] = count;
  }

  Lexer& lexer_;
  std::vector<Token>& literals_;
  std::size_t leaf_level_ = 0;  // brackets around a number; 0: none was seen
  Shape sizes_;
};

std::vector<std::uint64_t> bits_of_bytes(const std::string& bytes, std::size_t element_bytes) {
  std::vector<std::uint64_t> bits(bytes.size() / element_bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bits[i / element_bytes] |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]))
                               << (8 * (i % element_bytes));
  return bits;
}

// The bytes that "0x0A0B" spells; nothing when it spells none.
std::optional<std::string> hex_bytes(std::string_view text) {
  if (!text.starts_with("0x") || text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 2; i < text.size(); i += 2) {
    unsigned value = 0;
    const auto [stop, error] = std::from_chars(&text[i], &text[i] + 2, value, 16);
    if (error != std::errc() || stop != &text[i] + 2) return std::nullopt;
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace

std::uint64_t literal_bits(const Lexer& lexer, const Token& literal, Element element) {
  if (literal.kind == TokenKind::kWord) {
    if (element != Element::kI1) lexer.fail(literal.offset, "true and false are of type i1");
    return literal.text == "true" ? 1 : 0;
  }
  if (is_integer(element) || literal.kind == TokenKind::kInteger) {
    const std::string name = name_of(element);
    if (literal.kind != TokenKind::kInteger) lexer.fail(literal.offset, "a number with a point is no " + name);
    if (!is_integer(element) && !literal.text.starts_with("0x"))
      lexer.fail(literal.offset, "a float is spelled with a point, or as the hexadecimal digits of its bits");
    const std::optional<std::uint64_t> bits = integer_bits(literal.text, bit_width(element));
    if (!bits) lexer.fail(literal.offset, "this number does not fit into " + name);
    return *bits;
  }
  return float_bits(double_of_text(lexer, literal), element);
}

void AttributeParser::parse_optional_dictionary(Attributes& attributes, int depth) {
  if (!lexer_.accept('{')) return;
  if (lexer_.accept('}')) return;
  do {
    const Token name = lexer_.token();
    if (name.kind != TokenKind::kWord && name.kind != TokenKind::kString) lexer_.expected("an attribute's name");
    lexer_.next();
    Attribute value = lexer_.accept('=') ? parse(depth + 1) : Attribute(true);
    if (!attributes.emplace(std::string(name.text), std::move(value)).second)
      lexer_.fail(name.offset, "the attribute '" + std::string(name.text) + "' is there twice");
  } while (lexer_.accept(','));
  lexer_.expect('}');
}

Attribute AttributeParser::parse(int depth) {
  const Token token = lexer_.token();
  if (depth > kMaxAttributeDepth)
    lexer_.fail(token.offset, "attributes nest deeper than " + std::to_string(kMaxAttributeDepth) + " levels");
  switch (token.kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return parse_number();
    case TokenKind::kString: {
      std::string value = lexer_.unescaped(token);
      lexer_.next();
      if (lexer_.accept(':')) parse_type(lexer_);
      return value;
    }
    case TokenKind::kSymbol:
      lexer_.next();
      return std::string(token.text);
    case TokenKind::kHash:
      return parse_hash();
    case TokenKind::kWord:
      if (token.text == "dense") return parse_dense();
      if (token.text == "array") return parse_array();
      if (token.text == "true" || token.text == "false" || token.text == "unit") {
        lexer_.next();
        return token.text != "false";
      }
      break;
    case TokenKind::kMark:
      if (token.mark == '[') return parse_list(depth);
      if (token.mark == '{') {
        Attributes inner;
        parse_optional_dictionary(inner, depth);
        return std::string(base::strip(lexer_.text(token.offset, lexer_.token().offset)));
      }
      break;
    default:
      break;
  }
  if (token.kind != TokenKind::kWord && token.kind != TokenKind::kTypeName) lexer_.expected("an attribute");
  return parse_type(lexer_).text();
}

Attribute AttributeParser::parse_number() {
  const Token literal = lexer_.token();
  lexer_.next();
  Type type = scalar(literal.kind == TokenKind::kFloat ? Element::kF64 : Element::kI64);
  if (lexer_.accept(':')) type = parse_type(lexer_);
  if (type.is_tensor() || type.element >= Element::kPointer)
    lexer_.fail(literal.offset, "a number is no " + type.text());
  const std::uint64_t bits = literal_bits(lexer_, literal, type.element);
  if (type.element == Element::kI1) return bits != 0;
  if (is_integer(type.element)) return sign_extended(bits, bit_width(type.element));
  if (literal.kind == TokenKind::kFloat) return double_of_text(lexer_, literal);
  return DenseAttribute{.type = type, .bits = {bits}, .splat = true};
}

Attribute AttributeParser::parse_constant(Type& type) {
  const Token literal = lexer_.token();
  if (lexer_.at_word("dense")) {
    Attribute value = parse_dense();
    type = std::get<DenseAttribute>(value).type;
    return value;
  }
  if (!is_literal(literal)) lexer_.expected("a constant");
  lexer_.next();
  type = scalar(Element::kI1);
  if (literal.kind != TokenKind::kWord) {
    lexer_.expect(':');
    type = parse_type(lexer_);
  }
  if (type.is_tensor() || type.element >= Element::kPointer)
    lexer_.fail(literal.offset, "a number is no " + type.text());
  const std::uint64_t bits = literal_bits(lexer_, literal, type.element);
  if (type.element == Element::kI1) return bits != 0;
  if (is_integer(type.element)) return sign_extended(bits, bit_width(type.element));
  return DenseAttribute{.type = type, .bits = {bits}, .splat = true};
}

Attribute AttributeParser::parse_dense() {
  const std::size_t offset = lexer_.token().offset;
  lexer_.expect_word("dense");
  lexer_.expect('<');
  std::vector<Token> literals;
  Shape sizes;
  std::optional<std::string> bytes;
  if (lexer_.at(TokenKind::kString)) {
    bytes = hex_bytes(lexer_.token().text);
    if (!bytes) lexer_.expected("a string of hexadecimal digits");
    lexer_.next();
  } else if (lexer_.at('[')) {
    sizes = DenseList(lexer_, literals).parse();
  } else {
    if (!is_literal(lexer_.token())) lexer_.expected("a number, '[' or a string");
    literals.push_back(lexer_.token());
    lexer_.next();
  }
  lexer_.expect('>');
  lexer_.expect(':');
  DenseAttribute dense{.type = parse_type(lexer_), .bits = {}};
  if (!dense.type.is_tensor() || dense.type.element >= Element::kPointer)
    lexer_.fail(offset, "dense<...> is a tensor of numbers");
  if (bytes) {
    const std::size_t element_bytes = bytes_of(dense.type.element);
    const auto count = static_cast<std::size_t>(element_count(dense.type.shape));
    if (dense.type.element == Element::kI1) lexer_.fail(offset, "a tensor of i1 is not spelled as bytes");
    if (bytes->size() != element_bytes && bytes->size() != element_bytes * count)
      lexer_.fail(offset, "this string has not the size of " + dense.type.text());
    dense.bits = bits_of_bytes(*bytes, element_bytes);
  } else {
    if (!sizes.empty() && sizes != dense.type.shape)
      lexer_.fail(offset, "the lists of this tensor have not the shape of " + dense.type.text());
    dense.bits.reserve(literals.size());
    for (const Token& literal : literals) dense.bits.push_back(literal_bits(lexer_, literal, dense.type.element));
  }
  dense.splat = dense.bits.size() == 1;
  return dense;
}

Attribute AttributeParser::parse_array() {
  lexer_.expect_word("array");
  lexer_.expect('<');
  const std::size_t offset = lexer_.token().offset;
  const Type type = parse_type(lexer_);
  if (type.is_tensor() || !is_integer(type.element)) lexer_.fail(offset, "an array here holds integers");
  std::vector<std::int64_t> values;
  if (lexer_.accept(':')) {
    do {
      if (!is_literal(lexer_.token())) lexer_.expected("a number");
      values.push_back(sign_extended(literal_bits(lexer_, lexer_.token(), type.element), bit_width(type.element)));
      lexer_.next();
    } while (lexer_.accept(','));
  }
  lexer_.expect('>');
  return values;
}

Attribute AttributeParser::parse_list(int depth) {
  const std::size_t begin = lexer_.token().offset;
  std::vector<std::int64_t> integers;
  bool only_integers = true;
  lexer_.expect('[');
  if (!lexer_.at(']')) {
    do {
      const Attribute item = parse(depth + 1);
      const auto* const integer = std::get_if<std::int64_t>(&item);
      only_integers = only_integers && integer != nullptr;
      if (only_integers) integers.push_back(*integer);
    } while (lexer_.accept(','));
  }
  const std::size_t end = lexer_.token().end;
  lexer_.expect(']');
  if (only_integers) return integers;
  return std::string(lexer_.text(begin, end));
}

Attribute AttributeParser::parse_hash() {
  const Token name = lexer_.take(TokenKind::kHash, "an attribute");
  if (name.text.find('.') == std::string_view::npos) {
    if (!aliases_.contains(name.text)) lexer_.fail(name.offset, "#" + std::string(name.text) + " is not defined");
    return "#" + std::string(name.text);
  }
  std::string value = "#" + std::string(name.text);
  if (lexer_.at('<')) value += lexer_.skip_brackets();
  return value;
}

void AttributeParser::define_alias(std::string_view name) {
  const std::size_t offset = lexer_.token().offset;
  parse();
  if (!aliases_.insert(name).second) lexer_.fail(offset, "#" + std::string(name) + " is defined twice");
}

}  // namespace tritonrl::ttir
