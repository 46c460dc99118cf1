"""docs/renames.csv leads to modules and names that are there."""

import ast
import csv
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_earlier_name_leads_to_one_of_today() -> None:
    with (ROOT / "docs" / "renames.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    lost = [
        row
        for row in rows
        if row[2] and not ((ROOT / row[2]).is_file() and _is_defined(row[2], row[3]))
    ]
    assert lost == []
    assert len(rows) > 5000


def _is_defined(file: str, name: str) -> bool:
    return not name or name.rpartition(".")[2] in _names_of(file)


@cache
def _names_of(file: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names
