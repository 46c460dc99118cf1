"""The package stands alone, and its README says what is so."""

import ast
import re
import sys

from apps.payments.travelrule.ivms import dialects, rules
from tests.mutants.table import ROOT

PACKAGE = ROOT / "apps" / "payments" / "travelrule" / "ivms"
README = (PACKAGE / "README.md").read_text(encoding="utf-8")


def test_it_imports_the_standard_library_and_itself_alone() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [str(node.module)]
            for name in names:
                ours = name.startswith("apps.payments.travelrule.ivms")
                assert ours or name.split(".")[0] in sys.stdlib_module_names, (path.name, name)


def test_the_tables_are_those_of_the_code() -> None:
    assert rules.format_rules_table() in README
    assert dialects.format_dialects_table() in README


def test_the_example_prints_what_it_says() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", README, flags=re.M | re.S)
    printed: list[str] = []
    exec(code, {"print": lambda *values: printed.append(" ".join(map(str, values)))})
    matches = re.findall(r"# (.+)$", code, flags=re.M)
    assert printed == matches
