"""pytest -p tritonrl_harness.pytest_plugin: the tests run on the claimed device; findings are listed at the end."""

from . import findings, install

install()


def pytest_terminal_summary(terminalreporter):
    found = findings()
    if not found:
        return
    terminalreporter.section("findings of tritonrl_harness")
    for finding in found:
        at = finding.get("launched_at") or {}
        where = f"{at.get('file')}:{at.get('line')}: " if at else ""
        kernel = f" in kernel {finding['kernel']}" if finding.get("kernel") else ""
        terminalreporter.write_line(f"{where}{finding['rule']}{kernel}: {finding['message']}")
