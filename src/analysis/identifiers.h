#pragma once

#include "analysis/findings.h"
#include "pysource/syntax_tree.h"

namespace tritonrl::analysis {

// Python folds compatibility characters in identifiers (full-width, mathematical letters, ligatures) to plain ones:
// such a name reads as one thing and means another. Letters of real alphabets are fine.
void find_disguised_identifiers(const pysource::SyntaxTree& tree, Findings& findings);

}  // namespace tritonrl::analysis
