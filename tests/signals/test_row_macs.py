"""A value counts only with the proof that this platform kept it."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from apps.platform.ledger.table_proofs import PROJECTIONS
from apps.reference.signals import exchange_rates, row_macs, services
from apps.reference.signals.models import Observation
from apps.reference.signals.selectors import series_board, series_values
from apps.reference.signals.series import FEEDS, Reading
from tests.conftest import NOON
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
TODAY = NOON.date()
NAME = "us.dgs10"


def kept(value: str, days: int = 0, name: str = NAME, source: str = "FED") -> None:
    readings = [Reading(name, TODAY - days * DAY, Decimal(value))]
    services.record_readings(readings=readings, source=source, now=NOON - days * DAY)


def forged(value: str | None, days: int = 0, name: str = NAME, source: str = "FED", **other: Any):  # type: ignore[no-untyped-def]
    """Put a row into the database as one does who can write it, and holds no key."""
    row = {
        "series": name,
        "observed_on": (TODAY - days * DAY).isoformat(),
        "value": value,
        "source": source,
        "fetched_at": NOON.isoformat(),
        "vintage": (NOON - timedelta(minutes=1)).isoformat(),
        "digest": "",
        "proof": "",
    } | other
    for name in ("fetched_at", "vintage"):
        moment = datetime.fromisoformat(row[name])
        row[name] = connection.ops.adapt_datetimefield_value(moment)
    names = ", ".join(row)
    marks = ", ".join(["%s"] * len(row))
    statement = f"INSERT INTO signals_observation ({names}) VALUES ({marks})"
    with connection.cursor() as cursor:
        cursor.execute(statement, [*row.values()])


@pytest.mark.parametrize("value", ["-0", "-0.000000001", "0"])
def test_a_zero_proves_itself_whatever_its_sign_was(value: str) -> None:
    kept(value)
    assert row_macs.find_proof_fault(Observation.objects.get(series=NAME)) == ""


def newest() -> Decimal | None:
    found = series_values.load_latest_points([NAME], as_of=NOON).get(NAME)
    return found and found.value


def faults() -> list[str]:
    (projection,) = PROJECTIONS["intelligence_answers"]
    return list(projection.compare(lambda _: None))


def test_a_forged_value_is_as_if_it_were_not_there() -> None:
    kept("4.1", days=1)
    forged("99")
    assert newest() == Decimal("4.1")
    assert series_values.load_history(NAME, as_of=NOON) == [(TODAY - DAY, Decimal("4.1"))]


def test_a_forged_withdrawal_takes_nothing_back() -> None:
    kept("4.1", days=1)
    forged(None, days=1)
    assert newest() == Decimal("4.1")


@pytest.mark.parametrize(
    "changed",
    [
        {"series": "us.dgs2"},
        {"observed_on": TODAY.isoformat()},
        {"source": "ECB"},
        {"vintage": (NOON - timedelta(seconds=1)).isoformat()},
    ],
)
def test_the_proof_of_another_row_proves_nothing(changed: dict[str, str]) -> None:
    kept("4.1", days=1)
    newest()
    true = Observation.objects.get()
    copied = {"vintage": true.vintage.isoformat(), "proof": true.proof}
    forged(**({"value": "4.1", "days": 1} | copied | changed))
    assert [*series_values.load_latest_points(["us.dgs2", NAME], as_of=NOON)] == [NAME]
    assert newest() == Decimal("4.1")
    assert len(faults()) == 1


def test_the_proof_of_another_value_proves_nothing() -> None:
    kept("4.1")
    (row,) = row_macs.filter_proven_rows(Observation.objects.values_list(*row_macs.COLUMNS))
    name, day, value, *rest = row
    assert value == Decimal("4.1")
    for other in (Decimal("4.2"), Decimal("-4.1"), None):
        assert [*row_macs.filter_proven_rows([(name, day, other, *rest)])] == []  # type: ignore[list-item]
    assert [*row_macs.filter_proven_rows([row])] == [row]


def test_a_proof_by_a_key_that_is_not_ours_proves_nothing(settings: Any) -> None:
    settings.LEDGER_KEYS = f"old:{'1' * 64}"
    kept("4.1", days=1)
    settings.LEDGER_KEYS = f"new:{'2' * 64},old:{'1' * 64}"
    kept("4.2")
    assert newest() == Decimal("4.2") and faults() == []
    settings.LEDGER_KEYS = f"new:{'3' * 64}"
    assert newest() is None and len(faults()) == 2


def test_a_forged_value_does_not_keep_the_true_one_out() -> None:
    forged("4.1")
    kept("4.1")
    assert newest() == Decimal("4.1")


def test_a_forged_day_does_not_move_from_where_a_publisher_is_asked() -> None:
    feed = next(one for one in FEEDS if one.name == "fed-h15")
    kept("4.1", days=30)
    since = services._first_day_to_fetch(feed, NOON)
    forged("4.1", days=-9000, source=feed.publisher)
    assert services._first_day_to_fetch(feed, NOON) == since


def test_a_forged_rate_states_no_amount() -> None:
    kept("1.1", days=1, name="fx.eur.USD", source="ECB")
    forged("9.9", name="fx.eur.USD", source="ECB")
    to_usd = exchange_rates.convert_to_usd(amount=Decimal(10), currency="EUR", now=NOON)
    assert to_usd is not None and (to_usd.amount_usd, to_usd.rate_date) == (11, TODAY - DAY)


def test_the_desk_and_the_verification_name_a_forged_value() -> None:
    kept("4.1", days=1)
    assert faults() == []
    forged("99")
    (fault,) = faults()
    assert f"{NAME} of {TODAY}" in fault and "its MAC is not valid" in fault
    desk = at_desk(person("oscar", "Operator"))
    page = check_page(desk.get(f"/admin/signals/fetch/series/?name={NAME}"))
    assert page.count("not proven") == 1
    series_page = series_board.build_series_page(NAME, now=NOON, may=False)
    assert series_page is not None and series_page.line.value == "4.1"
