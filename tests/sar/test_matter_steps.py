"""What a record of a matter must say, on which days it may fall, and both sides of each bound."""

from datetime import date, timedelta

import pytest

from apps.backoffice.sar import rules
from apps.backoffice.sar.rules import Matter, StepInput, apply_steps, build_new_matter

DAY = date(2026, 11, 20)
TODAY = DAY + timedelta(days=10)
WHY = "long enough a rationale"
WHOLE = {"reference": "31000000000001", "rationale": WHY, "on": "2026-11-25", "suspect": "YES",
         "amount": "9800.00 USD"}  # fmt: skip


def wrong(action: str, matter: Matter | None = None, today: date = TODAY, **given: str) -> set[str]:
    step, stands = rules.BY_ACTION[action], matter or build_new_matter(detected=DAY, sanctions=True)
    step_input = StepInput(**(WHOLE | given))
    return set(rules.find_input_faults(step=step, given=step_input, matter=stands, today=today))


def can(matter: Matter, day: date) -> set[str]:
    return {step.action for step in rules.list_possible_steps(matter, day)}


@pytest.mark.parametrize(
    ("action", "given", "fields"),
    [
        ("FILED", {}, set()),
        ("FILED", {"reference": "  "}, {"reference"}),
        ("FILED", {"reference": "x" * 101}, {"reference"}),
        ("FILED", {"reference": "none"}, {"reference"}),
        ("FILED", {"reference": "00012345"}, set()),
        ("FILED", {"reference": "0012345"}, {"reference"}),
        ("FILED", {"reference": "BSA-12345678901234"}, set()),
        ("FILED", {"reference": "1" * 20}, set()),
        ("FILED", {"reference": "1" * 21}, {"reference"}),
        ("FILED", {"reference": "abc-12345"}, {"reference"}),
        ("FILED", {"reference": "abc-123456"}, set()),
        ("FILED", {"reference": "3100 0123 4567"}, {"reference"}),
        ("OFAC_BLOCKED", {"reference": "x" * 100}, set()),
        ("OFAC_BLOCKED", {"reference": "x" * 101}, {"reference"}),
        ("OFAC_BLOCKED", {"amount": "0.00 USD"}, {"amount"}),
        ("OFAC_BLOCKED", {"amount": "0.01 USD"}, set()),
        ("OFAC_REJECTED", {"amount": "0 EUR"}, {"amount"}),
        ("FILED", {"rationale": ""}, set()),
        ("FILED", {"rationale": "too short"}, {"rationale"}),
        ("FILED", {"suspect": ""}, {"suspect"}),
        ("FILED", {"suspect": "PERHAPS"}, {"suspect"}),
        ("FILED", {"on": "", "reference": "", "suspect": ""}, {"on", "reference", "suspect"}),
        ("NOT_FILED", {"rationale": "ten letter"}, set()),
        ("NOT_FILED", {"rationale": "  nine lett   "}, {"rationale"}),
        ("NOT_FILED", {"rationale": "x" * 4000}, set()),
        ("NOT_FILED", {"rationale": "x" * 4001}, {"rationale"}),
        ("NOT_FILED", {"on": "", "reference": "", "suspect": "", "amount": ""}, set()),
        ("OFAC_BLOCKED", {"amount": "9800 USD"}, set()),
        ("OFAC_BLOCKED", {"amount": "9800"}, {"amount"}),
        ("OFAC_BLOCKED", {"amount": "9,800.00 USDC"}, set()),
        ("OFAC_BLOCKED", {"amount": "9,80 USD"}, {"amount"}),
        ("OFAC_REJECTED", {"amount": "9800 ZZZ"}, {"amount"}),
        ("OFAC_REJECTED", {"amount": "", "reference": ""}, {"amount", "reference"}),
        ("OFAC_NONE", {"amount": "", "on": "", "reference": ""}, set()),
    ],
)
def test_each_step_asks_for_its_own_fields(
    action: str, given: dict[str, str], fields: set[str]
) -> None:
    assert wrong(action, **given) == fields


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("9800 USD", "9800.00 USD"),
        (" 9,800.50 eurc ", "9800.50 EURC"),
        ("USDC 1,250,000", "1250000.00 USDC"),
        ("0.12345678 BTC", "0.12345678 BTC"),
    ],
)
def test_an_amount_is_kept_in_one_form_however_it_is_typed(typed: str, stored: str) -> None:
    step, step_input = rules.BY_ACTION["OFAC_BLOCKED"], StepInput(**(WHOLE | {"amount": typed}))
    assert rules.normalize_input(step=step, given=step_input) == {
        "reference": WHOLE["reference"],
        "amount": stored,
    }


@pytest.mark.parametrize(
    ("on", "fits"),
    [
        ("2026-11-19", False),  # the day before the detection
        ("2026-11-20", True),
        ("2026-11-30", True),
        ("2026-12-01", False),  # tomorrow
        ("30.11.2026", False),
        ("2026-11-31", False),
        ("20261130", False),
    ],
)
@pytest.mark.parametrize("action", ["FILED", "OFAC_BLOCKED", "OFAC_REJECTED"])
def test_a_filing_lies_between_its_detection_and_today(action: str, on: str, fits: bool) -> None:
    assert (not wrong(action, on=on)) is fits


def test_another_filing_is_not_before_the_last() -> None:
    matter = apply_steps(
        build_new_matter(detected=DAY, sanctions=False), [("FILED", date(2026, 11, 25))]
    )
    assert wrong("FILED", matter, on="2026-11-24") == {"on"}
    assert not wrong("FILED", matter, on="2026-11-25")


def test_clocks_run_from_the_day_of_the_filing() -> None:
    filed = date(2026, 12, 1)
    matter = apply_steps(build_new_matter(detected=DAY, sanctions=False), [("FILED", filed)])
    assert [clock.by for clock in rules.list_running_clocks(matter)] == [
        filed + timedelta(days=120)
    ]


@pytest.mark.parametrize(("days", "possible"), [(89, False), (90, True), (120, True), (121, True)])
def test_what_goes_on_is_reviewed_after_ninety_days(days: int, possible: bool) -> None:
    matter = apply_steps(build_new_matter(detected=DAY, sanctions=False), [("FILED", DAY)])
    today = DAY + timedelta(days=days)
    assert ({"CONTINUES", "ENDED"} <= can(matter, today)) is possible
    later = today + timedelta(days=100)
    assert (not wrong("ENDED", matter, later, on=today.isoformat())) is possible


def test_a_review_can_be_corrected() -> None:
    matter = apply_steps(
        build_new_matter(detected=DAY, sanctions=False), [("FILED", DAY), ("ENDED", DAY)]
    )
    assert "CONTINUES" in can(matter, date(2027, 3, 1))
    assert "ENDED" not in can(matter, date(2027, 3, 1))
    goes_on = apply_steps(matter, [("CONTINUES", DAY)])
    assert [clock.ref for clock in rules.list_running_clocks(goes_on)] == ["SAR-3"]
    assert "ENDED" in can(goes_on, date(2027, 3, 1))


@pytest.mark.parametrize(("days", "possible"), [(0, True), (30, True), (31, False)])
def test_more_days_for_want_of_a_suspect_are_taken_within_the_first_thirty(
    days: int, possible: bool
) -> None:
    matter = build_new_matter(detected=DAY, sanctions=False)
    assert ("NO_SUSPECT" in can(matter, DAY + timedelta(days=days))) is possible
    unknown = apply_steps(matter, [("NO_SUSPECT", DAY)])
    assert "NO_SUSPECT" not in can(unknown, DAY)
    assert [clock.by for clock in rules.list_running_clocks(unknown)] == [DAY + timedelta(days=60)]


@pytest.mark.parametrize(
    ("days", "unknown", "late"),
    [(30, False, 0), (31, False, 1), (31, True, 0), (60, True, 0), (61, True, 1)],
)
def test_a_filing_is_late_after_thirty_days_or_sixty_without_a_suspect(
    days: int, unknown: bool, late: int
) -> None:
    filed = DAY + timedelta(days=days)
    assert rules.count_days_late(detected=DAY, filed=filed, unknown=unknown) == late


@pytest.mark.parametrize(("on", "fits"), [("2027-06-30", False), ("2027-07-01", True)])
def test_an_annual_report_names_a_day_from_july(on: str, fits: bool) -> None:
    matter = apply_steps(build_new_matter(detected=DAY, sanctions=True), [("OFAC_BLOCKED", DAY)])
    assert (not wrong("ANNUAL", matter, date(2027, 8, 1), on=on)) is fits


def who(**given: str) -> list[str]:
    values = {"owner": "account:1", "party": "Boris Hadad", "lei": "", "record": "screen 1"} | given
    return rules.identify_party(**values)


def test_matters_of_one_party_of_one_client_go_together() -> None:
    assert who() == who(party="HADAD, boris", record="screen 2") != who(party="Boris Hadid")
    assert who() != who(owner="account:2")
    lei = "INR2EJN1ERAN0W5ZP974"
    assert who(lei=lei) == who(lei=lei.lower(), party="Another name") != who()
    assert who(party="") != who(party="", record="screen 2")
