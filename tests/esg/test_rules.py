"""The method: both sides of each bound, and what must hold of any evidence."""

import hashlib
import random
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.esg.computation import ScoreInputs, build_explanation, compute_result
from apps.insight.esg.evidence_figures import Figure, select_current_figures
from apps.insight.esg.rules.indicators import COUNTRY_INDICATORS, INDICATORS, PILLARS, REFERENCE
from apps.insight.esg.rules.lei_deductions import DEDUCTIONS, deduction_of_status, worse_lei_status
from apps.insight.esg.rules.measures import (
    MEASURES,
    MEASURES_BY_KEY,
    is_current_figure,
    is_plausible_value,
)
from apps.insight.esg.rules.score import (
    FLOOR,
    REFERENCE_SPAN,
    RESTS_ON,
    InsufficientEvidence,
    ScoreFacts,
    compute_score,
)
from apps.insight.stability.fees.rules.esg_fee_tiers import TIERS, esg_surcharge, tier_of_score
from apps.platform.crypto.canonical import canonical_json
from tests.conftest import NOON
from tests.esg.conftest import FRAPORT, figure

PLACE = {
    "country_co2_per_capita": Decimal(5),
    "country_human_capital": Decimal("0.7"),
    "country_rule_of_law": Decimal(1),
}
WHOLE = {
    "ghg_scope1": Decimal(1), "ghg_scope2": Decimal(1), "revenue_usd": Decimal(10**9),
    "noncompliance_quarters": Decimal(0), "climate_target": Decimal(1), "injury_rate": Decimal(0),
    "serious_violations": Decimal(0), "ungc_violation": Decimal(0), "gender_pay_gap": Decimal(0),
    "board_female_share": Decimal(50), "owner_disclosed": Decimal(1),
    "annual_report_days": Decimal(30), "ungc_process_lacking": Decimal(0),
}  # fmt: skip
SCORED = sorted({key for indicator in INDICATORS for key in indicator.of})


@pytest.mark.parametrize(
    ("composite", "tier"),
    [
        (100, "EXCELLENT"), (85, "EXCELLENT"), (84, "GOOD"), (70, "GOOD"), (69, "AVERAGE"),
        (50, "AVERAGE"), (49, "BELOW_AVERAGE"), (30, "BELOW_AVERAGE"), (29, "POOR"), (0, "POOR"),
    ],
)  # fmt: skip
def test_the_composite_decides_the_tier(composite: int, tier: str) -> None:
    assert tier_of_score(composite).tier == tier


@pytest.mark.parametrize(
    ("composite", "fraction"),
    [(100, "0"), (99, "0.00005"), (50, "0.0025"), (1, "0.00495"), (0, "0.005")],
)
def test_the_fee_is_a_hundred_less_the_score_over_two_hundred_per_cent(
    composite: int, fraction: str
) -> None:
    assert esg_surcharge(composite) == Decimal(fraction)


def test_a_better_score_never_has_the_higher_fee() -> None:
    fees = [esg_surcharge(index) for index in range(101)]
    assert fees == sorted(fees, reverse=True) and len(set(fees)) == 101


@pytest.mark.parametrize("row", [*INDICATORS, *COUNTRY_INDICATORS], ids=lambda one: one.id)
def test_a_curve_rises_in_value_and_goes_one_way_in_quality(row: Any) -> None:
    at = [value for value, _ in row.curve]
    quality = [one for _, one in row.curve]
    assert at == sorted(set(at))
    assert quality in (sorted(quality), sorted(quality, reverse=True))
    assert {quality[0], quality[-1]} == {0, 1}
    for value, one in row.curve:
        assert row.quality(value) == one
    assert row.quality(at[0] - 1) == quality[0] and row.quality(at[-1] + 1) == quality[-1]
    assert row.basis and set(row.of) <= set(MEASURES_BY_KEY)


def test_what_a_version_of_the_references_says_never_changes() -> None:
    """Another curve, weight or deduction is another REFERENCE: give its digest beside it."""
    frozen = [
        [indicator.id, indicator.pillar, indicator.weight, indicator.of, indicator.curve]
        for indicator in (*INDICATORS, *COUNTRY_INDICATORS)
    ]
    numbers = [FLOOR, REFERENCE_SPAN, RESTS_ON, *((d.statuses, d.points) for d in DEDUCTIONS)]
    said = hashlib.sha256(repr((frozen, numbers)).encode()).hexdigest()[:16]
    assert {REFERENCE: said} == {"2026.1": "6792ed911819a3e6"}


def test_the_weights_of_each_pillar_are_a_hundred() -> None:
    for pillar in PILLARS:
        assert (
            sum(indicator.weight for indicator in INDICATORS if indicator.pillar == pillar) == 100
        )
        assert [
            country_indicator.weight
            for country_indicator in COUNTRY_INDICATORS
            if country_indicator.pillar == pillar
        ] == [100]


def test_the_best_of_everything_is_a_hundred_and_the_worst_country_alone_is_twenty() -> None:
    best = compute_score(ScoreFacts(WHOLE, {}))
    assert (best.composite, best.coverage) == (100, "FULL")
    worst = {"country_co2_per_capita": Decimal(90), "country_human_capital": Decimal(0),
             "country_rule_of_law": Decimal(-3)}  # fmt: skip
    assert (
        compute_score(ScoreFacts({}, worst)).composite,
        compute_score(ScoreFacts({}, worst)).coverage,
    ) == (20, "COUNTRY")
    fine = {"country_co2_per_capita": Decimal(0), "country_human_capital": Decimal(1),
            "country_rule_of_law": Decimal(3)}  # fmt: skip
    assert compute_score(ScoreFacts({}, fine)).composite == 50


def test_a_pillar_rests_on_the_entity_from_forty_of_a_hundred_on() -> None:
    # social: injuries 35, work safety 20, human rights 25, pay gap 20
    under = {"injury_rate": Decimal(1)}
    over = {"work_safety": Decimal(0), "serious_violations": Decimal(0),
            "gender_pay_gap": Decimal(0)}  # fmt: skip
    assert RESTS_ON == 40
    social = next(
        pillar
        for pillar in compute_score(ScoreFacts(under, PLACE)).pillars
        if pillar.pillar == "social"
    )
    assert (social.covered, social.on_entity) == (35, False)
    social = next(
        pillar
        for pillar in compute_score(ScoreFacts(over, PLACE)).pillars
        if pillar.pillar == "social"
    )
    assert (social.covered, social.on_entity) == (40, True)


def test_a_pillar_with_nothing_to_rest_on_has_no_number() -> None:
    for left_out in PLACE:
        rest = {key: value for key, value in PLACE.items() if key != left_out}
        with pytest.raises(InsufficientEvidence):
            compute_score(ScoreFacts({"injury_rate": Decimal(1)}, rest))


@pytest.mark.parametrize(
    ("status", "points"),
    [("ISSUED", 0), ("PENDING_TRANSFER", 5), ("PENDING_ARCHIVAL", 5), ("LAPSED", 15),
     ("RETIRED", 30), ("ANNULLED", 30), ("UNVERIFIED", 30), ("", 30)],
)  # fmt: skip
def test_a_state_other_than_issued_takes_from_governance(status: str, points: int) -> None:
    assert deduction_of_status(status).points == points
    good = compute_score(ScoreFacts(WHOLE, PLACE))
    other = compute_score(ScoreFacts(WHOLE, PLACE, status))
    assert good.of("governance") - other.of("governance") == points
    assert good.of("social") == other.of("social")


def test_every_rule_is_reached_and_the_graver_state_counts() -> None:
    assert {tier_of_score(index).code for index in range(101)} == {tier.code for tier in TIERS}
    told = ("ISSUED", "PENDING_TRANSFER", "LAPSED", "MERGED")
    assert {deduction_of_status(one).code for one in told} == {
        deduction.code for deduction in DEDUCTIONS
    }
    assert worse_lei_status("ISSUED", "LAPSED") == worse_lei_status("LAPSED", "ISSUED") == "LAPSED"
    assert worse_lei_status("LAPSED", "RETIRED") == "RETIRED"


def test_governance_never_falls_below_nothing() -> None:
    worst = {"country_rule_of_law": Decimal(-3)} | {
        k: v for k, v in PLACE.items() if "law" not in k
    }
    assert compute_score(ScoreFacts({}, worst, "RETIRED")).of("governance") == 0


@pytest.mark.parametrize("row", MEASURES, ids=lambda one: one.key)
def test_a_measure_refuses_what_lies_outside_its_bounds(row: Any) -> None:
    assert is_plausible_value(key=row.key, value=row.least) and is_plausible_value(
        key=row.key, value=row.most
    )
    assert not is_plausible_value(key=row.key, value=row.least - 1)
    assert not is_plausible_value(key=row.key, value=row.most + 1)
    assert not is_plausible_value(key=row.key, value=Decimal("NaN"))
    if row.unit == "0 or 1":
        assert not is_plausible_value(key=row.key, value=Decimal("0.5"))


@pytest.mark.parametrize(
    ("ended", "young"),
    [((2023, 11, 21), True), ((2023, 11, 20), False), ((2026, 11, 20), True),
     ((2026, 11, 21), False)],
)  # fmt: skip
def test_a_figure_counts_for_three_years_and_never_from_the_future(ended: Any, young: bool) -> None:
    day = NOON.date()
    assert is_current_figure(key="ghg_scope1", period_end=day.replace(*ended), today=day) is young


values = st.fixed_dictionaries(
    {},
    optional={
        key: st.decimals(
            MEASURES_BY_KEY[key].least, min(MEASURES_BY_KEY[key].most, Decimal(10**12)), places=2
        )
        for key in SCORED
    },
)


@given(values, st.sampled_from(SCORED))
def test_what_is_missing_never_improves(facts: dict[str, Decimal], gone: str) -> None:
    whole = compute_score(ScoreFacts(facts, PLACE))
    less = compute_score(ScoreFacts({key: one for key, one in facts.items() if key != gone}, PLACE))
    assert less.composite <= whole.composite
    assert all(less.of(pillar) <= whole.of(pillar) for pillar in PILLARS)


@given(values, st.sampled_from(sorted(PLACE)))
def test_a_country_that_is_not_known_never_improves(facts: dict[str, Decimal], gone: str) -> None:
    whole = compute_score(ScoreFacts(facts, PLACE))
    try:
        less = compute_score(ScoreFacts(facts, {k: v for k, v in PLACE.items() if k != gone}))
    except InsufficientEvidence:
        return
    assert less.composite <= whole.composite


@given(values, st.sampled_from(INDICATORS), st.data())
def test_a_better_value_never_lowers_the_score(
    facts: dict[str, Decimal], row: Any, data: Any
) -> None:
    key = row.of[0]
    bounds = MEASURES_BY_KEY[key].least, min(MEASURES_BY_KEY[key].most, Decimal(10**12))
    two = [facts | {key: data.draw(st.decimals(*bounds, places=2))} for _ in range(2)]
    scored = [(row.value(one), one) for one in two]
    if None in (scored[0][0], scored[1][0]):
        return
    worse, better = sorted(scored, key=lambda one: row.quality(one[0]))
    assert (
        compute_score(ScoreFacts(worse[1], PLACE)).composite
        <= compute_score(ScoreFacts(better[1], PLACE)).composite
    )


def test_live_is_what_rests_on_all_of_the_evidence_and_a_verified_lei() -> None:
    def quality(status: str, *left_out: str) -> str:
        told = tuple(figure(k, str(v)) for k, v in WHOLE.items() if k not in left_out)
        return str(compute_result(ScoreInputs(FRAPORT, "", status, told))["data_quality"])

    assert quality("ISSUED") == quality("LAPSED") == "LIVE"
    assert quality("ISSUED", "gender_pay_gap") == quality("UNVERIFIED") == "PARTIAL"


def figures() -> list[Figure]:
    told = [figure(key, str(value)) for key, value in WHOLE.items()]
    told += [figure(key, str(value), "DE") for key, value in PLACE.items()]
    # two sources and an estimate of one measure, so that there is something to choose
    told.append(figure("ghg_scope1", "7", source="OTHER"))
    told.append(figure("ghg_scope1", "9999", source="GUESS", estimated=True))
    return told


@given(st.randoms(use_true_random=False))
def test_the_order_of_evidence_changes_no_byte(chance: random.Random) -> None:
    def made(told: list[Figure]) -> tuple[bytes, bytes, bytes]:
        current_figures = select_current_figures(told)
        mixed = [*current_figures[FRAPORT].values(), *current_figures["DE"].values()]
        chance.shuffle(mixed)
        inputs = ScoreInputs(FRAPORT, "DE", "ISSUED", tuple(mixed))
        told_of = build_explanation(inputs, NOON.date())
        return (
            canonical_json(compute_result(inputs)),
            canonical_json(inputs.stored()),
            canonical_json(told_of),
        )

    mixed = figures()
    chance.shuffle(mixed)
    assert made(mixed) == made(figures())


def test_what_was_reported_counts_before_estimates_and_the_graver_of_two_sources() -> None:
    assert select_current_figures(figures())[FRAPORT]["ghg_scope1"].value == 7


@pytest.mark.parametrize("row", MEASURES, ids=lambda one: one.key)
def test_of_two_sources_that_differ_the_graver_figure_counts(row: Any) -> None:
    two = [figure(row.key, value, source=source) for value, source in (("0", "A"), ("1", "B"))]
    for told in (two, two[::-1]):
        assert select_current_figures(told)[FRAPORT][row.key].value == (0 if row.good else 1)


def test_a_further_source_never_makes_a_score_better() -> None:
    """The graver one counts whichever indicator reads it: nobody gains by a friendlier source."""
    for row in (*INDICATORS, *COUNTRY_INDICATORS):
        for key in row.of:
            less, more = (WHOLE | PLACE | {key: Decimal(one)} for one in (1, 2))
            better = row.quality(row.value(more)) >= row.quality(row.value(less))
            worse = row.quality(row.value(more)) <= row.quality(row.value(less))
            assert better if MEASURES_BY_KEY[key].good else worse, key
