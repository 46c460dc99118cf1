"""Answers out of the cache and computed: what serves whom, and what is charged."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import KeyKind, UsageCount
from apps.access.paywall.models import Receipt
from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.models import IntelligenceAnswer
from apps.insight.intelligence.services import paid_answers
from tests.api.endpoint_walk import payer
from tests.conftest import NOON
from tests.intelligence.conftest import PREFIX, ask
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def test_a_second_call_of_the_hour_comes_from_the_cache_and_says_so(buyer: APIClient) -> None:
    first, second = ask(buyer, "macro-stress"), ask(buyer, "macro-stress")
    assert (first["X-SVC-Cache-Hit"], second["X-SVC-Cache-Hit"]) == ("false", "true")
    assert first.json() | {"cacheHit": True} == second.json()
    assert first["X-SVC-Generated"] == second["X-SVC-Generated"] == "2026-11-20T12:00:00.000Z"


def test_a_hit_costs_the_same(buyer: APIClient) -> None:
    ask(buyer, "macro-stress")
    ask(buyer, "macro-stress")
    assert (
        sum(UsageCount.objects.filter(unit="intelligence_15").values_list("calls", flat=True)) == 2
    )


@pytest.mark.parametrize(("later", "hit"), [(HOUR - timedelta(seconds=1), "true"), (HOUR, "false")])
def test_an_answer_serves_until_its_slot_ends(
    buyer: APIClient, at: Callable[[datetime], None], later: timedelta, hit: str
) -> None:
    ask(buyer, "macro-stress")
    at(NOON + later)
    assert ask(buyer, "macro-stress")["X-SVC-Cache-Hit"] == hit


def test_an_answer_serves_other_processes(buyer: APIClient) -> None:
    ask(buyer, "macro-stress")
    paid_answers.clear_answer_memory()
    assert ask(buyer, "macro-stress")["X-SVC-Cache-Hit"] == "true"
    assert IntelligenceAnswer.objects.count() == 1


def test_an_answer_serves_its_own_slot_and_method_alone(buyer: APIClient) -> None:
    product = product_of("macro-stress")
    assert product is not None
    ask(buyer, "macro-stress")
    paid_answers.clear_answer_memory()
    slot = paid_answers.cache_slot_of(product, NOON)
    assert paid_answers.recall_answer(product, slot) is not None
    assert paid_answers.recall_answer(replace(product, version="of another day"), slot) is None
    assert paid_answers.recall_answer(product, slot - 1) is None


def test_of_two_that_compute_the_same_the_first_is_right(buyer: APIClient) -> None:
    product = product_of("macro-stress")
    assert product is not None
    late = paid_answers.compute_answer(product, asked={}, now=NOON)
    first = ask(buyer, "macro-stress").json()
    answer = paid_answers.conclude_answer(product, gathered=late, caller=None, now=NOON)
    assert answer.values["cacheHit"] is True
    assert answer.values["generatedAt"] == first["generatedAt"]
    assert IntelligenceAnswer.objects.count() == 1


def test_an_altered_answer_is_never_sold(buyer: APIClient) -> None:
    assert ask(buyer, "macro-stress").status_code == 200
    paid_answers.clear_answer_memory()
    with without_triggers():
        sql("UPDATE intelligence_intelligenceanswer SET payload = replace(payload, 'i', 'j')")
    told = ask(buyer, "macro-stress")
    assert (told.status_code, told.json()["code"]) == (503, "record_unproved")
    assert IntelligenceAnswer.objects.count() == 1


def test_without_figures_there_is_no_answer_and_no_bill(
    caller: Callable[..., APIClient], at: Callable[[datetime], None]
) -> None:
    at(NOON)
    answer = ask(caller("Alice Ltd", KeyKind.DATA), "macro-stress")
    assert (answer.status_code, answer.json()["code"]) == (503, "no_data")
    assert int(answer["Retry-After"]) > 0
    assert not UsageCount.objects.exists()


def test_without_figures_a_payment_is_not_taken(db: None) -> None:
    answer = payer("Alice Ltd").get(f"{PREFIX}/macro-stress")
    assert answer.status_code == 503
    assert not Receipt.objects.exists()


def test_who_pays_is_answered_as_who_has_a_key(
    caller: Callable[..., APIClient], series: None
) -> None:
    by_key: dict[str, Any] = ask(caller("Alice Ltd", KeyKind.DATA), "macro-stress").json()
    paid = payer("Bob Ltd").get(f"{PREFIX}/macro-stress")
    assert paid.status_code == 200, paid.content
    assert paid.json() == by_key | {"cacheHit": True}
    assert Receipt.objects.count() == 1


def test_without_key_or_payment_it_says_what_to_pay(api: APIClient, series: None) -> None:
    answer = api.get(f"{PREFIX}/macro-stress")
    assert answer.status_code == 402
    assert answer.json()["accepts"][0]["maxAmountRequired"] == "150000"
