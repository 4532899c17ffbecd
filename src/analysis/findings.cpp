#include "analysis/findings.h"

#include <algorithm>
#include <tuple>

#include "analysis/rule.h"

namespace tritonrl::analysis {

void Findings::add(std::string_view id, Severity severity, pysource::NodeId node, std::string message) {
  const std::string_view known = rule(id).id;
  const auto [entry, fresh] = index_.try_emplace({known, node}, raw_.size());
  if (!fresh) {
    Raw& raw = raw_[entry->second];
    raw.severity = std::max(raw.severity, severity);
    return;
  }
  raw_.push_back({known, severity, node, std::move(message)});
}

bool Findings::has(std::string_view id) const {
  return std::ranges::any_of(raw_, [&](const Raw& raw) { return raw.rule == id; });
}

std::vector<Finding> Findings::in_source_order(const pysource::SyntaxTree& tree) const {
  if (raw_.empty()) return {};
  const base::LineIndex lines(tree.source());
  std::vector<Finding> found;
  std::map<std::pair<std::string_view, std::size_t>, std::size_t> by_line;  // into found
  for (const Raw& raw : raw_) {
    Finding finding;
    finding.rule = raw.rule;
    finding.severity = raw.severity;
    finding.where = lines.position(tree.begin(raw.node));
    const std::string_view text = tree.source_of(raw.node);
    finding.length = static_cast<std::uint32_t>(std::max<std::size_t>(1, text.substr(0, text.find('\n')).size()));
    finding.message = raw.message;
    const auto [twin, fresh] = by_line.try_emplace({finding.rule, finding.where.line}, found.size());
    if (fresh) {
      found.push_back(std::move(finding));
    } else if (finding.severity > found[twin->second].severity) {
      found[twin->second] = std::move(finding);
    }
  }
  std::ranges::stable_sort(found, [](const Finding& a, const Finding& b) {
    return std::tuple(a.where.line, b.severity, a.where.column) < std::tuple(b.where.line, a.severity, b.where.column);
  });
  return found;
}

}  // namespace tritonrl::analysis
