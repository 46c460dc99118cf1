"""Rules of sign-in on both sides of each bound."""

from datetime import UTC, datetime, timedelta

import pytest

from apps.access.keys import rules as attempts
from apps.backoffice.staff.rules import devices, one_time_codes, session_lifetimes, single_sign_on

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "moment", "held"),
    [(100, 100, True), (100, 399, True), (100, 400, False), (101, 100, False), (None, 100, False)],
)
def test_recent_counts_from_its_moment_and_not_to_its_end(
    at: int | None, moment: int, held: bool
) -> None:
    assert session_lifetimes.is_recent(at, moment, 300) is held


@pytest.mark.parametrize(
    ("since", "seen", "said"),
    [(0, 35_000, ""), (-1, 35_000, ""), (0, 34_199, "away for 30"), (0, 34_200, "")],
)
def test_a_sign_in_is_over_by_age_or_by_absence(since: int, seen: int, said: str) -> None:
    over = session_lifetimes.find_sign_in_end_reason(
        since=since, seen=seen, moment=35_999, hours=10, idle_minutes=30
    )
    assert said in over if said else (over == "") is (since == 0)


def test_steps_are_the_last_this_and_the_next() -> None:
    assert one_time_codes.list_time_steps(59) == (0, 1, 2)
    assert one_time_codes.list_time_steps(60) == (1, 2, 3)
    assert [one_time_codes.is_step_unused(5, last) for last in (None, 4, 5, 6)] == [
        True,
        True,
        False,
        False,
    ]


def test_codes_are_read_as_they_are_typed() -> None:
    assert one_time_codes.normalize_code(" 123 456 ") == "123456"
    assert one_time_codes.normalize_code("abcde-fghjk") == "ABCDEFGHJK"


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1",
         "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
         "Chrome on Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15",
         "Safari on Mac"),
        ("curl/8.5.0", "curl"), ("", "Unknown browser"), ("Something (Windows NT 10.0)", "Windows"),
    ],
)  # fmt: skip
def test_browsers_are_named_in_words(agent: str, words: str) -> None:
    assert devices.describe_device(agent) == words


@pytest.mark.parametrize(
    ("amr", "acr", "strong"),
    [(["pwd"], "", False), (["pwd", "mfa"], "", True), (["hwk"], "", True), ([], "gold", True),
     ([], "silver", False), (["pwd"], "", False)],
)  # fmt: skip
def test_what_a_provider_says_of_its_second_factor(amr: list[str], acr: str, strong: bool) -> None:
    assert single_sign_on.is_second_factor_claimed(amr=amr, acr=acr, accepted=["gold"]) is strong


def test_roles_come_from_the_groups_that_are_mapped() -> None:
    mapping = {"a": "Operator", "b": "Examiner", "c": "Operator"}
    assert single_sign_on.map_groups_to_roles(groups=["c", "x", "a", "b"], mapping=mapping) == (
        "Operator",
        "Examiner",
    )
    assert single_sign_on.map_groups_to_roles(groups=["x"], mapping=mapping) == ()


@pytest.mark.parametrize(("count", "shut"), [(9, False), (10, True)])
def test_the_tenth_failure_shuts_until_the_oldest_is_a_quarter_of_an_hour_old(
    count: int, shut: bool
) -> None:
    failures = [NOON + timedelta(seconds=n) for n in range(count)]
    opens = attempts.compute_retry_time(failures=failures, most=10)
    assert opens == (NOON + attempts.WITHIN if shut else None)
