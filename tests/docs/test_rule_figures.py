"""A figure in a rule's sentence is that of its condition: built from it, not written."""

import ast
import importlib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import pytest

from apps.backoffice.review.case_type_parts import LARGE_SCREENED_USD
from apps.payments.chain.case_types import LARGE_TRANSFER

ROOT = Path(__file__).resolve().parents[2]
SMALL = 2  # numbers below it are no bounds that a sentence would name
Number = int | Decimal


def numbers_of(value: object) -> list[Number]:
    """Return what a constant counts: a number, or those of a tuple."""
    values = value if isinstance(value, tuple) else (value,)
    return [
        number
        for number in values
        if isinstance(number, int | Decimal) and not isinstance(number, bool) and number >= SMALL
    ]


def bounds_of(condition: ast.AST, module: ModuleType | None) -> Iterator[Number]:
    """Yield the numbers by which a condition decides: constants, and literals it compares with."""
    for node in ast.walk(condition):
        if isinstance(node, ast.Name) and node.id.isupper():
            yield from numbers_of(getattr(module, node.id, None))
        literals = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        literals += node.args if isinstance(node, ast.Call) else []
        for literal in literals:
            if isinstance(literal, ast.Constant):
                yield from numbers_of(literal.value)


def conditions_of(call: ast.Call, functions: dict[str, ast.FunctionDef]) -> list[ast.AST]:
    """Return the functions that a row of a table is given."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    named = [
        functions[one.id] for one in given if isinstance(one, ast.Name) and one.id in functions
    ]
    made = [
        one
        for one in given
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in functions
    ]
    return [*(one for one in given if isinstance(one, ast.Lambda)), *named, *made]


def sentences_of(call: ast.Call) -> Iterator[str]:
    """Yield what a row says in words that are written out."""
    for given in (*call.args, *(keyword.value for keyword in call.keywords)):
        parts = given.values if isinstance(given, ast.JoinedStr) else [given]
        for part in parts:
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and " " in part.value:
                yield part.value


def figures_written_out(source: str, module: ModuleType | None = None) -> list[tuple[int, str]]:
    """Return line and sentence of rows that write out a number of their condition."""
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    found = []
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not (conditions := conditions_of(call, functions)):
            continue
        bounds = {bound for condition in conditions for bound in bounds_of(condition, module)}
        words = {f"{number:,}" for bound in bounds for number in (bound, bound - 1)}
        words |= {word.replace(",", "") for word in words}
        found += [
            (call.lineno, sentence)
            for sentence in sentences_of(call)
            if "§" not in sentence
            and not words.isdisjoint(word.strip(".,:;()%") for word in sentence.split())
        ]
    return found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('Row("It is 10 or more.", lambda n: n >= 10)', True),
        ('Row("It is 9 at most.", when=lambda n: n < 10)', True),
        ('Row(f"It is 10 {more}.", lambda n: n >= 10)', True),
        ('Row(f"It is {TEN} or more.", lambda n: n >= TEN)', False),
        ('def _at_least(n): ...\nRow("It is 90 or more.", _at_least(90))', True),
        ('def _many(n):\n    return n > 90\nRow("It is above 90.", _many)', True),
        ('Row("FATF R.16 of 2012", lambda n: n > 90)', False),
    ],
)
def test_a_figure_beside_its_condition_is_found(source: str, found: bool) -> None:
    assert bool(figures_written_out(source)) is found


def test_no_row_of_a_table_writes_out_a_number_of_its_condition() -> None:
    found = {}
    for path in sorted((ROOT / "apps").rglob("*.py")):
        if "migrations" in path.parts:
            continue
        source = path.read_text(encoding="utf-8")
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if rows := figures_written_out(source, importlib.import_module(name)):
            found[str(path.relative_to(ROOT))] = rows
    assert found == {}


def test_a_second_officer_confirms_transfers_from_less_than_screens() -> None:
    assert (LARGE_TRANSFER, LARGE_SCREENED_USD) == (100_000, 1_000_000)
