"""narrate=true: two or three sentences of a model, or none; the numbers stay the same."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.insight.esg import narration
from apps.platform.advisory import opinions
from apps.platform.upstreams.http import UpstreamError
from config import rate_limits

pytestmark = pytest.mark.django_db
Ask = Callable[..., Any]
SAID = '{"narration": "The entity is middling. Little of it is known."}'


class Model:
    """What a model says, and what it was told."""

    said: str = SAID
    told: list[dict[str, Any]] = []  # noqa: RUF012

    def said_of(self, **asked: Any) -> str:
        self.told.append(asked)
        if not self.said:
            raise UpstreamError("it is late")
        return self.said


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    made = Model()
    made.told = []
    monkeypatch.setattr(opinions, "is_model_configured", lambda: True)
    monkeypatch.setattr(
        opinions.ChatClient, "complete", lambda self, **asked: made.said_of(**asked)
    )
    return made


def test_a_narration_is_told_on_request_alone_and_moves_no_number(ask: Ask, model: Model) -> None:
    plain = ask()
    told = ask(narrate="true")
    assert told.pop("narration").startswith("The entity is middling")
    assert told == plain | {"fromCache": True} and len(model.told) == 1
    assert model.told[0]["deadline"] == 8.0


@pytest.mark.parametrize("said", ["", "not JSON", '{"narration": "see https://evil.example"}'])
def test_a_narration_that_fails_is_left_out(ask: Ask, model: Model, said: str) -> None:
    model.said = said
    assert "narration" not in ask(narrate="true")


FACTS = {
    "entityName": "7 Seas Ltd", "composite": 42, "environmental": 40, "social": 41,
    "governance": 45, "fee_tier": "BELOW_AVERAGE", "coverage": "PARTIAL",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It scores 42 of 100; governance is 45.", False),
        ("It scores 42/100, tier BELOW_AVERAGE, in all 3 pillars.", False),
        ("7 Seas Ltd is in the below average tier. Governance is poor.", False),
        ("It scores 43.", True),
        ("The score is 100.", True),
        ("It scores 42, tier EXCELLENT.", True),
        ("It scores 42 and is in the good fee tier.", True),
        ("Its fee is 0.29 per cent.", True),
    ],
)
def test_a_narration_that_errs_is_left_out(text: str, wrong: bool) -> None:
    assert narration.contradicts_score_facts(text=text, facts=FACTS) is wrong


def test_the_answer_has_no_narration_that_contradicts_it(ask: Ask, model: Model) -> None:
    model.said = '{"narration": "The score is 99, tier EXCELLENT."}'
    assert "narration" not in ask(narrate="true")


def test_a_model_is_told_that_figures_are_of_the_sample(ask: Ask, model: Model) -> None:
    ask(narrate="true")
    assert "SAMPLE" in str(model.told[0])


def test_without_a_model_there_is_none(ask: Ask) -> None:
    assert "narration" not in ask(narrate="true")


def test_so_many_narrations_a_minute_and_no_more(ask: Ask, model: Model) -> None:
    facts = {"composite": 50}
    from tests.conftest import NOON

    for _ in range(rate_limits.ESG_NARRATIONS):
        assert narration.request_narration(facts=facts, now=NOON)
    assert narration.request_narration(facts=facts, now=NOON) == ""
    assert len(model.told) == rate_limits.ESG_NARRATIONS
