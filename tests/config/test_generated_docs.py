"""Documentation that is made from the code stays so."""

import re
import subprocess
from pathlib import Path

import pytest

from apps.compliance.screening.management.commands.print_rules import render_rules_page
from apps.entry.sandbox.management.commands.setup_sandbox import format_first_call
from apps.platform.management.commands.print_settings import format_settings_page as settings_page

ROOT = Path(__file__).resolve().parents[2]


def test_the_rules_page_is_what_the_tables_say() -> None:
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == render_rules_page(), (
        "run: ./run manage print_rules > docs/rules.md"
    )


def test_the_settings_page_lists_every_setting() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == settings_page(), (
        "run: ./run manage print_settings > docs/settings.md"
    )


def test_the_readmes_first_call_is_the_one_that_a_start_prints() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    call = format_first_call(base="http://127.0.0.1:8000", keys="var/keys.json")
    assert f"```sh\n{call}\n```" in readme


@pytest.mark.parametrize(("asked", "told"), [((), "Which?"), (("load",), "load is no benchmark")])
def test_bench_names_benchmarks_only(asked: tuple[str, ...], told: str) -> None:
    process = subprocess.run(["./run", "bench", *asked], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 2
    assert told in process.stderr
    named = process.stderr.replace(told, "").replace("; there are:", "").split()
    assert {"aml", "gleif_import", "matching", "pep", "rescreen", "screen", "vop"} <= set(named)
    assert all((ROOT / "benchmarks" / f"{name}.py").is_file() for name in named)


def test_every_link_between_documents_leads_somewhere() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    dead = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert not dead


def test_every_command_that_the_readme_names_exists() -> None:
    text = "".join(
        page.read_text(encoding="utf-8")
        for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    )
    named = set(re.findall(r"\./run manage ([a-z_]+)", text))
    stems = {path.stem for path in ROOT.glob("apps/**/management/commands/*.py")}
    builtin = {"migrate", "check", "createsuperuser", "changepassword", "shell", "help"}
    assert named - stems - builtin == set()
