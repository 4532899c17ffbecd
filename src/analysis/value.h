#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/named.h"
#include "pysource/syntax_tree.h"

namespace tritonrl::analysis {

struct Value;

// Facts about where a number came from, or'ed through arithmetic.
using Taint = std::uint16_t;
inline constexpr Taint kAddress = 1;   // data_ptr(), id(), _version
inline constexpr Taint kState = 2;     // left behind by an earlier call
inline constexpr Taint kCounter = 4;   // grows with every call
inline constexpr Taint kStepped = 8;   // something left behind, plus or minus a constant
inline constexpr Taint kProcess = 16;  // memory in use, seeds, threads
inline constexpr Taint kBuild = 32;    // what torch was built for
inline constexpr Taint kVersion = 64;  // a version number was compared
inline constexpr Taint kAbout = kProcess | kBuild | kVersion;
// The part of it that tells about whoever runs the code.
constexpr Taint about(Taint taint) { return taint & kAbout; }

// What a tensor's memory holds. Tensors that share memory share a Storage.
struct Storage {
  bool input = false;           // forward received it
  bool parameter = false;       // a weight or buffer
  bool kernel_written = false;  // a kernel stored into it, or it was made from such a tensor
  bool torch_computed = false;
  int created_in_call = 0;       // 0: before the first call of the entry
  int written_in_call = -1;      // the last call in which something certainly wrote it; -1: never
  Storage* may_alias = nullptr;  // x.contiguous() may be x itself
  bool from_stale = false;       // made from what an earlier call computed
};

// Was it computed before the given call of the entry, by an earlier one or by __init__?
bool is_answer_from_before(const Storage& storage, int call);

// What a name is bound to.
struct Slot {
  Value* value = nullptr;
  bool written_by_call = false;  // assigned while the entry ran, in something that outlives the call
  bool counts = false;           // its new value was made from its old one
};

// A namespace: module, class, function activation or object attributes.
struct Scope {
  Scope* parent = nullptr;
  Named<Slot> names;
  bool is_class = false;
  int created_in_call = 0;    // as of Storage
  int conditional_depth = 0;  // branches around the activation
  std::unordered_set<std::string_view> global_names;
  std::unordered_set<std::string_view> nonlocal_names;
  std::vector<std::string_view> star_imports;
};

// An abstract Python value: what the analysis knows of it.
struct Value {
  enum class Kind : std::uint8_t {
    kUnknown,
    kNone,
    kNumber,    // int, float or bool; integer when has_integer
    kString,    // text when known
    kTensor,    // storage
    kExternal,  // something of another module: text is its dotted path
    kObject,    // an instance of an external class: text is the class's path, items its arguments
    kFunction,  // node, scope it closes over
    kClass,     // node, scope of its attributes, items: bases
    kInstance,  // target: class, scope of its attributes
    kMethod,    // target: function or external, self: receiver
    kSuper,     // self: receiver, target: class whose bases are searched
    kKernel,    // node, scope; target: the kernel that an unknown decorator wrapped; items: called before a launch
    kLauncher,  // target: kernel; text "warmup": it only compiles; items: the grid
    kPartial,   // target: callable, items and keywords already given
    kSequence,  // items; a list, tuple, set, generator or module container
    kDict,      // keyed: constant keys; items: values under keys not known
    kUnion,     // items: alternatives
  };
  Kind kind = Kind::kUnknown;
  Taint taint = 0;
  bool has_integer = false;
  bool has_text = false;
  bool mutated_by_call = false;  // a container that outlives the call of the entry that changed it
  bool immutable = false;        // a tuple
  bool open_ended = false;       // a sequence of unknown length, or a dict with unknown keys
  bool memoized = false;         // a function behind lru_cache or the like
  bool configured = false;       // a kernel behind autotune or heuristics: some arguments come from there
  enum class Binding : std::uint8_t { kInstance, kStatic, kClass, kProperty } binding = Binding::kInstance;
  int created_in_call = 0;  // as of Storage
  pysource::NodeId node = pysource::kAbsentNode;
  std::int64_t integer = 0;
  std::string_view text;
  Scope* scope = nullptr;
  Scope* attributes = nullptr;  // of functions and classes
  Value* target = nullptr;
  Value* self = nullptr;
  Storage* storage = nullptr;
  std::vector<Value*> items;
  Named<Value*> keyed;  // keyword arguments, dict entries

  bool is(Kind wanted) const { return kind == wanted; }
};

// Owns every value, scope and storage of one analysis.
class Heap {
 public:
  Heap();

  Value* make(Value::Kind kind);
  Value* unknown() { return unknown_; }
  Value* none() { return none_; }
  Value* number(Taint taint = 0);
  Value* integer(std::int64_t value);
  Value* string(std::string_view text);  // interned; one that grew very long is of unknown content
  Value* string();                       // of unknown content
  Value* external(std::string_view path);
  Value* object(std::string_view class_path);
  Value* tensor(Storage* storage);
  Value* sequence(std::vector<Value*> items = {}, bool open_ended = false);
  Value* copy(const Value& value);
  // Either of the two. Alternatives are bounded; past the bound the value is also unknown.
  Value* join(Value* a, Value* b);
  // The same value, known to have been chosen by something of that origin.
  Value* chosen_by(Taint taint, Value* value);

  // Containers grow by being joined to themselves: past a bound their end is no longer known.
  void limit(Value& container);

  Storage* storage();
  Scope* scope(Scope* parent);
  std::string_view intern(std::string text);

  std::size_t size() const { return values_.size(); }

 private:
  std::deque<Value> values_;
  std::deque<Storage> storages_;
  std::deque<Scope> scopes_;
  std::unordered_set<std::string> strings_;
  std::unordered_map<std::string_view, Value*> externals_;
  Value* unknown_;
  Value* none_;
};

// Calls visit on the value, or on each alternative of a union.
template <typename Visit>
void each_alternative(Value* value, Visit visit) {
  if (value == nullptr) return;
  if (!value->is(Value::Kind::kUnion)) {
    visit(value);
    return;
  }
  // By index: visiting may grow other containers, never a union.
  for (std::size_t i = 0; i < value->items.size(); ++i) visit(value->items[i]);
}

template <typename Test>
bool any_alternative(Value* value, Test test) {
  bool found = false;
  each_alternative(value, [&](Value* each) { found = found || test(each); });
  return found;
}

inline bool may_be_tensor(Value* value) {
  return any_alternative(value, [](const Value* each) { return each->is(Value::Kind::kTensor); });
}

}  // namespace tritonrl::analysis
