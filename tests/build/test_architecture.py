"""The build refuses arrows that the design does not have, and the diagram shows what is built."""

import re

from arrows import arrows_of, drawn_arrows, reachable, read_graph
from conftest import squeeze


def test_allowed_arrows_configure(project):
    project.module("base")
    project.module("pysource", "DEPENDS", "base")
    result = project.configure()
    assert result.returncode == 0, result.stderr
    assert (project.root / "build/modules.txt").read_text() == "base:\npysource: base\n"


def test_refuses_arrow_that_the_design_does_not_have(project):
    project.module("base")
    project.module("pysource", "DEPENDS", "base")
    project.module("sandbox", "DEPENDS", "base", "pysource")
    result = project.configure()
    assert result.returncode != 0
    assert (
        "module 'sandbox': the arrow sandbox -> pysource is not in cmake/architecture.cmake; "
        "sandbox may depend on: base." in squeeze(result.stderr)
    )


def test_refuses_arrow_that_points_down(project):
    project.module("base", "DEPENDS", "task")
    result = project.configure()
    assert result.returncode != 0
    assert "the arrow base -> task is not in cmake/architecture.cmake; base may depend on: nothing." in squeeze(
        result.stderr
    )


def test_refuses_module_that_is_not_declared(project):
    project.module("base")
    project.module("common", "DEPENDS", "base")
    result = project.configure()
    assert result.returncode != 0
    assert "module 'common' is not declared in cmake/architecture.cmake; declared: base " in squeeze(result.stderr)


def test_refuses_dependency_that_does_not_exist_yet(project):
    project.module("sandbox", "DEPENDS", "base")
    result = project.configure()
    assert result.returncode != 0
    assert "the arrow sandbox -> base is allowed, but src/base does not exist yet." in squeeze(result.stderr)


def test_refuses_layer_whose_arrow_points_at_a_later_one(project):
    project.write("cmake/architecture.cmake", "tritonrl_layer(task -> base)\ntritonrl_layer(base)\n")
    result = project.configure()
    assert result.returncode != 0
    assert "the arrow task -> base points at a module that is not declared above it." in squeeze(result.stderr)


def test_verifying_half_may_not_link_torch(project):
    project.module("base", "LINKS", "torch")
    result = project.configure()
    assert result.returncode != 0
    assert "module 'base' belongs to the verifying half" in squeeze(result.stderr)


def test_verify_only_leaves_the_training_half_out(project):
    project.module("base")
    project.module("kernels", "DEPENDS", "base")
    assert project.configure("-DTRITONRL_VERIFY_ONLY=ON").returncode == 0
    assert read_graph(project.root / "build/modules.txt") == {"base": []}


def test_diagram_is_the_build(root, build_dir):
    solid, dashed = drawn_arrows((root / "docs/architecture.md").read_text())
    built = read_graph(build_dir / "modules.txt")
    allowed = read_graph(build_dir / "architecture.txt")
    assert solid == arrows_of(built), "solid arrows are those of the modules that exist"
    assert solid | dashed == arrows_of(allowed), "solid and dashed arrows together are cmake/architecture.cmake"
    assert not solid & dashed


def test_every_module_is_described(root, build_dir):
    text = (root / "docs/architecture.md").read_text()
    for module in read_graph(build_dir / "architecture.txt"):
        assert re.search(rf"^\| `{module}` \|", text, re.MULTILINE), f"docs/architecture.md has no row for {module}"


def test_includes_follow_the_arrows(root, build_dir):
    built = read_graph(build_dir / "modules.txt")
    offences = []
    for module in built:
        visible = reachable(built, module)
        for file in sorted((root / "src" / module).rglob("*")):
            if file.suffix not in {".h", ".cpp", ".cu", ".cuh"}:
                continue
            for included in re.findall(r'^\s*#\s*include\s*[<"](\w+)/', file.read_text(), re.MULTILINE):
                if included in read_graph(build_dir / "architecture.txt") and included not in visible:
                    offences.append(f"{file.relative_to(root)} includes {included}/")
    assert not offences
