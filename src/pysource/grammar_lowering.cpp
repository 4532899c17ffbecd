#include "pysource/grammar_lowering.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pysource/grammar_parser.h"
#include "pysource/grammar_symbols.h"
#include "pysource/line_ends.h"
#include "pysource/operators.h"
#include "pysource/string_literal.h"

namespace tritonrl::pysource {
namespace {

SourceSpan span_of(TSNode node) { return {ts_node_start_byte(node), ts_node_end_byte(node)}; }

bool is_compound_statement(Rule rule) {
  switch (rule) {
    case Rule::kClass:
    case Rule::kDecorated:
    case Rule::kFor:
    case Rule::kFunction:
    case Rule::kIf:
    case Rule::kMatch:
    case Rule::kTry:
    case Rule::kWhile:
    case Rule::kWith:
      return true;
    default:
      return false;
  }
}

// Looser than any operator that binary_precedence knows.
bool is_loose_expression(Rule rule) {
  return rule == Rule::kConditional || rule == Rule::kBool || rule == Rule::kCompare || rule == Rule::kNot ||
         rule == Rule::kLambda || rule == Rule::kNamed;
}

bool begins_with_operand(Kind kind) {
  switch (kind) {
    case Kind::kAttribute:
    case Kind::kCall:
    case Kind::kSubscript:
    case Kind::kBinary:
    case Kind::kBool:
    case Kind::kCompare:
    case Kind::kConditional:
      return true;
    default:
      return false;
  }
}

bool ends_with_operand(Kind kind) {
  switch (kind) {
    case Kind::kBinary:
    case Kind::kBool:
    case Kind::kCompare:
    case Kind::kConditional:
    case Kind::kLambda:
    case Kind::kUnary:
      return true;
    default:
      return false;
  }
}

// One pass with a cursor over tree-sitter's tree, children before parents.
class Lowering {
 public:
  Lowering(TreeBuilder& builder, TSNode root) : builder_(builder), cursor_(ts_tree_cursor_new(root)) {
    builder_.reserve(ts_node_descendant_count(root) / 2 + 16);
  }
  ~Lowering() { ts_tree_cursor_delete(&cursor_); }
  Lowering(const Lowering&) = delete;
  Lowering& operator=(const Lowering&) = delete;

  std::variant<NodeId, SourceError> run() {
    const NodeId root = lower();
    if (error_) return *std::move(error_);
    return root;
  }

 private:
  struct Child {
    TSFieldId field;
    NodeId node;
  };
  using Children = std::vector<Child>;

  void fail(SourceError::Kind kind, std::string message) {
    if (!error_) error_ = SourceError{kind, ts_node_start_byte(here()), std::move(message)};
  }
  TSNode here() const { return ts_tree_cursor_current_node(&cursor_); }
  std::string_view source_text(TSNode node) const { return builder_.source_of(span_of(node)); }

  template <typename Kids>
  NodeId add(Kind kind, TSNode at, const Kids& kids, std::string_view text = {}, Op op = Op::kNothing) {
    return builder_.add(kind, span_of(at), kids, text, op);
  }
  NodeId add(Kind kind, TSNode at, std::initializer_list<NodeId> kids, std::string_view text = {},
             Op op = Op::kNothing) {
    return builder_.add(kind, span_of(at), kids, text, op);
  }

  // Calls visit(field, node) with the cursor on each child that is no comment.
  template <typename Visit>
  void each_child(Visit visit) {
    if (error_ || !ts_tree_cursor_goto_first_child(&cursor_)) return;
    do {
      const TSNode child = here();
      if (grammar().rule_of(child) == Rule::kSkip) continue;
      visit(ts_tree_cursor_current_field_id(&cursor_), child);
    } while (!error_ && ts_tree_cursor_goto_next_sibling(&cursor_));
    ts_tree_cursor_goto_parent(&cursor_);
  }

  std::vector<NodeId> lower_named() {
    std::vector<NodeId> kids;
    each_child([&](TSFieldId, TSNode child) {
      if (ts_node_is_named(child)) kids.push_back(lower());
    });
    return kids;
  }

  struct Elements {
    std::vector<NodeId> nodes;
    bool comma = false;
    // What Python takes for one expression, and not for a tuple.
    bool is_single() const { return nodes.size() == 1 && !comma; }
  };
  Elements lower_elements() {
    Elements elements;
    each_child([&](TSFieldId, TSNode child) {
      if (ts_node_is_named(child)) {
        elements.nodes.push_back(lower());
      } else {
        elements.comma |= source_text(child) == ",";
      }
    });
    return elements;
  }
  NodeId lower_tuple_or_single(TSNode at) {
    const Elements elements = lower_elements();
    return elements.is_single() ? elements.nodes[0] : add(Kind::kTuple, at, elements.nodes);
  }

  Children lower_fields() {
    Children children;
    each_child([&](TSFieldId field, TSNode child) {
      if (ts_node_is_named(child)) children.push_back({field, lower()});
    });
    return children;
  }
  // Only the body is inside the loop: break in its else belongs to an outer one.
  Children lower_loop() {
    Children children;
    each_child([&](TSFieldId field, TSNode child) {
      if (!ts_node_is_named(child)) return;
      const int inside = field == grammar().body ? 1 : 0;
      loops_ += inside;
      children.push_back({field, lower()});
      loops_ -= inside;
    });
    return children;
  }
  static NodeId pick(const Children& children, TSFieldId field) {
    for (const auto& child : children)
      if (child.field == field) return child.node;
    return kAbsentNode;
  }

  NodeId lower_all(Kind kind, TSNode at) { return add(kind, at, lower_named()); }

  class Level {
   public:
    explicit Level(Lowering& lowering) : lowering_(lowering) {
      if (++lowering_.depth_ > kMaxDepth) {
        lowering_.fail(SourceError::Kind::kTooDeep, "expressions or blocks are nested too deep here");
      }
    }
    ~Level() { --lowering_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Lowering& lowering_;
  };

  NodeId lower() {
    const Level level(*this);
    return error_ ? kAbsentNode : put_right(lower_node(here()));
  }

  // In some places the grammar has a star bind tighter than the operators after it, and `as` tighter than those before
  // it: *a.b is (*a).b to it, and `with lambda: a as b` names what the lambda returns.
  NodeId put_right(NodeId node) {
    const auto kids = tree_.kids(node);
    if (kids.empty()) return node;
    const Kind kind = tree_.kind(node);
    const bool star = begins_with_operand(kind) && tree_.kind(kids.front()) == Kind::kStarred;
    const bool as = ends_with_operand(kind) && tree_.kind(kids.back()) == Kind::kWithItem;
    return star ? builder_.add_with_star_outside(node) : as ? builder_.add_with_as_outside(node) : node;
  }

  NodeId lower_node(TSNode at);
  NodeId lower_statements(TSNode at, Kind kind);
  NodeId lower_with(TSNode at);
  NodeId ungrouped(NodeId items);
  NodeId lower_with_item(TSNode at);
  NodeId lower_match(TSNode at);
  NodeId lower_case(TSNode at);
  NodeId lower_class(TSNode at);
  NodeId lower_type_alias(TSNode at);
  NodeId lower_import_from(TSNode at);
  NodeId lower_alias(TSNode at);
  NodeId lower_parameters(TSNode at);
  NodeId lower_param(TSNode at);
  NodeId lower_function(TSNode at);
  NodeId lower_if(TSNode at);
  NodeId lower_try(TSNode at);
  NodeId lower_handler(TSNode at);

  NodeId lower_arguments(TSNode at);
  NodeId lower_name_and_value(TSNode at, Kind kind);
  NodeId lower_bool(TSNode at);
  NodeId lower_unary(TSNode at);
  NodeId lower_conditional(TSNode at);
  NodeId lower_await(TSNode at);
  bool is_power(TSNode node) const;
  NodeId lower_power(TSNode at);

  struct Operand {
    SourceSpan span;
    NodeId node;
  };
  struct Chain {
    std::vector<Operand> operands;
    std::vector<Op> ops;  // between them
  };
  bool is_chain(TSNode node) const;
  void collect_chain(TSNode at, Chain& chain);
  NodeId lower_chain(TSNode at);

  NodeId lower_generic_type(TSNode at);
  NodeId lower_member_type(TSNode at);
  NodeId lower_constrained_type(TSNode at);
  NodeId lower_compare(TSNode at);
  NodeId lower_slice(TSNode at);
  NodeId lower_subscript(TSNode at);
  NodeId index_of(TSNode at, const Elements& indices);
  NodeId lower_string(TSNode at);
  NodeId lower_interpolation(TSNode at);
  NodeId lower_decorated(TSNode at);

  TreeBuilder& builder_;
  const SyntaxTree& tree_ = builder_.tree();
  TSTreeCursor cursor_;
  std::optional<SourceError> error_;
  int depth_ = 0;
  int functions_ = 0;
  int loops_ = 0;
};

NodeId Lowering::lower_node(TSNode at) {
  const Grammar& g = grammar();
  switch (g.rule_of(at)) {
    case Rule::kSkip:
    case Rule::kKeywordSeparator:
      return kAbsentNode;
    case Rule::kTransparent: {
      const auto kids = lower_named();
      return kids.size() == 1 ? kids[0] : add(kids.empty() ? Kind::kOpaque : Kind::kTuple, at, kids);
    }
    case Rule::kModule:
      return lower_statements(at, Kind::kModule);
    case Rule::kBlock:
      return lower_statements(at, Kind::kBlock);
    case Rule::kExpressionStatement:
    case Rule::kTuplePattern:
      return lower_tuple_or_single(at);
    case Rule::kName:
      return add(Kind::kName, at, {}, source_text(at));
    case Rule::kInt:
      return add(Kind::kInt, at, {}, source_text(at));
    case Rule::kFloat:
      return add(Kind::kFloat, at, {}, source_text(at));
    case Rule::kTrue:
      return add(Kind::kTrue, at, {});
    case Rule::kFalse:
      return add(Kind::kFalse, at, {});
    case Rule::kNone:
      return add(Kind::kNone, at, {});
    case Rule::kEllipsis:
      return add(Kind::kEllipsis, at, {});
    case Rule::kPass:
      return add(Kind::kPass, at, {});
    case Rule::kBreak:
      if (loops_ == 0) fail(SourceError::Kind::kSyntax, "break or continue outside a loop");
      return add(Kind::kPass, at, {});
    case Rule::kPython2:
      fail(SourceError::Kind::kSyntax, "this is a Python 2 statement");
      return kAbsentNode;
    case Rule::kString:
      return lower_string(at);
    case Rule::kConcatenated:
      return builder_.add_concatenated(span_of(at), lower_named());
    case Rule::kInterpolation:
      return lower_interpolation(at);
    case Rule::kAttribute: {
      NodeId object = kAbsentNode;
      std::string_view name;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.object) object = lower();
        if (field == g.attribute) name = source_text(child);
      });
      return add(Kind::kAttribute, at, {object}, name);
    }
    case Rule::kCall: {
      const auto children = lower_fields();
      NodeId arguments = pick(children, g.arguments);
      if (tree_.kind(arguments) != Kind::kList) arguments = add(Kind::kList, at, {arguments});
      return add(Kind::kCall, at, {pick(children, g.function), arguments});
    }
    case Rule::kArguments:
      return lower_arguments(at);
    case Rule::kKeyword:
      return lower_name_and_value(at, Kind::kKeyword);
    case Rule::kNamed:
      return lower_name_and_value(at, Kind::kNamed);
    case Rule::kStarred:
    case Rule::kStarParam:
      return lower_all(Kind::kStarred, at);
    case Rule::kDoubleStarred:
    case Rule::kDoubleStarParam:
      return lower_all(Kind::kDoubleStarred, at);
    case Rule::kSubscript:
      return lower_subscript(at);
    case Rule::kSlice:
      return lower_slice(at);
    case Rule::kBinary:
      return is_power(at) ? lower_power(at) : lower_chain(at);
    case Rule::kUnionType:
      return lower_chain(at);
    case Rule::kGenericType:
      return lower_generic_type(at);
    case Rule::kConstrainedType:
      return lower_constrained_type(at);
    case Rule::kMemberType:
      return lower_member_type(at);
    case Rule::kBool:
      return lower_bool(at);
    case Rule::kCompare:
      return lower_compare(at);
    case Rule::kUnary:
      return lower_unary(at);
    case Rule::kNot:
      return add(Kind::kUnary, at, lower_named(), {}, Op::kNot);
    case Rule::kConditional:
      return lower_conditional(at);
    case Rule::kLambda: {
      ++functions_;
      const auto children = lower_fields();
      --functions_;
      NodeId parameters = pick(children, g.parameters);
      if (parameters == kAbsentNode) parameters = add(Kind::kList, at, {});
      return add(Kind::kLambda, at, {parameters, pick(children, g.body)});
    }
    case Rule::kTuple:
      return lower_all(Kind::kTuple, at);
    case Rule::kListDisplay:
      return lower_all(Kind::kListDisplay, at);
    case Rule::kSet:
      return lower_all(Kind::kSet, at);
    case Rule::kDict:
      return lower_all(Kind::kDict, at);
    case Rule::kPair: {
      const auto children = lower_fields();
      return add(Kind::kPair, at, {pick(children, g.key), pick(children, g.value)});
    }
    case Rule::kComprehension:
      return lower_all(Kind::kComprehension, at);
    case Rule::kForIn: {
      const auto children = lower_fields();
      return add(Kind::kCompFor, at, {pick(children, g.left), pick(children, g.right)});
    }
    case Rule::kIfClause:
      return lower_all(Kind::kCompIf, at);
    case Rule::kAwait:
      return lower_await(at);
    case Rule::kYield:
      if (functions_ == 0) fail(SourceError::Kind::kSyntax, "yield outside a function");
      return lower_all(Kind::kYield, at);
    case Rule::kReturn:
      if (functions_ == 0) fail(SourceError::Kind::kSyntax, "return outside a function");
      return lower_all(Kind::kReturn, at);
    case Rule::kAssign: {
      const auto children = lower_fields();
      return add(Kind::kAssign, at, {pick(children, g.left), pick(children, g.right), pick(children, g.type)});
    }
    case Rule::kAugAssign: {
      Op op = Op::kNothing;
      NodeId target = kAbsentNode;
      NodeId value = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.left) {
          target = lower();
        } else if (field == g.right) {
          value = lower();
        } else {
          op = g.op_of(child);
        }
      });
      return add(Kind::kAugAssign, at, {target, value}, {}, op);
    }
    case Rule::kFunction:
      return lower_function(at);
    case Rule::kParameters:
      return lower_parameters(at);
    case Rule::kParam:
      return lower_param(at);
    case Rule::kClass:
      return lower_class(at);
    case Rule::kDecorated:
      return lower_decorated(at);
    case Rule::kIf:
      return lower_if(at);
    case Rule::kFor: {
      const auto children = lower_loop();
      return add(
          Kind::kFor, at,
          {pick(children, g.left), pick(children, g.right), pick(children, g.body), pick(children, g.alternative)});
    }
    case Rule::kWhile: {
      const auto children = lower_loop();
      return add(Kind::kWhile, at,
                 {pick(children, g.condition), pick(children, g.body), pick(children, g.alternative)});
    }
    case Rule::kTry:
      return lower_try(at);
    case Rule::kExcept:
      return lower_handler(at);
    case Rule::kWith:
      return lower_with(at);
    case Rule::kWithItem:
      return lower_with_item(at);
    case Rule::kAsPattern:
      return lower_all(Kind::kWithItem, at);
    case Rule::kMatch:
      return lower_match(at);
    case Rule::kCase:
      return lower_case(at);
    case Rule::kRaise: {
      NodeId exception = kAbsentNode;
      NodeId cause = kAbsentNode;
      each_child([&](TSFieldId field, TSNode child) {
        if (!ts_node_is_named(child)) return;
        (field == g.cause ? cause : exception) = lower();
      });
      return add(Kind::kRaise, at, {exception, cause});
    }
    case Rule::kAssert:
      return lower_all(Kind::kAssert, at);
    case Rule::kDelete:
      return builder_.add_delete(span_of(at), lower_named());
    case Rule::kGlobal:
      return lower_all(Kind::kGlobal, at);
    case Rule::kNonlocal:
      return lower_all(Kind::kNonlocal, at);
    case Rule::kImport: {
      std::vector<NodeId> aliases;
      each_child([&](TSFieldId field, TSNode child) {
        if (field == g.name) aliases.push_back(lower_alias(child));
      });
      return add(Kind::kImport, at, aliases);
    }
    case Rule::kImportFrom:
      return lower_import_from(at);
    case Rule::kAlias:
      return lower_alias(at);
    case Rule::kTypeAlias:
      return lower_type_alias(at);
    case Rule::kDottedName:  // in a pattern of match; imports read the text
    case Rule::kOpaque:
      return lower_all(Kind::kOpaque, at);
  }
  return kAbsentNode;
}

// Statements

NodeId Lowering::lower_statements(TSNode at, Kind kind) {
  std::vector<NodeId> statements;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) return;
    if (!is_compound_statement(grammar().rule_of(child)) && runs_over_line_end(child, builder_.source())) {
      fail(SourceError::Kind::kSyntax, "this statement runs over the end of its line");
    }
    statements.push_back(lower());
  });
  return add(kind, at, statements);
}

NodeId Lowering::lower_class(TSNode at) {
  const Grammar& g = grammar();
  std::string_view name;
  NodeId bases = kAbsentNode;
  NodeId body = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == g.name) name = source_text(child);
    if (field == g.superclasses) bases = lower();
    if (field != g.body) return;
    const int functions = std::exchange(functions_, 0);
    const int loops = std::exchange(loops_, 0);
    body = lower();
    functions_ = functions;
    loops_ = loops;
  });
  if (bases == kAbsentNode) bases = add(Kind::kList, at, {});
  const NodeId decorators = add(Kind::kList, at, {});
  return add(Kind::kClassDef, at, {decorators, bases, body}, name);
}

NodeId Lowering::lower_with(TSNode at) {
  NodeId items = kAbsentNode;
  NodeId body = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (!ts_node_is_named(child)) return;
    if (field == grammar().body) {
      body = lower();
    } else {
      items = lower_all(Kind::kList, child);
      const TSNode value = ts_node_named_child(ts_node_named_child(child, 0), 0);
      if (tree_.kids(items).size() == 1 && grammar().rule_of(value) == Rule::kTuple) items = ungrouped(items);
    }
  });
  return add(Kind::kWith, at, {items, body});
}

// To Python the brackets of `with (a,):` group items; to the grammar they are a tuple.
NodeId Lowering::ungrouped(NodeId items) {
  const auto elements = tree_.kids(tree_.kid(tree_.kid(items, 0), 0));
  if (elements.size() != 1 || tree_.kind(elements[0]) == Kind::kStarred) return items;
  const NodeId element = elements[0];
  const NodeId item = builder_.add(Kind::kWithItem, {tree_.begin(element), tree_.end(element)}, {element, kAbsentNode});
  return builder_.add(Kind::kList, {tree_.begin(items), tree_.end(items)}, {item});
}

NodeId Lowering::lower_with_item(TSNode at) {
  const auto kids = lower_named();
  const NodeId item = kids.empty() ? kAbsentNode : kids[0];
  if (tree_.kind(item) == Kind::kWithItem) return item;
  const bool named = grammar().rule_of(ts_node_named_child(at, 0)) == Rule::kNamed;
  if (tree_.kind(item) == Kind::kStarred || named) {
    fail(SourceError::Kind::kSyntax, "this is a tuple, which no with statement takes");
  }
  return add(Kind::kWithItem, at, {item, kAbsentNode});
}

NodeId Lowering::lower_match(TSNode at) {
  Elements subjects;
  NodeId cases = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().subject) subjects.nodes.push_back(lower());
    if (field == grammar().body) cases = lower_all(Kind::kList, child);
    subjects.comma |= source_text(child) == ",";
  });
  const NodeId subject = subjects.is_single() ? subjects.nodes[0] : add(Kind::kTuple, at, subjects.nodes);
  return add(Kind::kMatch, at, {subject, cases});
}

NodeId Lowering::lower_case(TSNode at) {
  std::vector<NodeId> patterns;
  NodeId guard = kAbsentNode;
  NodeId body = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (!ts_node_is_named(child)) return;
    if (field == grammar().guard) {
      guard = lower();
    } else if (field == grammar().consequence) {
      body = lower();
    } else {
      patterns.push_back(lower());
    }
  });
  const NodeId pattern = add(Kind::kOpaque, at, patterns);
  return add(Kind::kCase, at, {pattern, guard, body});
}

NodeId Lowering::lower_type_alias(TSNode at) {
  const Grammar& g = grammar();
  const Rule left = g.rule_of(ts_node_named_child(ts_node_child_by_field_id(at, g.left), 0));
  if (left != Rule::kName && left != Rule::kGenericType) {  // type(x).y = z, which the grammar misreads
    fail(SourceError::Kind::kSyntax, "this reads as a type alias: put parentheses around type(...)");
  }
  const auto children = lower_fields();
  return add(Kind::kTypeAlias, at, {pick(children, g.left), pick(children, g.right)});
}

NodeId Lowering::lower_alias(TSNode at) {
  if (grammar().rule_of(at) != Rule::kAlias) {
    return add(Kind::kAlias, at, {kAbsentNode}, builder_.dotted_name(span_of(at)));
  }
  std::string_view dotted;
  NodeId bound = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().name) dotted = builder_.dotted_name(span_of(child));
    if (field == grammar().alias) bound = lower();
  });
  return add(Kind::kAlias, at, {bound}, dotted);
}

NodeId Lowering::lower_import_from(TSNode at) {
  std::string_view module = "__future__";
  std::vector<NodeId> aliases;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().module_name) module = builder_.dotted_name(span_of(child));
    if (field == grammar().name) aliases.push_back(lower_alias(child));
  });
  return add(Kind::kImportFrom, at, aliases, module);
}

NodeId Lowering::lower_parameters(TSNode at) {
  std::vector<NodeId> params;
  bool keyword_only = false;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) return;
    if (grammar().rule_of(child) == Rule::kKeywordSeparator) {
      keyword_only = true;
      return;
    }
    const NodeId param = lower_param(child);
    if (tree_.op(param) == Op::kNothing && keyword_only) builder_.set_op(param, Op::kKeywordOnly);
    if (tree_.op(param) == Op::kStar) keyword_only = true;
    params.push_back(param);
  });
  return add(Kind::kList, at, params);
}

NodeId Lowering::lower_param(TSNode at) {
  const Grammar& g = grammar();
  std::string_view name;
  NodeId fallback = kAbsentNode;
  NodeId annotation = kAbsentNode;
  Op op = Op::kNothing;
  const auto take_name = [&](TSNode node) {
    const Rule rule = g.rule_of(node);
    op = rule == Rule::kStarParam ? Op::kStar : rule == Rule::kDoubleStarParam ? Op::kDoubleStar : Op::kNothing;
    if (op == Op::kNothing) {
      name = source_text(node);
    } else {
      each_child([&](TSFieldId, TSNode child) { name = source_text(child); });
    }
  };
  if (g.rule_of(at) != Rule::kParam) {
    take_name(at);
  } else {
    each_child([&](TSFieldId field, TSNode child) {
      if (!ts_node_is_named(child)) return;
      if (field == g.value) {
        fallback = lower();
      } else if (field == g.type) {
        annotation = lower();
      } else {
        take_name(child);
      }
    });
  }
  return add(Kind::kParam, at, {fallback, annotation}, name, op);
}

NodeId Lowering::lower_function(TSNode at) {
  const Grammar& g = grammar();
  const int loops = std::exchange(loops_, 0);
  ++functions_;
  std::string_view name;
  NodeId parameters = kAbsentNode;
  NodeId body = kAbsentNode;
  NodeId annotation = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == g.name) name = source_text(child);
    if (field == g.parameters) parameters = lower();
    if (field == g.return_type) annotation = lower();
    if (field == g.body) body = lower();
  });
  --functions_;
  loops_ = loops;
  const NodeId decorators = add(Kind::kList, at, {});
  return add(Kind::kFunctionDef, at, {decorators, parameters, body, annotation}, name);
}

NodeId Lowering::lower_decorated(TSNode at) {
  std::vector<NodeId> decorators;
  NodeId definition = kAbsentNode;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) return;
    const NodeId node = lower();
    if (tree_.kind(node) == Kind::kFunctionDef || tree_.kind(node) == Kind::kClassDef) {
      definition = node;
    } else {
      decorators.push_back(node);
    }
  });
  if (definition == kAbsentNode) return kAbsentNode;
  const NodeId list = add(Kind::kList, at, decorators);
  builder_.set_decorators(definition, list);
  return definition;
}

NodeId Lowering::lower_if(TSNode at) {
  const Grammar& g = grammar();
  NodeId condition = kAbsentNode;
  NodeId body = kAbsentNode;
  std::vector<NodeId> elifs;  // flat in the source, and there may be many
  NodeId otherwise = kAbsentNode;
  each_child([&](TSFieldId field, TSNode) {
    if (field == g.condition) {
      condition = lower();
    } else if (field == g.consequence) {
      body = lower();
    } else if (field == g.alternative) {
      const NodeId alternative = lower();
      if (tree_.kind(alternative) == Kind::kIf) {
        elifs.push_back(alternative);
      } else {
        otherwise = alternative;
      }
    }
  });
  if (elifs.size() > kMaxElifs) {
    fail(SourceError::Kind::kTooDeep, "too many elif branches");
    return kAbsentNode;
  }
  return builder_.add_if(span_of(at), condition, body, elifs, otherwise);
}

NodeId Lowering::lower_try(TSNode at) {
  NodeId body = kAbsentNode;
  NodeId otherwise = kAbsentNode;
  NodeId last = kAbsentNode;
  std::vector<NodeId> handlers;
  each_child([&](TSFieldId field, TSNode child) {
    if (!ts_node_is_named(child)) return;
    const std::string_view type = ts_node_type(child);
    const NodeId node = lower();
    if (field == grammar().body) {
      body = node;
    } else if (type == "else_clause") {
      otherwise = node;
    } else if (type == "finally_clause") {
      last = node;
    } else {
      handlers.push_back(node);
    }
  });
  const NodeId list = add(Kind::kList, at, handlers);
  return add(Kind::kTry, at, {body, list, otherwise, last});
}

NodeId Lowering::lower_handler(TSNode at) {
  NodeId type = kAbsentNode;
  NodeId body = kAbsentNode;
  std::string_view name;
  for (const NodeId kid : lower_named()) {
    if (tree_.kind(kid) == Kind::kBlock) {
      body = kid;
    } else if (tree_.kind(kid) == Kind::kWithItem) {  // `E as e`
      type = tree_.kid(kid, 0);
      name = tree_.text(tree_.kid(kid, 1));
    } else if (type == kAbsentNode) {
      type = kid;
    } else {
      fail(SourceError::Kind::kSyntax, "except with a comma is Python 2");
    }
  }
  if (tree_.kind(type) == Kind::kStarred) type = tree_.kid(type, 0);  // except *E: the star is the clause's
  return add(Kind::kHandler, at, {type, body}, name);
}

// Expressions

NodeId Lowering::lower_arguments(TSNode at) {
  const NodeId list = lower_all(Kind::kList, at);
  bool keyword = false;
  for (const NodeId argument : tree_.kids(list)) {
    const Kind kind = tree_.kind(argument);
    if (keyword && kind != Kind::kKeyword && kind != Kind::kStarred && kind != Kind::kDoubleStarred) {
      fail(SourceError::Kind::kSyntax, "a positional argument follows a keyword argument");
    }
    keyword |= kind == Kind::kKeyword || kind == Kind::kDoubleStarred;
  }
  return list;
}

NodeId Lowering::lower_name_and_value(TSNode at, Kind kind) {
  NodeId value = kAbsentNode;
  std::string_view name;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().name) name = source_text(child);
    if (field == grammar().value) value = lower();
  });
  return add(kind, at, {value}, name);
}

NodeId Lowering::lower_bool(TSNode at) {
  const Grammar& g = grammar();
  Op op = Op::kNothing;
  NodeId left = kAbsentNode;
  NodeId right = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == g.left) {
      left = lower();
    } else if (field == g.right) {
      right = lower();
    } else {
      op = g.op_of(child);
    }
  });
  return add(Kind::kBool, at, {left, right}, {}, op);
}

NodeId Lowering::lower_unary(TSNode at) {
  Op op = Op::kNothing;
  NodeId operand = kAbsentNode;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().argument) {
      operand = lower();
    } else if (!ts_node_is_named(child)) {
      op = grammar().op_of(child);
    }
  });
  return add(Kind::kUnary, at, {operand}, {}, op);
}

// To the grammar, y := a if b else c is (y := a) if b else c.
NodeId Lowering::lower_conditional(TSNode at) {
  auto kids = lower_named();
  const TSNode first = ts_node_named_child(at, 0);
  if (grammar().rule_of(first) != Rule::kNamed) return add(Kind::kConditional, at, kids);
  const std::string_view name = tree_.text(kids[0]);
  const TSNode value = ts_node_child_by_field_id(first, grammar().value);
  kids[0] = tree_.kid(kids[0], 0);
  const NodeId conditional = builder_.add(Kind::kConditional, {ts_node_start_byte(value), ts_node_end_byte(at)}, kids);
  return add(Kind::kNamed, at, {conditional}, name);
}

// To the grammar, await a ** b is await (a ** b).
NodeId Lowering::lower_await(TSNode at) {
  NodeId node = kAbsentNode;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) return;
    if (!is_power(child)) {
      node = add(Kind::kAwait, at, {lower()});
      return;
    }
    std::vector<NodeId> operands;
    each_child([&](TSFieldId, TSNode operand) {
      if (!ts_node_is_named(operand)) return;
      operands.push_back(lower());
      if (operands.size() > 1) return;
      const SourceSpan span{ts_node_start_byte(at), ts_node_end_byte(operand)};
      operands[0] = builder_.add(Kind::kAwait, span, {operands[0]});
    });
    node = add(Kind::kBinary, at, operands, {}, Op::kPow);
  });
  return node;
}

bool Lowering::is_power(TSNode node) const {
  return grammar().rule_of(node) == Rule::kBinary &&
         grammar().op_of(ts_node_child_by_field_id(node, grammar().op)) == Op::kPow;
}

NodeId Lowering::lower_power(TSNode at) { return add(Kind::kBinary, at, lower_named(), {}, Op::kPow); }

// Operators between operands that are not in brackets.
bool Lowering::is_chain(TSNode node) const {
  const Rule rule = grammar().rule_of(node);
  return rule == Rule::kUnionType || (rule == Rule::kBinary && !is_power(node));
}

void Lowering::collect_chain(TSNode at, Chain& chain) {
  const Level level(*this);
  const bool types = grammar().rule_of(at) == Rule::kUnionType;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) {
      chain.ops.push_back(grammar().op_of(child));
      return;
    }
    const TSNode inside = types ? ts_node_named_child(child, 0) : child;
    if (types && is_loose_expression(grammar().rule_of(inside))) {
      fail(SourceError::Kind::kSyntax, "this annotation needs parentheses");
    }
    if (!is_chain(inside)) {
      chain.operands.push_back({span_of(child), lower()});
    } else if (types) {
      each_child([&](TSFieldId, TSNode) { collect_chain(inside, chain); });
    } else {
      collect_chain(inside, chain);
    }
  });
}

// To the grammar, & binds looser than ^, and the | of types is an operator of its own: operands and operators are taken
// as they follow each other and put together as Python does.
NodeId Lowering::lower_chain(TSNode at) {
  Chain chain;
  collect_chain(at, chain);
  if (error_ || chain.operands.size() != chain.ops.size() + 1) return kAbsentNode;
  std::vector<Operand> done = {chain.operands[0]};
  std::vector<Op> waiting;
  const auto put_together = [&](int precedence) {
    for (; !waiting.empty() && binary_precedence(waiting.back()) >= precedence; waiting.pop_back()) {
      const Operand right = done.back();
      done.pop_back();
      Operand& left = done.back();
      left.span.end = right.span.end;
      left.node = put_right(builder_.add(Kind::kBinary, left.span, {left.node, right.node}, {}, waiting.back()));
    }
  };
  for (std::size_t i = 0; i < chain.ops.size(); ++i) {
    put_together(binary_precedence(chain.ops[i]));
    waiting.push_back(chain.ops[i]);
    done.push_back(chain.operands[i + 1]);
  }
  put_together(kLoosestPrecedence);
  return done[0].node;
}

// List[int] in an annotation.
NodeId Lowering::lower_generic_type(TSNode at) {
  NodeId object = kAbsentNode;
  NodeId index = kAbsentNode;
  each_child([&](TSFieldId, TSNode child) {
    if (grammar().rule_of(child) == Rule::kName) {
      object = lower();
    } else {
      index = index_of(at, lower_elements());
    }
  });
  return add(Kind::kSubscript, at, {object, index});
}

// List[int].item in an annotation.
NodeId Lowering::lower_member_type(TSNode at) {
  NodeId object = kAbsentNode;
  std::string_view name;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) return;
    if (object == kAbsentNode) {
      object = lower();
    } else {
      name = source_text(child);
    }
  });
  return add(Kind::kAttribute, at, {object}, name);
}

// The a:b of A[a:b] in an annotation.
NodeId Lowering::lower_constrained_type(TSNode at) {
  const auto kids = lower_named();
  if (kids.size() != 2 || tree_.kind(kids[0]) == Kind::kSlice || tree_.kind(kids[1]) == Kind::kSlice) {
    fail(SourceError::Kind::kSyntax, "this annotation needs parentheses");
    return kAbsentNode;
  }
  return add(Kind::kSlice, at, {kids[0], kids[1], kAbsentNode});
}

NodeId Lowering::lower_compare(TSNode at) {
  Op op = Op::kNothing;
  std::vector<NodeId> operands;
  each_child([&](TSFieldId, TSNode child) {
    if (ts_node_is_named(child)) {
      operands.push_back(lower());
    } else if (op == Op::kNothing) {
      op = operator_named(ts_node_type(child));
    }
  });
  return add(Kind::kCompare, at, operands, {}, op);
}

NodeId Lowering::lower_slice(TSNode at) {
  std::array<NodeId, 3> parts{};
  std::size_t slot = 0;
  each_child([&](TSFieldId, TSNode child) {
    if (!ts_node_is_named(child)) {
      slot = std::min<std::size_t>(slot + 1, 2);
    } else {
      parts[slot] = lower();
    }
  });
  return add(Kind::kSlice, at, parts);
}

NodeId Lowering::lower_subscript(TSNode at) {
  NodeId object = kAbsentNode;
  Elements indices;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == grammar().value) {
      object = lower();
    } else if (ts_node_is_named(child)) {
      indices.nodes.push_back(lower());
    } else {
      indices.comma |= source_text(child) == ",";
    }
  });
  return add(Kind::kSubscript, at, {object, index_of(at, indices)});
}

NodeId Lowering::index_of(TSNode at, const Elements& indices) {
  const bool single = indices.is_single() && tree_.kind(indices.nodes[0]) != Kind::kStarred;
  return single ? indices.nodes[0] : add(Kind::kTuple, at, indices.nodes);
}

NodeId Lowering::lower_string(TSNode at) {
  const StringPrefix prefix = read_string_prefix(source_text(at));
  if (!prefix.formatted) return builder_.add_string(span_of(at));
  std::vector<NodeId> parts;
  each_child([&](TSFieldId, TSNode child) {
    if (grammar().rule_of(child) == Rule::kInterpolation) {
      parts.push_back(lower());
    } else if (std::string_view(ts_node_type(child)) == "string_content") {
      parts.push_back(builder_.add_formatted_text(span_of(child), prefix.raw));
    }
  });
  return builder_.add_formatted(span_of(at), parts);
}

NodeId Lowering::lower_interpolation(TSNode at) {
  const Grammar& g = grammar();
  std::vector<NodeId> parts;
  bool formatted = false;
  each_child([&](TSFieldId field, TSNode child) {
    if (field == g.expression && g.rule_of(child) == Rule::kNamed) {  // {a:=5}, which pads a
      formatted = true;
      if (source_text(child).find('{') != std::string_view::npos) {
        fail(SourceError::Kind::kSyntax, "this format reads as the operator :=");
      }
      each_child([&](TSFieldId part, TSNode) {
        if (part == g.name) parts.push_back(lower());
      });
    } else if (field == g.expression) {
      parts.push_back(lower());
    } else if (field == g.format_specifier) {
      formatted = true;
      for (const NodeId part : lower_named()) parts.push_back(part);
    } else {
      formatted |= source_text(child) != "{" && source_text(child) != "}";
    }
  });
  return formatted || parts.size() != 1 ? add(Kind::kOpaque, at, parts) : parts[0];
}

}  // namespace

std::variant<NodeId, SourceError> lower_grammar_tree(TreeBuilder& builder, TSNode root) {
  return Lowering(builder, root).run();
}

}  // namespace tritonrl::pysource
