"""Every page writes days in one form, and asks nobody without a shell to run a command."""

from datetime import date

import pytest
from django.utils import formats

from apps.platform.desk import time_formats
from apps.platform.desk.page_titles import describe_query


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2025-12-03", "03 Dec 2025"),
        ("2025-12", "2025-12"),
        ("2025", "2025"),
        ("2025-02-30", "2025-02-30"),
        ("", ""),
        ("about 1961", "about 1961"),
        ("20251203", "20251203"),
        ("2025-W49-3", "2025-W49-3"),
    ],
)
def test_a_day_is_written_one_way_and_what_is_none_stands_as_it_is(text: str, told: str) -> None:
    assert time_formats.format_day(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Act 2026/46 of 2025-12-03, point IV", "Act 2026/46 of 03 Dec 2025, point IV"),
        ("of 2022-03-04 and 2024-02-23; x", "of 04 Mar 2022 and 23 Feb 2024; x"),
        ("2026-11-22 00:00:00+00:00", "22 Nov 2026 00:00 UTC"),
        ("2026-11-22 08:05:59.123+00:00", "22 Nov 2026 08:05 UTC"),
        ("INV-2026-11-22 and 2026-11-22-B", "INV-2026-11-22 and 2026-11-22-B"),
        ("of 2026-13-40", "of 2026-13-40"),
        ("https://example.org/2026-11-22", "https://example.org/2026-11-22"),
    ],
)  # fmt: skip
def test_days_within_a_text_are_written_so_too_and_references_are_left(
    text: str, told: str
) -> None:
    assert time_formats.format_days_in_text(text) == told


def test_what_an_address_asked_for_reads_as_words() -> None:
    query = "recorded_at__gte=2026-11-22%2000:00:00%2B00:00&is_staff__exact=1&q=x"
    told = describe_query(query)
    assert told.startswith("recorded at, from: 22 Nov 2026 00:00 UTC, is staff, is: 1")


def test_the_days_above_a_list_are_written_as_its_rows_are() -> None:
    day = date(2026, 11, 2)
    assert formats.date_format(day, "MONTH_DAY_FORMAT") == "02 Nov"
    assert formats.date_format(day, "YEAR_MONTH_FORMAT") == "Nov 2026"
