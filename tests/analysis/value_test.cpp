#include "analysis/value.h"

#include <gtest/gtest.h>

namespace tritonrl::analysis {
namespace {

TEST(Join, OfTheSameIsItself) {
  Heap heap;
  Value* one = heap.integer(1);
  EXPECT_EQ(heap.join(one, one), one);
  EXPECT_EQ(heap.join(nullptr, one), one);
  EXPECT_EQ(heap.join(one, nullptr), one);
  EXPECT_EQ(heap.join(heap.integer(1), heap.integer(1))->kind, Value::Kind::kNumber);
  EXPECT_EQ(heap.join(heap.none(), heap.none()), heap.none());
}

TEST(Join, OfNumbersForgetsTheirValues) {
  Heap heap;
  Value* joined = heap.join(heap.integer(1), heap.integer(2));
  bool known = false;
  each_alternative(joined, [&](const Value* each) { known |= each->has_integer; });
  EXPECT_FALSE(known);
}

TEST(Join, KeepsEveryKindAsAnAlternative) {
  Heap heap;
  Value* joined = heap.join(heap.join(heap.none(), heap.tensor(heap.storage())), heap.string("a"));
  EXPECT_TRUE(joined->is(Value::Kind::kUnion));
  EXPECT_EQ(joined->items.size(), 3U);
  EXPECT_TRUE(may_be_tensor(joined));
  EXPECT_FALSE(may_be_tensor(heap.none()));
  for (const Value* each : joined->items) EXPECT_FALSE(each->is(Value::Kind::kUnion)) << "unions do not nest";
}

TEST(Join, TellsTensorsByTheirMemory) {
  Heap heap;
  Storage* memory = heap.storage();
  EXPECT_FALSE(heap.join(heap.tensor(memory), heap.tensor(memory))->is(Value::Kind::kUnion));
  EXPECT_TRUE(heap.join(heap.tensor(memory), heap.tensor(heap.storage()))->is(Value::Kind::kUnion));
}

TEST(Join, IsBoundedAndThenUnknownToo) {
  Heap heap;
  Value* joined = heap.none();
  for (int i = 0; i < 1000; ++i) joined = heap.join(joined, heap.string("text" + std::to_string(i)));
  EXPECT_LE(joined->items.size(), 16U);
  EXPECT_TRUE(any_alternative(joined, [](const Value* each) { return each->is(Value::Kind::kUnknown); }));
}

TEST(Join, KeepsTaints) {
  Heap heap;
  Value* joined = heap.join(heap.number(kCounter), heap.number(kState));
  Taint taint = 0;
  each_alternative(joined, [&](const Value* each) { taint |= each->taint; });
  EXPECT_EQ(taint, kCounter | kState);
}

TEST(Heap, MakesExternalsOnce) {
  Heap heap;
  EXPECT_EQ(heap.external("torch.mm"), heap.external(std::string("torch.") + "mm"));
  EXPECT_NE(heap.external("torch.mm"), heap.external("torch.bmm"));
}

}  // namespace
}  // namespace tritonrl::analysis
