#include "task/fingerprint.h"

#include <deque>
#include <map>
#include <set>

#include "base/digest.h"
#include "pysource/syntax_tree.h"
#include "task/reference.h"

namespace tritonrl::task {
namespace {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;
using pysource::Op;
using pysource::SyntaxTree;

enum class Numbers : bool { kCount, kErased };

// Names that mean something to torch, whoever defines them.
bool is_protocol(std::string_view name) {
  return name == "forward" || name == "self" || (name.starts_with("__") && name.ends_with("__"));
}

// Writes a definition and all that it reaches, in the order in which it reaches it.
class NormalForm {
 public:
  NormalForm(const SyntaxTree& tree, Numbers numbers) : tree_(tree), numbers_(numbers) { collect(tree.root()); }

  bool defines(std::string_view name) const { return definitions_.contains(name); }

  std::string of(std::string_view entry) {
    reach(entry);
    while (!waiting_.empty()) {
      const NodeId definition = waiting_.front();
      waiting_.pop_front();
      write(definition);
      text_ += '\n';
    }
    return std::move(text_);
  }

 private:
  // What is bound where: definitions and imports of the module, all other names of the program's own.
  void collect(NodeId module) {
    for (const NodeId statement : tree_.kids(module)) {
      const Kind kind = tree_.kind(statement);
      if (kind == Kind::kClassDef || kind == Kind::kFunctionDef) definitions_[tree_.text(statement)] = statement;
      if (kind == Kind::kAssign && tree_.kind(tree_.kid(statement, 0)) == Kind::kName) {
        definitions_[tree_.text(tree_.kid(statement, 0))] = statement;
      }
    }
    for (NodeId node = 1; node < tree_.size(); ++node) bind(node);
  }

  void bind(NodeId node) {
    switch (tree_.kind(node)) {
      case Kind::kImport:
        for (const NodeId alias : tree_.kids(node)) bind_import(alias, "");
        return;
      case Kind::kImportFrom:
        for (const NodeId alias : tree_.kids(node)) bind_import(alias, std::string(tree_.text(node)) + ".");
        return;
      case Kind::kFunctionDef:
      case Kind::kClassDef:
      case Kind::kParam:
        own_.insert(tree_.text(node));
        return;
      case Kind::kAssign:
      case Kind::kAugAssign:
      case Kind::kFor:
      case Kind::kCompFor:
        return bind_target(tree_.kid(node, 0));
      case Kind::kWithItem:
        return bind_target(tree_.kid(node, 1));
      default:
        return;
    }
  }

  void bind_import(NodeId alias, const std::string& from) {
    const std::string_view path = tree_.text(alias);
    const NodeId as = tree_.kid(alias, 0);
    if (as != kAbsentNode) {
      imports_[tree_.text(as)] = from + std::string(path);
    } else if (from.empty()) {
      const std::string_view first = path.substr(0, path.find('.'));
      imports_[first] = std::string(first);
    } else {
      imports_[path] = from + std::string(path);
    }
  }

  void bind_target(NodeId target) {
    if (tree_.kind(target) == Kind::kName || tree_.kind(target) == Kind::kAttribute) own_.insert(tree_.text(target));
    if (tree_.kind(target) == Kind::kTuple || tree_.kind(target) == Kind::kListDisplay) {
      for (const NodeId each : tree_.kids(target)) bind_target(each);
    }
  }

  void reach(std::string_view name) {
    const auto found = definitions_.find(name);
    if (found != definitions_.end() && reached_.insert(name).second) waiting_.push_back(found->second);
  }

  void write_name(std::string_view name) {
    if (const auto import = imports_.find(name); import != imports_.end()) {
      text_ += import->second;
      return;
    }
    if (is_protocol(name) || !own_.contains(name)) {
      text_ += name;
      return;
    }
    const auto [number, fresh] = numbers_of_.emplace(name, numbers_of_.size());
    text_ += '$' + std::to_string(number->second);
    if (fresh) reach(name);
  }

  // A module constant that is a number is as good as the number.
  bool is_number(NodeId node) const {
    switch (tree_.kind(node)) {
      case Kind::kInt:
      case Kind::kFloat:
        return true;
      case Kind::kUnary:
        return tree_.op(node) == Op::kSub && is_number(tree_.kid(node, 0));
      case Kind::kName: {
        const auto found = definitions_.find(tree_.text(node));
        return found != definitions_.end() && tree_.kind(found->second) == Kind::kAssign &&
               tree_.kind(tree_.kid(found->second, 1)) != Kind::kName && is_number(tree_.kid(found->second, 1));
      }
      default:
        return false;
    }
  }

  bool is_docstring(NodeId statement) const { return tree_.kind(statement) == Kind::kString; }

  void write(NodeId node) {
    const Kind kind = tree_.kind(node);
    if (numbers_ == Numbers::kErased && is_number(node)) {
      text_ += '#';
      return;
    }
    if (kind == Kind::kName) return write_name(tree_.text(node));
    if (kind == Kind::kAttribute && write_path(node)) return;
    text_ += '(' + std::to_string(static_cast<int>(kind)) + '.' + std::to_string(static_cast<int>(tree_.op(node)));
    write_text(node);
    const auto kids = tree_.kids(node);
    for (std::size_t slot = 0; slot < kids.size(); ++slot) {
      if (is_annotation(kind, slot) || (kind == Kind::kBlock && is_docstring(kids[slot]))) continue;
      text_ += ' ';
      write(kids[slot]);
    }
    text_ += ')';
  }

  static bool is_annotation(Kind kind, std::size_t slot) {
    return (kind == Kind::kFunctionDef && slot == 3) || (kind == Kind::kParam && slot == 1) ||
           (kind == Kind::kAssign && slot == 2);
  }

  // torch.nn.functional.relu, however its front was imported.
  bool write_path(NodeId node) {
    const NodeId object = tree_.kid(node, 0);
    const bool rooted = tree_.kind(object) == Kind::kName && imports_.contains(tree_.text(object));
    if (!rooted && !(tree_.kind(object) == Kind::kAttribute && is_imported(object))) return false;
    write(object);
    text_ += '.';
    text_ += tree_.text(node);
    return true;
  }

  bool is_imported(NodeId node) const {
    while (tree_.kind(node) == Kind::kAttribute) node = tree_.kid(node, 0);
    return tree_.kind(node) == Kind::kName && imports_.contains(tree_.text(node));
  }

  void write_text(NodeId node) {
    const std::string_view text = tree_.text(node);
    if (text.empty()) return;
    text_ += ':';
    switch (tree_.kind(node)) {
      case Kind::kFunctionDef:
      case Kind::kClassDef:
      case Kind::kParam:
      case Kind::kAttribute:
        return write_name(text);
      default:
        text_ += text;
    }
  }

  const SyntaxTree& tree_;
  Numbers numbers_;
  std::map<std::string_view, NodeId> definitions_;
  std::map<std::string_view, std::string> imports_;
  std::set<std::string_view> own_;
  std::set<std::string_view> reached_;
  std::map<std::string_view, std::size_t> numbers_of_;
  std::deque<NodeId> waiting_;
  std::string text_;
};

std::string fingerprint(std::string_view source, std::string_view entry, Numbers numbers) {
  const auto parsed = SyntaxTree::parse(source);
  if (const auto* tree = std::get_if<SyntaxTree>(&parsed)) {
    NormalForm form(*tree, numbers);
    if (form.defines(entry)) return base::sha256_hex(form.of(entry));
  }
  return base::sha256_hex(source);
}

}  // namespace

std::string tree_fingerprint(std::string_view source) { return fingerprint(source, "Model", Numbers::kErased); }

std::string code_fingerprint(std::string_view source, std::string_view entry) {
  return fingerprint(source, entry, Numbers::kCount);
}

}  // namespace tritonrl::task
