"""Nothing stands twice: two functions of the apps that do the same are one."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALLEST = 3  # lines of a body; shorter ones say no more than their call


class LocalNames(ast.NodeTransformer):
    """Replaces what a function calls its own, so that the same code under other names is equal."""

    def __init__(self, function: ast.FunctionDef) -> None:
        names: dict[str, None] = {}
        for node in ast.walk(function):
            if isinstance(node, ast.arg):
                names.setdefault(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.setdefault(node.id)
        self.numbered = {name: f"local{number}" for number, name in enumerate(names)}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.numbered.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.numbered.get(node.arg, node.arg))


def long_functions(source: str) -> Iterator[ast.FunctionDef]:
    """Yield the functions whose body is long enough, without their docstrings."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            if ast.get_docstring(function) and len(function.body) > 1:
                del function.body[0]
            first, last = function.body[0].lineno, function.body[-1].end_lineno or 0
            if last - first + 1 >= SMALLEST:
                yield function


def shape_of(function: ast.FunctionDef) -> int:
    """Return what equal functions share, and few others: compared before the whole is."""
    return hash(tuple(type(node) for part in function.body for node in ast.walk(part)))


def what_it_does(function: ast.FunctionDef) -> str:
    """Return arguments and body, annotations and local names aside."""
    renamed = LocalNames(function)
    return "".join(ast.dump(renamed.visit(part)) for part in (function.args, *function.body))


def copies_among(sources: dict[str, str]) -> list[list[str]]:
    """Return the functions that do the same, each with its module."""
    shapes: dict[int, list[tuple[str, ast.FunctionDef]]] = defaultdict(list)
    for path, source in sources.items():
        for function in long_functions(source):
            shapes[shape_of(function)].append((path, function))
    copies: dict[str, list[str]] = defaultdict(list)
    for functions in shapes.values():
        for path, function in functions if len(functions) > 1 else ():
            copies[what_it_does(function)].append(f"{path}: {function.name}")
    return [places for places in copies.values() if len(places) > 1]


SHORT = "def doubled(n):\n    m = n + n\n    return m\n"
LONG = """
def total(rows):
    '''Add.'''
    n = 0
    for row in rows:
        n += row
    return n
"""
OTHER_NAMES = """
def _sum(items: list[int]) -> int:
    s = 0
    for item in items:
        s += item
    return s
"""


@pytest.mark.parametrize(
    ("other", "copies"),
    [
        (LONG, [["a.py: total", "b.py: total"]]),
        (OTHER_NAMES, [["a.py: total", "b.py: _sum"]]),
        (OTHER_NAMES.replace("+=", "-="), []),
        (OTHER_NAMES.replace("s = 0", "s = 1"), []),
    ],
    ids=["same names", "other names", "another operator", "another number"],
)
def test_the_same_code_under_other_names_is_a_copy(other: str, copies: list[list[str]]) -> None:
    assert copies_among({"a.py": LONG + SHORT, "b.py": other + SHORT}) == copies


def test_no_function_stands_twice() -> None:
    sources = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for folder in ("apps", "config")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "migrations" not in path.parts
    }
    assert copies_among(sources) == []
    assert len(sources) > 1000
