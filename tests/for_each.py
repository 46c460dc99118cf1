"""Checks one assertion for every row of a table in one test, and reports every row that fails.

    @for_each("row", ROWS, ids=title)
    def test_the_example_works(loaded: Any, row: Endpoint) -> None: ...

It reads like `pytest.mark.parametrize`, but fixtures are set up once for all rows. What a row
writes to the database is rolled back before the next one, and so are its counted calls and what
it patched by `monkeypatch`. In a test that commits (`transaction=True`) nothing is rolled back.

Rows cannot be skipped one by one: where one asks for it, all must, or the test fails.
"""

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from tests.counted_calls import forget_counted_calls

Test = Callable[..., None]
ROOT = Path(__file__).resolve().parents[1]
LINES_OF_AN_ERROR = 12


def for_each(
    names: str | Sequence[str], rows: Iterable[Any], *, ids: Callable[[Any], str] = str
) -> Callable[[Test], Test]:
    """Run a test once for all rows; `names` are its arguments that a row gives, `ids` name one.

    `names` and `rows` are as `parametrize` takes them, and `ids` names a value, or all of a row.
    """
    split = names.split(",") if isinstance(names, str) else names
    arguments = [name.strip() for name in split]
    table = [row if len(arguments) > 1 else (row,) for row in rows]
    if not table:
        raise ValueError(f"no rows for {', '.join(arguments)}: the test could not fail")

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run_all(**fixtures: Any) -> None:
            failures: dict[str, str] = {}
            skipped: dict[str, str] = {}
            for number, row in enumerate(table, 1):
                title = " ".join(map(ids, row)) or f"row {number}"
                try:
                    with _isolated(fixtures) as own:
                        test(**own, **dict(zip(arguments, row, strict=True)))
                except pytest.skip.Exception as reason:
                    skipped[title] = str(reason)
                except (Exception, pytest.fail.Exception) as error:
                    failures[title] = _describe(error)
            if len(skipped) == len(table):
                pytest.skip(next(iter(skipped.values())))
            failures |= {title: f"    skipped: {reason}" for title, reason in skipped.items()}
            if failures:
                pytest.fail(_report(failures, len(table)), pytrace=False)

        signature = inspect.signature(test)
        given = [one for name, one in signature.parameters.items() if name not in arguments]
        run_all.__signature__ = signature.replace(parameters=given)  # type: ignore[attr-defined]
        return run_all

    return decorate


def _report(failures: dict[str, str], rows: int) -> str:
    # the first line is all that a summary shows
    head = f"{len(failures)} of {rows} rows failed: {', '.join(failures)}"
    return "\n\n".join([head, *(f"{title}\n{what}" for title, what in failures.items())])


def _describe(error: BaseException) -> str:
    """Say where a row failed, in the tests or the deepest line of them, and with what."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is this module's
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT / "tests")]
    places = {(frame.filename, frame.lineno) for frame in (*ours[:1], *frames[-1:])}
    lines = [
        f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno} in {frame.name}: {frame.line}"
        if Path(frame.filename).is_relative_to(ROOT)
        else f"{frame.filename}:{frame.lineno} in {frame.name}: {frame.line}"
        for frame in frames
        if (frame.filename, frame.lineno) in places
    ]
    said = f"{type(error).__name__}: {error}".splitlines()
    return "\n".join(f"    {line}" for line in (*lines, *said[:LINES_OF_AN_ERROR]))


@contextmanager
def _isolated(fixtures: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give a row its own savepoint and patches; what it did is undone, also where it failed."""
    with pytest.MonkeyPatch.context() as patch, _rolled_back():
        yield fixtures | ({"monkeypatch": patch} if "monkeypatch" in fixtures else {})


@contextmanager
def _rolled_back() -> Iterator[None]:
    """Roll back what is written within, where the test has a transaction of its own."""
    if not connection.in_atomic_block:
        yield
        return
    savepoint: Any = transaction.atomic()
    savepoint._from_testcase = True  # what must be outermost may begin within
    savepoint.__enter__()
    try:
        yield
        connection.check_constraints()  # as after every test, before its rows are rolled back
    finally:
        transaction.set_rollback(True)
        savepoint.__exit__(None, None, None)
        forget_counted_calls()
