"""A test of all rows of a table reports every row that fails, and keeps rows apart."""

from typing import Any

import pytest

from apps.access.keys.models import Account
from tests.conftest import NOON
from tests.for_each import for_each


def test_every_row_that_fails_is_named_with_its_place_and_what_was_wrong() -> None:
    @for_each("number", [1, 2, 3, 4], ids=lambda number: f"row {number}")
    def test(number: int) -> None:
        assert number % 2, f"{number} is even"

    with pytest.raises(pytest.fail.Exception) as caught:
        test()
    told = str(caught.value)
    assert told.startswith("2 of 4 rows failed: row 2, row 4\n")
    assert "row 2\n" in told and "row 4\n" in told and "row 1\n" not in told
    assert "tests/test_for_each.py:" in told and "AssertionError: 4 is even" in told


def test_a_row_that_breaks_or_expected_an_error_fails_as_well() -> None:
    @for_each(("name", "error"), [("key", KeyError), ("none", None)])
    def test(name: str, error: type[Exception] | None) -> None:
        if error:
            raise error(name)
        with pytest.raises(ValueError, match="never"):
            pass

    with pytest.raises(pytest.fail.Exception, match=r"(?s)2 of 2.*KeyError.*DID NOT RAISE"):
        test()


def test_a_row_that_is_skipped_hides_no_other() -> None:
    @for_each("number", [1, 2, 3])
    def test(number: int) -> None:
        assert number != 1
        if number == 2:
            pytest.skip("no data")

    with pytest.raises(pytest.fail.Exception, match=r"(?s)2 of 3 rows failed: 1, 2.*no data"):
        test()


def test_a_test_all_of_whose_rows_are_skipped_is_skipped() -> None:
    @for_each("number", [1, 2])
    def test(number: int) -> None:
        pytest.skip("no data")

    with pytest.raises(pytest.skip.Exception, match="no data"):
        test()


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="no rows"):
        for_each("row", [])


@for_each("name", ["Alice Ltd", "Bob SA"])
def test_no_row_sees_what_another_wrote(db: Any, name: str) -> None:
    assert not Account.objects.exists()
    Account.objects.create(name=name, created_at=NOON)


@for_each("number", [1, 2])
def test_no_row_sees_what_another_patched(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    assert not hasattr(Account, "patched")
    monkeypatch.setattr(Account, "patched", number, raising=False)
