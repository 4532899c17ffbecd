"""docs/rules.md lists every rule of the layers that run a kernel, each with a case that is rejected by it."""

import re

from pages import ROOT, sections

HEADING = "Rules of the layers that run it"


def section(page, heading):
    return sections((ROOT / "docs" / page).read_text())[heading]


TABLE = dict(re.findall(r"^\| `([a-z-]+)` \| \w+ \| .* \| (.*?) ?\|$", section("rules.md", HEADING), re.MULTILINE))


def rules_of(path):
    found = re.findall(r"^# (?:verify|cuda): reject (.*)$", path.read_text(errors="replace"), re.MULTILINE)
    return {rule.strip() for rules in found for rule in rules.split("|")}


def test_every_rule_shows_a_case_that_it_rejects():
    assert TABLE
    for rule, cell in TABLE.items():
        link = re.fullmatch(r"\[(\w+)\]\(\.\./(tests/cases/\w+/\1\.py)\)", cell)
        assert link, rule
        assert rule in rules_of(ROOT / link[2]), rule


def test_every_rule_that_a_case_names_is_documented():
    static = set(re.findall(r'Rule\{"([a-z0-9-]+)"', (ROOT / "src/analysis/rule.cpp").read_text()))
    sanitizer = set(re.findall(r"^## ([a-z-]+)$", (ROOT / "docs/sanitize.md").read_text(), re.MULTILINE))
    for path in sorted((ROOT / "tests/cases").glob("*/*.*")):
        unknown = rules_of(path) - TABLE.keys() - static - sanitizer
        assert not unknown, f"{path}: {unknown}"


def test_every_rule_that_the_verifier_names_is_documented():
    sources = "".join(path.read_text() for path in (ROOT / "src/verify").glob("*.cpp"))
    named = set(re.findall(r'reject\([a-z_]+, "([a-z-]+)"', sources)) | set(re.findall(r'\.rule = "([a-z-]+)"', sources))
    assert named, "the verifier's rules were not found"
    assert named <= TABLE.keys() | {"out-of-bounds"}
