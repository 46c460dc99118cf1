"""The import contracts guard an app from its first line: each breach is tried on a copy."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).with_name("lint-imports")


def lint(tree: Path) -> str:
    """Return what lint-imports says of a tree, empty when it finds nothing."""
    process = subprocess.run(
        [LINT, "--no-cache"], cwd=tree, capture_output=True, text=True, timeout=120
    )
    return "" if process.returncode == 0 else process.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
    for folder in ("apps", "config"):
        rest = shutil.ignore_patterns("__pycache__", "sample", "data", "static", "templates")
        shutil.copytree(ROOT / folder, tree / folder, ignore=rest)
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


def write(tree: Path, files: dict[str, str]) -> list[Path]:
    made = []
    for name, text in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        made.append(path)
    return made


PURITY = {
    "a module": "apps/reference/countries/rules.py",
    "a package": "apps/compliance/screening/rules/newcomer.py",
}


def test_the_tree_as_it_stands_keeps_every_contract(copy: Path) -> None:
    assert lint(copy) == ""


@pytest.mark.parametrize(
    ("folder", "contract"),
    [
        ("apps/newcomer", "imports go downward only"),
        ("apps/compliance/newcomer", "apps of a group import downward only"),
    ],
)
def test_a_folder_that_no_layer_names_is_refused(copy: Path, folder: str, contract: str) -> None:
    made = write(copy, {f"{folder}/__init__.py": "", f"{folder}/models.py": "X = 1\n"})
    findings = lint(copy)
    shutil.rmtree(made[0].parent)
    assert "newcomer" in findings and contract in findings


def test_an_app_that_imports_its_neighbour_is_refused(copy: Path) -> None:
    [path] = write(
        copy,
        {"apps/compliance/aml/newcomer.py": "from apps.compliance.screening import calendar\n"},
    )
    findings = lint(copy)
    path.unlink()
    assert "apps of a group import downward only BROKEN" in findings


def test_a_platform_that_imports_an_app_is_refused(copy: Path) -> None:
    [path] = write(
        copy, {"apps/platform/ledger/newcomer.py": "from apps.reference.countries import rules\n"}
    )
    findings = lint(copy)
    path.unlink()
    assert "apps.platform" in findings and "BROKEN" in findings


@pytest.mark.parametrize("where", PURITY)
def test_rules_that_reach_django_through_a_helper_are_refused(copy: Path, where: str) -> None:
    path = copy / PURITY[where]
    before = path.read_text() if path.exists() else None
    helper = path.parent / "newcomer_helper.py"
    package = ".".join(path.relative_to(copy).parent.parts)
    helper.write_text("from django.conf import settings\n")
    path.write_text((before or "") + f"\nfrom {package} import newcomer_helper\n")
    findings = lint(copy)
    helper.unlink()
    path.unlink() if before is None else path.write_text(before)
    assert "rules are pure BROKEN" in findings


@pytest.mark.parametrize(
    ("one", "other"),
    [("platform/upstreams", "backoffice/sar"), ("backoffice/review", "backoffice/sar")],
)
def test_a_circle_between_two_apps_is_refused(copy: Path, one: str, other: str) -> None:
    made = [
        write(
            copy,
            {f"apps/{folder}/newcomer.py": f"from apps.{of.replace('/', '.')} import newcomer\n"},
        )[0]
        for folder, of in ((one, other), (other, one))
    ]
    findings = lint(copy)
    for path in made:
        path.unlink()
    assert "apps form no circles BROKEN" in findings


def test_a_module_of_the_configuration_that_imports_an_app_is_refused(copy: Path) -> None:
    [path] = write(copy, {"config/newcomer.py": "from apps.platform.common import clock\n"})
    findings = lint(copy)
    path.unlink()
    assert "config knows no app BROKEN" in findings and "config.newcomer" in findings


def test_every_folder_with_modules_is_a_package() -> None:
    """The import contracts see packages alone."""
    folders = {path.parent for path in (ROOT / "apps").rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []
