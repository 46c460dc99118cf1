"""Every rule that an answer or a case shows has a code that never changes, and its reference."""

from itertools import chain

from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.compliance.screening.rules import findings, pep, ubo
from apps.compliance.screening.rules.findings import MINORITY_RISK
from apps.reference.watchlists.matching.thresholds import BELOW_MATCH, LOOK, MATCH
from apps.reference.watchlists.rules.score_limits import (
    BLOCK_SCORE,
    PARTIAL_SCORE,
    to_whole_percent,
)


def test_codes_are_unique_over_all_tables() -> None:
    codes = [rule.code for rule in chain(findings.RULES, ubo.RULES, pep.RULES)]
    assert len(set(codes)) == len(codes)
    for code in codes:
        domain, _, name = code.partition(".")
        assert domain.isidentifier() and name.isidentifier(), code


def test_a_case_has_code_reference_and_sentence_of_each_rule(screen) -> None:
    answer = screen(country="HT", amount=20_000)
    shown = [(rule["code"], rule["ref"], rule["sentence"]) for rule in Case.objects.get().rules]
    named = zip(answer["rules"], answer["ruleReferences"], answer["reasons"], strict=True)
    assert shown == list(named)
    assert shown[0][:2] == ("country.increased_monitoring", "1 §2.7 rule 1 grey list")


def test_the_case_page_shows_the_code_beside_the_reference(screen, admin_client) -> None:
    screen(country="HT")
    page = admin_client.get(reverse("admin:review_case_change", args=[Case.objects.get().pk]))
    assert page.status_code == 200
    assert "country.increased_monitoring · 1 §2.7 rule 1 grey list" in page.content.decode()


def test_shares_and_percents_of_the_thresholds_are_the_same() -> None:
    assert (to_whole_percent(MATCH), to_whole_percent(LOOK)) == (BLOCK_SCORE, PARTIAL_SCORE)
    assert to_whole_percent(BELOW_MATCH) == MINORITY_RISK == BLOCK_SCORE - 1
