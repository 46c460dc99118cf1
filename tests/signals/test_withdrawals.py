"""A value that its publisher takes back: gone from what is read, and still there for the past."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.reference.signals import exchange_rates, format_drift, services
from apps.reference.signals.models import Fetch, Observation
from apps.reference.signals.readers import Malformed
from apps.reference.signals.selectors import series_values
from tests.conftest import NOON
from tests.review.people import at_desk, check_page, person
from tests.signals.fake_publisher import Publisher, feed, publishing, rows, serve

pytestmark = pytest.mark.django_db
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
HEAD = b"Date,OFR FSI\n"
DAYS = [date(2026, 11, 2) + n * DAY for n in range(16)]


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publishing() as server:
        yield server


def body(gone: tuple[int, ...] = (), mark: str | None = None, first: int = 0) -> bytes:
    """Sixteen days, or those from `first` on; of those that are gone the mark, or no line."""
    lines = [
        f"{day},{mark}\n" if n in gone else f"{day},{n}.0\n"
        for n, day in enumerate(DAYS)
        if n >= first and (n not in gone or mark is not None)
    ]
    return HEAD + "".join(lines).encode()


def ask(publisher: Publisher, sent: bytes, hours: int) -> int:
    publisher.body = sent
    return services.refresh_feeds(now=NOON + hours * HOUR)


def known(hours: int) -> dict[date, Decimal]:
    return dict(series_values.load_history("ofr.fsi", as_of=NOON + hours * HOUR))


@pytest.fixture
def stress(monkeypatch: Any, publisher: Publisher) -> Publisher:
    serve(monkeypatch, publisher, feed("ofr-fsi", revises="rare"), rows("ofr-fsi", "ofr.fsi"))
    assert ask(publisher, body(), 0) == 16
    return publisher


def test_who_reads_while_a_file_is_asked_for_does_not_know_it_yet(
    monkeypatch: Any, publisher: Publisher
) -> None:
    """A value counts as known from when its file had been read, and not from when it was asked."""
    serve(monkeypatch, publisher, feed("ofr-fsi"), rows("ofr-fsi", "ofr.fsi"))
    publisher.body = body()
    assert services.refresh_feeds(now=NOON, clock=lambda: NOON + 3 * HOUR) == 16
    assert (len(known(2)), len(known(3))) == (0, 16)
    assert Fetch.objects.get().at == NOON


@pytest.mark.parametrize(
    ("gone", "mark"), [((7,), None), ((7,), "."), ((15,), "NA"), ((0,), ""), ((3, 9), None)]
)
def test_what_is_missing_later_is_read_until_then_and_no_longer(
    stress: Publisher, gone: tuple[int, ...], mark: str | None
) -> None:
    assert ask(stress, body(gone, mark), 2) == len(gone)
    assert len(known(1)) == 16
    assert set(DAYS) - set(known(2)) == {DAYS[n] for n in gone}
    newest = series_values.load_latest_points(["ofr.fsi"], as_of=NOON + 2 * HOUR)["ofr.fsi"]
    assert newest.day == (DAYS[14] if 15 in gone else DAYS[15])
    note = Fetch.objects.first()
    assert note is not None and (note.outcome, note.withdrawn) == ("NEW", len(gone))


def test_it_is_taken_back_once_and_may_come_again(stress: Publisher) -> None:
    assert [ask(stress, body((7,)), hour) for hour in (2, 3)] == [1, 0]
    assert ask(stress, body(), 4) == 1
    assert [DAYS[7] in known(hour) for hour in (1, 2, 3, 4)] == [True, False, False, True]
    observations = Observation.objects.filter(observed_on=DAYS[7]).order_by("vintage")
    assert [observation.value for observation in observations] == [Decimal(7), None, Decimal(7)]


@pytest.mark.parametrize("first", [1, 9, 15])
def test_a_file_of_the_last_days_takes_nothing_back_of_those_before(
    stress: Publisher, first: int
) -> None:
    assert ask(stress, body(first=first), 2) == 0
    assert len(known(2)) == 16


def test_each_series_is_taken_back_within_its_own_days() -> None:
    within = {"fx.eur.USD": (DAYS[0], DAYS[9]), "fx.eur.GBP": (DAYS[4], DAYS[6])}
    known = [("fx.eur.GBP", DAYS[n]) for n in (3, 4, 6, 7)] + [("fx.eur.CHF", DAYS[5])]
    withdrawn_values = format_drift.find_withdrawn_values(
        known, set(), within=within, feed=feed("ecb-rates")
    )
    assert withdrawn_values == [("fx.eur.GBP", DAYS[4]), ("fx.eur.GBP", DAYS[6])]


def test_a_file_that_ends_earlier_takes_nothing_back_of_those_after(stress: Publisher) -> None:
    assert ask(stress, body(gone=(14, 15)), 2) == 0
    assert len(known(2)) == 16


@pytest.mark.parametrize(("count", "refused"), [(5, False), (6, True)])
def test_a_file_with_a_large_hole_was_cut(stress: Publisher, count: int, refused: bool) -> None:
    gone = tuple(range(3, 3 + count))
    if not refused:
        assert ask(stress, body(gone), 2) == count
        return
    with pytest.raises(Malformed, match="6 of 16 known values are missing"):
        ask(stress, body(gone), 2)
    assert len(known(2)) == 16
    assert Fetch.objects.first().outcome == "REJECTED"  # type: ignore[union-attr]


def test_who_revises_whole_histories_may_take_back_as_much_as_it_likes(
    monkeypatch: Any, publisher: Publisher
) -> None:
    new_feed = feed("ofr-fsi", revises="whole_history")
    serve(monkeypatch, publisher, new_feed, rows("ofr-fsi", "ofr.fsi"))
    ask(publisher, body(), 0)
    assert ask(publisher, body(tuple(range(1, 12))), 2) == 11
    assert len(known(2)) == 5


def test_a_file_with_gaps_of_its_own_takes_nothing_back(
    monkeypatch: Any, publisher: Publisher
) -> None:
    serve(monkeypatch, publisher, feed("ofr-fsi", gapless=False), rows("ofr-fsi", "ofr.fsi"))
    ask(publisher, body(), 0)
    assert ask(publisher, body((7,)), 2) == 0


def test_that_what_is_never_revised_was_is_said(monkeypatch: Any, publisher: Publisher) -> None:
    serve(monkeypatch, publisher, feed("ofr-fsi", revises="never"), rows("ofr-fsi", "ofr.fsi"))
    ask(publisher, body(), 0)
    assert Fetch.objects.first().reason == ""  # type: ignore[union-attr]
    ask(publisher, body((7,)).replace(b"9.0", b"9.5"), 2)
    assert Fetch.objects.first().reason == (  # type: ignore[union-attr]
        "2 values changed that are never revised"
    )


def test_a_rate_that_the_bank_takes_back_converts_nothing(
    monkeypatch: Any, publisher: Publisher
) -> None:
    serve(monkeypatch, publisher, feed("ecb-rates"), rows("ecb-rates"))
    monkeypatch.setattr(
        "apps.reference.signals.clients.publishers.settings.ECB_RATES_URL", publisher.url
    )
    sent = "CURRENCY,TIME_PERIOD,OBS_VALUE\nUSD,2026-11-19,1.15\nUSD,2026-11-20,1.16\n"
    ask(publisher, sent.encode(), 0)
    ask(publisher, sent.replace("1.16", "NaN").encode(), 2)
    amount, days = Decimal(1), []
    for hour in (1, 2):
        at = NOON + hour * HOUR
        to_usd = exchange_rates.convert_to_usd(amount=amount, currency="EUR", now=at, known_at=at)
        assert to_usd is not None
        days.append(to_usd.rate_date.day)
    assert days == [20, 19]


def test_an_operator_sees_what_was_taken_back(stress: Publisher, monkeypatch: Any) -> None:
    ask(stress, body((7,)), 2)
    monkeypatch.setattr("apps.reference.signals.admin.now", lambda: NOON + 3 * HOUR)
    desk = at_desk(person("oscar", "Operator"))
    page = check_page(desk.get("/admin/signals/fetch/series/?name=ofr.fsi"))
    assert "withdrawn" in page and "1 of them withdrawals" in page
    observation = Observation.objects.get(value=None)
    assert "withdrawn" in check_page(
        desk.get(f"/admin/signals/observation/{observation.pk}/change/")
    )
