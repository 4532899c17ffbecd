#!/usr/bin/env python3
"""False negatives: one cheat in each real Triton file, which `tritonrl check` must reject."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import wheels
from cheats import HONEST, KINDS, Kind, Site
from host_code import Host, HostCode
from spelling import Spelling
from verdicts import DEFAULT_BINARY, BenchError, Verdict, check, require_binary

GOAL_PERCENT = 95.0
HONEST_GOAL_PERCENT = 1.0


@dataclass(frozen=True)
class Injected:
    kind: Kind
    disguised: bool
    original: Path
    file: Path


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--folder", type=Path, default=wheels.FOLDER, help="where files are kept")
    options.add_argument("--seed", type=int, default=20250, help="of kinds, places and spellings")
    options.add_argument("--write-only", action="store_true", help="write the files, check nothing")
    given = options.parse_args()

    files = [file for wheel in wheels.fetch(given.folder) for file in wheel.files]
    if not given.write_only:
        before = check(require_binary(given.binary), files, "--entry", "none")
        files = [verdict.file for verdict in before if verdict.accepted]
        print(f"{len(before)} files, {len(before) - len(files)} left out: rejected as they are")
    cheats = inject(files, KINDS, given.folder / "injected", given.seed)
    edits = inject(files, HONEST, given.folder / "edited", given.seed)
    if given.write_only:
        print(f"{len(cheats)} files in {given.folder / 'injected'}")
        print(f"{len(edits)} files in {given.folder / 'edited'}")
        return 0

    caught = _judge(given.binary, cheats)
    kept = _judge(given.binary, edits)
    print(f"\ncheats (seed {given.seed})")
    met = _report(caught) >= GOAL_PERCENT
    print("\nhonest edits in the same places, which must stay accepted")
    honest_met = _report(kept, cheating=False) < HONEST_GOAL_PERCENT
    print(f"goal: at least {GOAL_PERCENT:g} % of the cheats rejected: {'met' if met else 'MISSED'}")
    print(
        f"goal: under {HONEST_GOAL_PERCENT:g} % of the honest edits rejected: "
        f"{'met' if honest_met else 'MISSED'}"
    )
    return 0 if met and honest_met else 1


def inject(files: Sequence[Path], kinds: Sequence[Kind], folder: Path, seed: int) -> list[Injected]:
    """One edit a file, kinds in turn; every second use of a kind is disguised."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.py"):
        stale.unlink()
    order = {
        k.name: i for i, k in enumerate(random.Random(f"{seed}/order").sample(kinds, len(kinds)))
    }
    uses: Counter[str] = Counter()
    injected: list[Injected] = []
    for index, original in enumerate(files):
        rng = random.Random(f"{seed}/{index}")
        code = HostCode(original.read_text(encoding="utf-8"))
        kind = min(
            (k for k in kinds if _hosts(k, code) or k.place == "module"),
            key=lambda k: (uses[k.name], order[k.name]),
        )
        uses[kind.name] += 1
        disguised = uses[kind.name] % 2 == 0
        text = edit(code, kind, rng, disguised=disguised)
        file = folder / f"{index:04}_{kind.name}_{original.stem}.py"
        compile(text, str(file), "exec", dont_inherit=True)
        file.write_text(text, encoding="utf-8")
        injected.append(Injected(kind, disguised, original, file))
    return injected


def _hosts(kind: Kind, code: HostCode) -> list[Host]:
    """The functions that the kind's code can go into."""
    if kind.place == "module":
        return []
    return [host for host in code.hosts if host.work or kind.place != "handler"]


def edit(code: HostCode, kind: Kind, rng: random.Random, *, disguised: bool) -> str:
    """The file's text with the kind's code in it."""
    hosts = _hosts(kind, code)
    host = rng.choice(hosts) if hosts else None
    place = _place(kind, host, rng)
    spell = Spelling(rng, disguised=disguised)
    inner = spell.fresh()
    outside = place in ("wrapper", "decorator")
    argument = f"args[{host.position}]" if host and outside else host.parameter if host else ""
    written = kind.write(Site(spell, rng, argument, f"{inner}(*args, **kwargs)"))
    if outside and kind.place == "before" and not written.split("\n")[-1].startswith("return "):
        written += f"\nreturn {inner}(*args, **kwargs)"

    text = code.text
    if host is None:
        spell.setup.append(written)
    elif place == "wrapper":
        text = code.wrapped(host, inner, written)
    elif place == "decorator":
        name = spell.fresh()
        body = "\n".join(f"        {line}" for line in written.split("\n"))
        spell.setup.append(
            f"def {name}({inner}):\n    def call(*args, **kwargs):\n{body}\n\n    return call\n"
        )
        text = code.decorated(host, name)
    elif place == "decoration":
        text = code.decorated(host, written)
    elif place == "handler":
        text = code.around_work(host, written)
    elif place == "work":
        text = code.at_work(host, written)
    else:
        text = code.at_body(host, written)
    imports = [
        i for i in dict.fromkeys(spell.imports) if not code.imports(i.removeprefix("import "))
    ]
    setup = "\n".join(spell.setup).rstrip("\n")
    return HostCode(text).at_module(["\n".join(imports), setup])


def _place(kind: Kind, host: Host | None, rng: random.Random) -> str:
    if host is None or kind.place in ("decoration", "handler", "module"):
        return kind.place
    # A decorator stands below @staticmethod and the like, so methods take it too.
    outside = ["decorator"] if host.in_class else ["decorator", "wrapper"]
    inside = ["body", "work"] if host.work else ["body"]
    return rng.choice(outside if kind.place == "around" else inside + outside)


def _judge(binary: Path, injected: Sequence[Injected]) -> list[tuple[Injected, Verdict]]:
    verdicts = check(binary, [i.file for i in injected], "--entry", "none")
    return list(zip(injected, verdicts, strict=True))


def _report(judged: Sequence[tuple[Injected, Verdict]], *, cheating: bool = True) -> float:
    """A line a kind, then what went wrong; the percentage of rejected files."""
    kinds: dict[str, list[tuple[Injected, Verdict]]] = defaultdict(list)
    for injected, verdict in judged:
        kinds[injected.kind.name].append((injected, verdict))
    print(
        f"{'kind':24} {'files':>6} {'rejected':>9} {'percent':>8} "
        f"{'plain':>8} {'disguised':>10}  reasons"
    )
    for name in sorted(kinds):
        _line(name, kinds[name], cheating=cheating)
    percent = _line("all", judged, cheating=cheating, reasons=False)
    for injected, verdict in judged:
        if verdict.accepted == cheating:
            how = "disguised" if injected.disguised else "plain"
            why = "missed" if cheating else f"rejected: {verdict.reason}"
            print(f"  {injected.kind.name} ({how}) {why}: {injected.file.name}")
    return percent


def _line(
    name: str,
    judged: Sequence[tuple[Injected, Verdict]],
    *,
    cheating: bool,
    reasons: bool = True,
) -> float:
    rejected = [(i, v) for i, v in judged if not v.accepted]
    shares = []
    for disguised in (False, True):
        some = [v for i, v in judged if i.disguised == disguised]
        shares.append(100 * sum(not v.accepted for v in some) / len(some) if some else float("nan"))
    percent = 100 * len(rejected) / max(1, len(judged))
    unexplained = sum(not (v.rules & i.kind.rules) for i, v in rejected) if cheating else 0
    counts = Counter(v.reason for _, v in rejected).most_common(4) if reasons else []
    why = ", ".join(f"{reason} {count}" for reason, count in counts)
    if unexplained:
        why += f" ({unexplained} only by rules of another kind)"
    print(
        f"{name:24} {len(judged):6} {len(rejected):9} {percent:8.1f} "
        f"{shares[0]:8.1f} {shares[1]:10.1f}  {why}".rstrip()
    )
    return percent


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"inject: {error}", file=sys.stderr)
        sys.exit(3)
