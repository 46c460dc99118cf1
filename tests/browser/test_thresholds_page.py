"""The what-if of thresholds, with lines: readable on a phone, in light and dark, by axe's rules."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.compliance.screening.rules.threshold_effects import EFFECTS
from apps.compliance.screening.simulation.simulate import ChangedScreen, SimulationResult
from apps.compliance.screening.views import thresholds_page
from tests.browser.page_checks import DESKTOP, PHONE, Seen, axe, tables_to_scroll, too_wide
from tests.review.people import SENIOR, case, person

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "A party whose name is very long because it is of many words " * 3


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (DESKTOP, True), (PHONE, False)])
def test_what_would_have_changed_is_read_wherever_it_is_opened(
    opened: Callable[..., Any],
    live_server: Any,
    monkeypatch: Any,
    transactional_db: Any,
    size: Any,
    dark: bool,
) -> None:
    pk = case().pk
    lines = [
        ChangedScreen(1, LONG, "FLAGGED", "APPROVED", effect, pk, "Rejected: because")
        for effect in EFFECTS
    ]
    simulation_result = SimulationResult(
        lines=[*lines, ChangedScreen(2, "Acme", "BLOCKED", "FLAGGED", EFFECTS[6])], more=True
    )
    simulation_result.effects.update({effect.code: 1200 for effect in EFFECTS})
    simulation_result.pairs.update({("FLAGGED", "APPROVED"): 1200, ("BLOCKED", "BLOCKED"): 3})
    monkeypatch.setattr(thresholds_page, "simulate_thresholds", lambda proposal: simulation_result)
    page = opened(person("sven", SENIOR), size=size, dark=dark)
    seen = Seen(page, live_server.url)
    page.goto("/admin/screening/screen/thresholds/?look=50")
    assert seen.faults == [] and axe(page) == [] and too_wide(page) <= 0
    assert tables_to_scroll(page) == []
    page.fill('[name="match"]', "80")
    page.keyboard.press("Enter")
    page.wait_for_url("**match=80**")
