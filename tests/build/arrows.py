"""Reading module graphs: the build's, and the one drawn in docs/architecture.md."""

import re
from pathlib import Path

Arrow = tuple[str, str]


def read_graph(file: Path) -> dict[str, list[str]]:
    """The lines "module: dependency..." that the build writes."""
    graph = {}
    for line in file.read_text().splitlines():
        module, _, below = line.partition(":")
        graph[module] = below.split()
    return graph


def arrows_of(graph: dict[str, list[str]]) -> set[Arrow]:
    return {(module, below) for module, depends in graph.items() for below in depends}


def reachable(graph: dict[str, list[str]], module: str) -> set[str]:
    """What a module may include: itself and everything below it."""
    seen = {module}
    frontier = [module]
    while frontier:
        for below in graph.get(frontier.pop(), []):
            if below not in seen:
                seen.add(below)
                frontier.append(below)
    return seen


def drawn_arrows(markdown: str) -> tuple[set[Arrow], set[Arrow]]:
    """The solid and the dashed arrows of the first mermaid graph."""
    block = re.search(r"```mermaid\n(.*?)```", markdown, re.DOTALL)
    assert block, "there is no mermaid diagram"
    solid = set(re.findall(r"^\s*(\w+) --> (\w+)\s*$", block[1], re.MULTILINE))
    dashed = set(re.findall(r"^\s*(\w+) -\.-> (\w+)\s*$", block[1], re.MULTILINE))
    return solid, dashed
