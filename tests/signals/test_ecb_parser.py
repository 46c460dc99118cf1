"""The ECB's SDMX-CSV: read by column names, refused as a whole when broken."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.reference.signals import ecb_parser
from tests.shared_data import shared

TODAY = date(2026, 11, 20)
HEADER = "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE"


def line(currency="USD", day="2026-11-19", value="1.1602", freq="D", denominator="EUR"):
    key = f"EXR.{freq}.{currency}.{denominator}.SP00.A"
    return f"{key},{freq},{currency},{denominator},SP00,A,{day},{value}"


def parse(*lines, header=HEADER):
    return ecb_parser.parse_ecb_rates([header, *lines], today=TODAY)


def test_real_rates_are_read():
    with shared("signals/fx/ecb_exr_csvdata_2026.csv").open() as stream:
        rates = ecb_parser.parse_ecb_rates(stream, today=TODAY)
    assert len(rates) == 110
    assert rates[0].day == date(2026, 2, 17)
    assert ecb_parser.Rate("USD", date(2026, 3, 17), Decimal("1.1531")) in rates
    assert {rate.currency for rate in rates} == {"CHF", "CNY", "GBP", "JPY", "USD"}


def test_columns_are_found_by_name():
    rates = parse("2026-11-19,x,1.16,USD", header="TIME_PERIOD,NEW,OBS_VALUE,CURRENCY")
    assert rates == (ecb_parser.Rate("USD", date(2026, 11, 19), Decimal("1.16")),)


def test_monthly_rows_other_denominators_and_missing_values_are_passed_over():
    rates = parse(
        line(),
        line(freq="M", day="2026-10"),
        line(denominator="USD", currency="JPY"),
        line(currency="ISK", value=""),
        line(currency="RUB", value="NaN"),
    )
    assert [rate.currency for rate in rates] == ["USD"]


def test_the_same_value_twice_is_one_rate():
    assert len(parse(line(), line())) == 1


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [line(value="")],
        [line(), line(value="1.17")],
        [line(value="0")],
        [line(value="-1.2")],
        [line(value="0.0099")],
        [line(value="1000000.1")],
        [line(value="Infinity")],
        [line(value="1,16")],
        [line(value="abc")],
        [line(currency="usd")],
        [line(currency="DOLLAR")],
        [line(day="2026-13-01")],
        [line(day="2026-11-21")],
        [line() + ",surplus"],
        [line().rsplit(",", 1)[0]],
        ['"open quote'],
    ],
)
def test_any_breach_refuses_the_whole_file(lines):
    with pytest.raises(ecb_parser.Malformed):
        parse(*lines)


@pytest.mark.parametrize("value", ["0.01", "1000000"])
def test_the_bounds_of_plausible_rates_are_within(value):
    assert parse(line(value=value))[0].per_euro == Decimal(value)


def test_today_is_not_the_future():
    assert parse(line(day="2026-11-20"))


def test_a_file_without_the_needed_columns_is_refused():
    with pytest.raises(ecb_parser.Malformed, match="OBS_VALUE"):
        parse(header="CURRENCY,TIME_PERIOD")


@given(st.lists(st.text(max_size=60), max_size=6))
def test_garbage_is_malformed_and_nothing_else(lines):
    for header in ([], [HEADER]):
        try:
            ecb_parser.parse_ecb_rates([*header, *lines], today=TODAY)
        except ecb_parser.Malformed:
            continue


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["USD", "JPY", "GBP"]), st.dates(date(2000, 1, 1), TODAY)),
        st.decimals(min_value="0.01", max_value="1000000", places=4),
        min_size=1,
    )
)
def test_any_rates_survive_the_way_through_a_file(table):
    lines = [
        line(currency, day.isoformat(), f"{value}") for (currency, day), value in table.items()
    ]
    found = {(rate.currency, rate.day): rate.per_euro for rate in parse(*lines)}
    assert found == table
