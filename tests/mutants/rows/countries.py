"""Which countries are listed."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "countries-listed-a-day-longer",
        "apps/reference/countries/rules.py",
        "not end_known or day < self.until",
        "not end_known or day <= self.until",
        "A country is judged as listed on the first day off the list.",
        (
            "tests/countries/test_listings.py"
            "::test_a_spell_begins_with_its_first_day_and_is_over_on_its_last",
        ),
    ),
    (
        "countries-known-too-early",
        "apps/reference/countries/rules.py",
        "(known_at is not None and self.recorded_at > known_at)",
        "(known_at is not None and self.recorded_at < known_at)",
        "An old screen replays with listings that nobody knew then.",
        (
            "tests/countries/test_listings.py"
            "::test_an_old_screen_can_be_judged_by_what_was_known_then",
        ),
    ),
    (
        "countries-proposer-decides",
        "apps/platform/desk/models/proposals.py",
        "        if self.proposed_by_id == by.pk:\n",
        "        if self.proposed_by_id == self.pk * -1:\n",
        "One senior officer lists a country alone.",
        ("tests/countries/test_listings.py::test_nobody_decides_on_an_own_proposal",),
    ),
    (
        "countries-note-discarded",
        "apps/reference/countries/services.py",
        "change.settle(approved=True, by=by, note=note, now=now",
        'change.settle(approved=True, by=by, note="", now=now',
        "What the second officer wrote when approving is lost.",
        (
            "tests/countries/test_admin.py"
            "::test_the_page_shows_who_proposed_what_and_what_the_second_wrote",
        ),
    ),
    (
        "countries-gravest-is-the-last",
        "apps/reference/countries/rules.py",
        "return next((label for name, label in LABELS.items() if name in lists), STANDARD)",
        "return next((LABELS[name] for name in reversed(LABELS) if name in lists), STANDARD)",
        "A country on the call for action and the EU's list bears the lesser label.",
        ("tests/countries/test_listings.py::test_a_country_bears_its_gravest_label",),
    ),
)
