#include <algorithm>
#include <array>

#include "analysis/external_rules.h"
#include "analysis/interpreter.h"
#include "analysis/paths.h"

namespace tritonrl::analysis {

using pysource::kAbsentNode;
using pysource::Kind;
using pysource::NodeId;

namespace {

// Free operators that make memory instead of viewing it.
bool allocates(std::string_view name) {
  for (const std::string_view word : {"empty", "zeros", "ones", "full", "arange", "tensor", "rand", "eye", "range",
                                      "asarray", "linspace", "from_numpy"}) {
    if (name.find(word) != std::string_view::npos && name != "unfold" && name != "tensor_split") return true;
  }
  return false;
}

bool returns_several(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "split",        "chunk",       "unbind",           "tensor_split",      "hsplit",
      "vsplit",       "dsplit",      "split_with_sizes", "broadcast_tensors", "meshgrid",
      "unsafe_chunk", "unsafe_split"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// Copies that give back their input when there is nothing to convert.
bool may_return_itself(std::string_view name) {
  static constexpr std::array<std::string_view, 20> kNames = {
      "contiguous", "to",   "type",           "float",     "half",    "bfloat16", "double",
      "int",        "long", "cuda",           "cpu",       "type_as", "bool",     "short",
      "char",       "byte", "requires_grad_", "as_tensor", "asarray", "to_dense"};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

void Interpreter::note_torch_op(std::string_view name, const TorchOp& op, NodeId node) {
  if (!judged() || op.cls == OpClass::kFree) return;
  if (on_path_ || handlers_ > 0)
    trace_.torch_ops.push_back({heap_.intern(std::string(name)), op.cls, op.main, handlers_ > 0, node});
}

Value* Interpreter::fresh_tensor() {
  Storage* storage = heap_.storage();
  storage->created_in_call = call_;
  return heap_.tensor(storage);
}

Value* Interpreter::derived_tensor(const TorchOp& op, const std::vector<Value*>& from) {
  Value* tensor = fresh_tensor();
  Storage* storage = tensor->storage;
  storage->torch_computed = op.cls == OpClass::kCompute;
  storage->written_in_call = call_;
  for (Value* source : from) {
    each_alternative(source, [&](Value* each) {
      if (!each->is(Value::Kind::kTensor)) return;
      storage->kernel_written |= each->storage->kernel_written;
      // What __init__ prepared may be computed with; only handing it out again is an answer from before.
      const bool answer = each->storage->created_in_call > 0 || op.cls == OpClass::kCopy;
      storage->from_stale |= answer && is_answer_from_before(*each->storage, call_);
    });
  }
  return tensor;
}

std::vector<Value*> Interpreter::tensors_among(const Arguments& arguments) {
  std::vector<Value*> tensors;
  const auto take = [&](Value* value) {
    each_alternative(value, [&](Value* each) {
      if (each->is(Value::Kind::kTensor)) tensors.push_back(each);
      if (each->is(Value::Kind::kSequence)) {
        for (Value* item : each->items)
          if (may_be_tensor(item))
            each_alternative(item, [&](Value* part) {
              if (part->is(Value::Kind::kTensor)) tensors.push_back(part);
            });
      }
    });
  };
  for (Value* value : arguments.positional) take(value);
  for (const auto& [name, value] : arguments.keywords) take(value);
  return tensors;
}

void Interpreter::mark_written(Storage* storage, NodeId node, const std::string& how, bool surely) {
  if (on_path_ && storage->input && surely)
    report("writes-input", node, "this " + how + " a tensor that was passed in");
  if (on_path_ && storage->input && !surely)
    suspect("writes-input", node, "it cannot be worked out whether this " + how + " a tensor that was passed in");
  bool alias_of_input = false;
  for (Storage* alias = storage->may_alias; alias != nullptr; alias = alias->may_alias) alias_of_input |= alias->input;
  if (on_path_ && alias_of_input)
    suspect("writes-input", node, "this " + how + " what may be a tensor that was passed in");
  // Under a branch that depends on earlier calls, memory that outlives this call may not be written at all.
  if (state_guards_ == 0 || storage->created_in_call == call_) storage->written_in_call = call_;
}

void Interpreter::overwrite(Value* tensor, Value* source, NodeId node, bool partly) {
  mark_written(tensor->storage, node, partly ? "assigns into" : "overwrites");
  bool kernel = false;
  bool stale = false;
  each_alternative(source, [&](Value* each) {
    if (!each->is(Value::Kind::kTensor)) return;
    kernel |= each->storage->kernel_written;
    stale |= is_answer_from_before(*each->storage, call_);
  });
  if (partly || conditional_depth_ > 0) {  // what was there before may stay
    tensor->storage->kernel_written |= kernel;
    return;
  }
  tensor->storage->kernel_written = kernel;
  tensor->storage->from_stale = stale;
}

Value* Interpreter::torch_result(const TorchOp& op, std::string_view name, Value* first,
                                 const std::vector<Value*>& tensors) {
  switch (op.returns) {
    case OpReturns::kScalar:
      return heap_.number();
    case OpReturns::kNone:
      return heap_.none();
    case OpReturns::kOther:
    case OpReturns::kTensor:
      break;
  }
  if (op.returns == OpReturns::kOther && op.cls != OpClass::kCompute)
    return heap_.object(name == "size" || name == "shape" || name == "stride" ? "torch.Size" : "torch.other");
  if (op.cls == OpClass::kFree && !allocates(name)) {
    if (first == nullptr) return fresh_tensor();
    return returns_several(name) ? heap_.sequence({first}, true) : first;
  }
  if (op.cls == OpClass::kFree) return fresh_tensor();
  Value* result = derived_tensor(op, tensors);
  if (first != nullptr && first->is(Value::Kind::kTensor) && may_return_itself(name)) {
    result->storage->may_alias = first->storage;
    result->storage->written_in_call = first->storage->written_in_call;
  }
  return result;
}

Value* Interpreter::make_module(std::string_view path, const Arguments& arguments) {
  const std::string cls = module_class_path(path);
  if (cls == "torch.nn.Parameter" || cls == "torch.nn.Buffer") {
    Value* tensor = fresh_tensor();
    tensor->storage->parameter = true;
    return tensor;
  }
  if (cls == "torch.nn.Sequential" || cls == "torch.nn.ModuleList" || cls == "torch.nn.ParameterList") {
    Value* value = make_container(Value::Kind::kSequence);
    value->text = heap_.intern(cls);
    value->open_ended = arguments.open_ended;
    value->items = arguments.positional;
    if (arguments.positional.size() == 1) {
      Value* only = arguments.positional[0];
      if (only->is(Value::Kind::kSequence) && only->text.empty()) {
        value->items = only->items;
        value->open_ended = only->open_ended;
      } else if (only->is(Value::Kind::kDict)) {
        value->items.clear();
        for (const auto& [name, item] : only->keyed) value->items.push_back(item);
      }
    }
    return value;
  }
  if (cls == "torch.nn.ModuleDict" || cls == "torch.nn.ParameterDict") {
    Value* value = make_container(Value::Kind::kDict);
    if (Value* given = arguments.at(0); given != nullptr && given->is(Value::Kind::kDict)) {
      value->keyed = given->keyed;
      value->items = given->items;
      value->open_ended = given->open_ended;
    }
    return value;
  }
  Value* module = heap_.object(cls);
  module->created_in_call = call_;
  return module;
}

Value* Interpreter::tensor_attribute(Value* tensor, std::string_view name, NodeId node) {
  if (Slot* slot = tensor_attributes_->names.find(name); slot != nullptr && slot->value != nullptr)
    return read_slot(*slot);
  static constexpr std::array<std::string_view, 8> kViews = {"T", "mT", "H", "mH", "data", "real", "imag", "grad"};
  static constexpr std::array<std::string_view, 16> kNumbers = {
      "ndim",         "is_cuda", "requires_grad", "itemsize", "nbytes", "is_leaf",   "is_cpu",    "is_sparse",
      "is_quantized", "is_meta", "is_nested",     "is_mps",   "is_xpu", "output_nr", "is_mkldnn", "retains_grad"};
  static constexpr std::array<std::string_view, 5> kOthers = {"dtype", "device", "layout", "names", "grad_fn"};
  if (std::ranges::find(kViews, name) != kViews.end()) return tensor;
  if (tensor->storage->input || tensor->storage->parameter) {
    // Forward is given tensors of a GPU: what is written for others is not reached.
    if (name == "is_cuda" || name == "is_cpu") return heap_.integer(name == "is_cuda" ? 1 : 0);
    if (name == "device") {
      Value* device = heap_.object("torch.other");
      device->attributes = heap_.scope(nullptr);
      device->attributes->names.at("type").value = heap_.string("cuda");
      return device;
    }
  }
  if (std::ranges::find(kNumbers, name) != kNumbers.end()) return heap_.number(tensor->taint);
  if (std::ranges::find(kOthers, name) != kOthers.end()) return heap_.object("torch.other");
  if (name == "shape") {
    Value* shape = heap_.object("torch.Size");
    shape->taint = tensor->taint;
    return shape;
  }
  if (name == "_version") return heap_.number(kAddress);
  if (name == "__class__") return heap_.external("torch.Tensor");
  if (name == "__dict__") {
    Value* vars = heap_.object("vars");
    vars->target = tensor;
    return vars;
  }
  if (name == "set_") report("native-memory", node, "set_() swaps the memory under a tensor");
  Value* method = heap_.make(Value::Kind::kMethod);
  method->target = heap_.external(name);
  method->self = tensor;
  return method;
}

Value* Interpreter::call_tensor_method(Value* self, std::string_view name, const Arguments& arguments, NodeId node) {
  if (name == "__getattribute__" || name == "__getattr__")
    return get_attribute_by_value(self, arguments.at(0) == nullptr ? heap_.unknown() : arguments.positional[0], nullptr,
                                  node);
  note_decisions(arguments, node);
  if (name == "__getitem__" && arguments.at(0) != nullptr)
    return subscript(self, arguments.positional[0], kAbsentNode, node);
  if (name == "data_ptr" || name == "storage_offset") return heap_.number(name == "data_ptr" ? kAddress : 0);
  if (name == "untyped_storage" || name == "storage") {
    // Only its address is of use to honest code.
    Value* object = heap_.object("torch.UntypedStorage");
    object->attributes = heap_.scope(nullptr);
    object->attributes->names.at("data_ptr").value = heap_.external("torch.Tensor.data_ptr");
    object->attributes->names.at("_cdata").value = heap_.number(kAddress);
    return object;
  }
  if (name == "size" || name == "stride")
    return arguments.positional.empty() && arguments.keywords.empty() ? heap_.object("torch.Size") : heap_.number();
  if (name == "copy_" || name == "zero_" || name == "fill_") {
    if (name == "copy_") note_torch_op("Tensor.copy_", {.cls = OpClass::kCopy}, node);
    const NodeId receiver = tree_.kid(tree_.kid(node, 0), 0);
    const bool partly = tree_.kind(receiver) == Kind::kSubscript && !is_everything(tree_.kid(receiver, 1));
    overwrite(self, arguments.at(0) == nullptr ? heap_.none() : arguments.positional[0], node, partly);
    return self;
  }
  if (name == "apply_" || name == "map_" || name == "register_hook") run_callbacks(arguments, node);
  const auto found = find_tensor_method(name);
  if (!found) {
    // No method of torch: an attribute that somebody hung on the tensor.
    run_callbacks(arguments, node);
    return heap_.unknown();
  }
  auto tensors = tensors_among(arguments);
  tensors.insert(tensors.begin(), self);
  const TorchOp op = *found;
  note_narrowing(self, name, arguments, node);
  note_torch_op("Tensor." + std::string(name), op, node);
  const bool in_place =
      name.ends_with('_') && !name.ends_with("__") && op.returns == OpReturns::kTensor && op.cls != OpClass::kFree;
  if (in_place) {
    mark_written(self->storage, node, "changes");
    self->storage->torch_computed |= op.cls == OpClass::kCompute;
    return self;
  }
  if (name.starts_with("new_")) return fresh_tensor();
  return torch_result(op, name, self, tensors);
}

// x.half() or x.to(torch.bfloat16) of something that no kernel made.
void Interpreter::note_narrowing(const Value* self, std::string_view name, const Arguments& arguments, NodeId node) {
  if (!on_path_ || self->storage->kernel_written) return;
  bool narrow = name == "half" || name == "bfloat16";
  if (name == "to" || name == "type") {
    const auto is_narrow = [](const Value* type) {
      return type->is(Value::Kind::kExternal) &&
             (type->text == "torch.float16" || type->text == "torch.half" || type->text == "torch.bfloat16");
    };
    narrow = std::ranges::any_of(arguments.positional, is_narrow) ||
             std::ranges::any_of(arguments.keywords, [&](const auto& entry) { return is_narrow(entry.value); });
  }
  if (narrow) suspect("precision-downgrade", node, "an input is narrowed before it is computed with");
}

Value* Interpreter::call_torch(std::string_view path, const Arguments& arguments, NodeId node) {
  Value* first = arguments.at(0);
  if (path == "torch.autograd.Function.apply" && first != nullptr && first->is(Value::Kind::kClass)) {
    Arguments rest = arguments;
    rest.positional.erase(rest.positional.begin());
    return apply_autograd_function(first, rest, node);
  }
  if (path == "torch.nn.Module.register_forward_hook" && arguments.at(1) != nullptr) {
    if (first->is(Value::Kind::kInstance)) first->items.push_back(arguments.positional[1]);
    return heap_.object("torch.other");
  }
  if (path == "torch.Tensor.data_ptr") return heap_.number(kAddress);
  if (path == "torch.cuda.is_available") return heap_.integer(1);
  if (tells_of_process(path)) return heap_.number(kProcess);
  if (path == "torch.__config__.show" || path == "torch.cuda._is_compiled") return heap_.number(kBuild);
  for (const std::string_view tensor_class :
       {"torch.Tensor.", "torch._C.TensorBase.", "torch._C._TensorBase.", "torch._tensor.Tensor."}) {
    if (path.starts_with(tensor_class) && first != nullptr) {
      Arguments rest = arguments;
      rest.positional.erase(rest.positional.begin());
      Value* self = may_be_tensor(first) ? first : heap_.tensor(heap_.storage());
      Value* result = nullptr;
      each_alternative(self, [&](Value* each) {
        if (each->is(Value::Kind::kTensor))
          result = heap_.join(result, call_tensor_method(each, last_part(path), rest, node));
      });
      return result == nullptr ? heap_.unknown() : result;
    }
  }
  if (is_module_class(path) && last_part(path) != "Module") return make_module(path, arguments);
  if (last_part(path) == "wrap_triton" || path == "torch.compile" || path == "torch.jit.script" ||
      path.starts_with("torch.compiler.") || path.starts_with("torch._dynamo.")) {
    return first == nullptr ? heap_.external(path) : first;
  }
  if (path.starts_with("torch.library.") && first != nullptr && first->has_text &&
      (first->text == "aten" || first->text.starts_with("aten::"))) {
    report("dispatch-tampering", node, "torch's own operators are overridden for the whole process");
  }
  if (path.starts_with("torch.library.") || path.starts_with("torch.amp.") || path.starts_with("torch.cuda.amp.") ||
      path == "torch.no_grad" || path == "torch.inference_mode" || path == "torch.enable_grad" ||
      path == "torch.autograd.function.once_differentiable") {
    if (first != nullptr && (first->is(Value::Kind::kFunction) || first->is(Value::Kind::kClass))) return first;
    return heap_.object(path);
  }
  // vmap and friends give back a function that computes in torch.
  if (path.starts_with("torch.func.") || path == "torch.vmap" || path.starts_with("torch._vmap")) {
    if (first != nullptr) {
      note_torch_op(path, {.main = true}, node);
      return first;
    }
  }
  const auto found = find_torch_op(path);
  auto tensors = tensors_among(arguments);
  if (!found) {
    // No operator we know: it counts as compute as soon as it is given a tensor.
    run_callbacks(arguments, node);
    if (tensors.empty()) return heap_.object(path);
    note_torch_op(path, {.main = true}, node);
    return derived_tensor({}, tensors);
  }
  const std::string_view name =
      path.starts_with("torch.ops.") ? path.substr(15, path.find('.', 15) - 15) : last_part(path);
  note_torch_op(path, *found, node);
  if (Value* out = arguments.keyword("out"); out != nullptr && may_be_tensor(out)) {
    each_alternative(out, [&](Value* each) {
      if (!each->is(Value::Kind::kTensor)) return;
      overwrite(each, heap_.none(), node);
      each->storage->torch_computed = true;
    });
    return out;
  }
  if (found->returns == OpReturns::kOther && found->cls != OpClass::kCompute) return heap_.object(path);
  Value* viewed = first != nullptr && may_be_tensor(first) ? first : tensors.empty() ? nullptr : tensors[0];
  return torch_result(*found, name, viewed, tensors);
}

Value* Interpreter::apply_autograd_function(Value* cls, const Arguments& arguments, NodeId node) {
  Value* forward = class_attribute(cls, "forward");
  if (forward == nullptr) return heap_.unknown();
  Arguments whole = arguments;
  // With setup_context of its own, forward takes no context.
  if (class_attribute(cls, "setup_context") == nullptr)
    whole.positional.insert(whole.positional.begin(), heap_.object("autograd context"));
  return call(forward, whole, node);
}

}  // namespace tritonrl::analysis
