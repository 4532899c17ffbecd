#include "tokenizer/merge_table.h"

#include <fmt/format.h>

#include <bit>

#include "base/text.h"

namespace tritonrl::tokenizer {

MergeTable::MergeTable(const Definition& definition, const Vocabulary& vocabulary)
    : slots_(std::bit_ceil(2 * definition.merges.size() + 2)), mask_(slots_.size() - 1) {
  const auto id_of = [&](const std::string& spelling, const Merge& merge) {
    if (const auto id = vocabulary.find_spelling(spelling)) return *id;
    definition.refuse(merge.offset, fmt::format("the merge of '{}' and '{}' needs '{}', which is no token",
                                                base::printable(merge.left), base::printable(merge.right),
                                                base::printable(spelling)));
  };
  std::uint32_t rank = 0;
  for (const auto& merge : definition.merges) {
    const std::uint64_t pair = pack(id_of(merge.left, merge), id_of(merge.right, merge));
    std::size_t at = hash(pair) & mask_;
    while (slots_[at].pair != kEmpty && slots_[at].pair != pair) at = (at + 1) & mask_;
    // Of a merge that stands there twice the later rank counts, as in HF's `tokenizers`.
    slots_[at] = {pair, {rank++, id_of(merge.left + merge.right, merge)}};
  }
}

}  // namespace tritonrl::tokenizer
