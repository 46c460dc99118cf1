"""The bundled sample: every composite can be computed of it, and says that it is one."""

import csv
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from apps.reference.signals import sample_data, services
from apps.reference.signals.composites import COMPOSITES, Composite
from apps.reference.signals.composition import compute_composite
from apps.reference.signals.models import Observation
from apps.reference.signals.quality import TooFewInputs
from apps.reference.signals.sample_origins import ORIGINS
from apps.reference.signals.selectors import series_values
from apps.reference.signals.selectors.series_board import list_board_lines
from apps.reference.signals.series import Reading, find_series
from tests import sampling
from tests.conftest import NOON
from tests.review.people import at_desk, check_page, person


@pytest.fixture
def sample(db: Any) -> None:
    sampling.load(now=NOON)


def test_every_value_of_the_sample_is_plausible() -> None:
    for sample_row in sample_data.iter_sample_rows(now=NOON):
        row = find_series(sample_row.series)
        assert row is not None and row.plausible[0] <= sample_row.value <= row.plausible[1], (
            sample_row
        )


@pytest.mark.django_db
def test_the_sample_loads_once_and_never_in_production(settings: Any, capsys: Any) -> None:
    assert sample_data.load_sample(now=NOON) == Observation.objects.count() > 7000
    assert sample_data.load_sample(now=NOON + timedelta(days=1)) == 0
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="Production"):
        call_command("load_sample_signals")


@pytest.mark.django_db
def test_what_other_tests_begin_with_is_what_is_loaded() -> None:
    columns = ("series", "observed_on", "value", "source", "vintage", "digest", "proof")
    with transaction.atomic():
        sample_data.load_sample(now=NOON)
        loaded = set(Observation.objects.values_list(*columns))
        transaction.set_rollback(True)
    sampling.load(now=NOON)
    assert set(Observation.objects.values_list(*columns)) == loaded


@pytest.mark.parametrize("row", COMPOSITES, ids=lambda row: row.name)
def test_every_composite_is_computed_of_the_sample_and_says_so(
    sample: None, row: Composite, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(3):
        composite = compute_composite(row, as_of=NOON)
    assert composite.quality.label == "ESTIMATED" and "sample" in composite.quality.reasons
    assert 0 <= composite.score <= 100
    assert sum(contribution.share for contribution in composite.contributions) == composite.score
    assert composite.band in {label for _, label in row.bands}


def test_nothing_of_the_sample_is_served_in_production(sample: None, settings: Any) -> None:
    sampling.in_production(settings)
    with pytest.raises(TooFewInputs):
        compute_composite(COMPOSITES[0], as_of=NOON)


def test_the_past_can_be_asked_of_the_sample(sample: None) -> None:
    then = NOON.replace(year=2020, month=5, day=1)
    assert (
        series_values.load_latest_points(["gold"], as_of=then)["gold"].day.isoformat()
        == "2020-03-31"
    )
    later = then + timedelta(days=5)
    assert (
        series_values.load_latest_points(["gold"], as_of=later)["gold"].day.isoformat()
        == "2020-04-30"
    )


def test_a_month_that_was_never_published_is_no_base_of_a_yearly_change(sample: None) -> None:
    index = dict(series_values.load_history("us.cpi", as_of=NOON))
    change = dict(series_values.load_history("us.cpi.yoy", as_of=NOON))
    days = {f"{day:%Y-%m}": day for day in index}
    assert "2025-10" not in days
    assert "2025-10" not in {f"{day:%Y-%m}" for day in change}
    may = days["2026-05"]
    assert (index[may], index[days["2025-05"]]) == (Decimal("335.123"), Decimal("321.465"))
    assert change[may] == Decimal("4.24867404")


@pytest.mark.parametrize("file", sample_data.FILES)
def test_every_column_of_the_sample_has_one_origin_in_its_file(file: str) -> None:
    with (sample_data.FOLDER / f"{file}.csv").open() as stream:
        columns = next(csv.reader(stream))[1:]
    for name in columns:
        rows = [row for row in ORIGINS if row.covers(name)]
        assert len(rows) == 1 and f"{file}.csv" in rows[0].file, name
        assert rows[0].invented == file.startswith("made")


def test_origins_are_those_that_stand_beside_the_files() -> None:
    text = (sample_data.FOLDER / "README.md").read_text()
    for row in ORIGINS:
        assert all(f"`{file}`" in text for file in row.file.split(", "))
        assert row.invented or (row.origin in text and row.to in text)
    assert "**invented for the sandbox**, of no publisher" in text


def test_a_figure_of_the_sample_says_its_own_origin_day_and_licence(sample: None) -> None:
    latest_points = series_values.load_latest_points(
        ["us.dgs2", "us.curve.10y2y", "wheat", "fx.usd.EUR"], as_of=NOON
    )
    assert latest_points["us.dgs2"].licence == (
        "US government work, public domain; Federal Reserve Board, H.15, to 2023-11 "
        "(bundled sample, money.csv)"
    )
    assert latest_points["us.curve.10y2y"].licence.count("bundled sample") == 2
    assert latest_points["wheat"].licence.startswith(
        "CC BY 4.0; World Bank, Pink Sheet of 2 June 2026"
    )
    assert "European Central Bank" not in latest_points["fx.usd.EUR"].licence
    assert {latest_point.source for latest_point in latest_points.values()} == {"SAMPLE"}


def test_what_is_invented_says_so_wherever_it_goes(sample: None) -> None:
    latest_points = series_values.load_latest_points(
        ["stable.usdt.price", "stable.usdt.share"], as_of=NOON
    )
    for latest_point in latest_points.values():
        assert (
            latest_point.source == "SAMPLE+INVENTED"
            and latest_point.sample
            and latest_point.invented
        )
        assert latest_point.licence.startswith("Invented for the sandbox, of no publisher")
    real = services.record_readings(
        readings=[Reading("stable.usdt.price", NOON.date(), Decimal("0.9998"))],
        source="DEFILLAMA", now=NOON,
    )  # fmt: skip
    latest_point = series_values.load_latest_points(["stable.usdt.price"], as_of=NOON)[
        "stable.usdt.price"
    ]
    assert real and (latest_point.source, latest_point.invented) == ("DEFILLAMA", False)
    assert latest_point.licence.startswith("DefiLlama")


def test_the_desk_says_of_the_sample_that_it_is_and_of_the_invented_that_it_is(
    sample: None, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.reference.signals.admin.now", lambda: NOON)
    desk = at_desk(person("oscar", "Operator"))
    page = "/admin/signals/fetch/series/?name="
    shown = check_page(desk.get(page + "us.cpi.independent"))
    assert "Invented sample" in shown and "of no publisher" in shown
    assert "Free use with the source named" not in shown
    shown = check_page(desk.get(page + "ofr.fsi"))
    assert "Office of Financial Research, to 2026-09" in shown
    board = {board_line.name: board_line.standing for board_line in list_board_lines(now=NOON)}
    assert (board["us.cpi.independent"], board["ofr.fsi"]) == ("Invented sample", "Sample")
    observation = Observation.objects.filter(series="stable.usdt.cap").first()
    assert observation is not None
    assert "of no publisher" in check_page(
        desk.get(f"/admin/signals/observation/{observation.pk}/change/")
    )


def test_the_command_says_of_the_invented_that_it_is(sample: None, capsys: Any) -> None:
    call_command("show_series", "stable.usdc.price")
    assert "source SAMPLE+INVENTED: Invented for the sandbox" in capsys.readouterr().out
