"""manage.py callback_secret: two people in production, and each step is kept."""

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.access.keys.models import Account
from apps.payments.callbacks.models import Secret, Step
from tests.conftest import NOON
from tests.review.people import person

pytestmark = pytest.mark.django_db
WHY = "The bank's receiver goes live on Monday."
TWO = ("--by", "ada", "--confirmed-by", "ben")


@pytest.fixture
def alice() -> Account:
    """A client, and the people of the desk."""
    for name in ("ada", "ben"):
        person(name, "Operator")
    person("olivia", "Compliance officer")
    return Account.objects.create(name="Alice Ltd", created_at=NOON)


def run(*more: str, why: str = WHY) -> None:
    call_command("callback_secret", "--owner", "Alice Ltd", "--why", why, *more)


@pytest.mark.parametrize("end", [(), ("--end",)])
@pytest.mark.parametrize(
    ("who", "why", "fault"),
    [
        ((), WHY, "two people"),
        (("--by", "ada"), WHY, "two people"),
        (("--confirmed-by", "ben"), WHY, "two people"),
        (("--by", "ada", "--confirmed-by", "ada"), WHY, "Another operator"),
        (("--by", "ada", "--confirmed-by", "nobody"), WHY, "not an active staff"),
        (("--by", "olivia", "--confirmed-by", "ben"), WHY, "may not issue"),
        (("--by", "ada", "--confirmed-by", "olivia"), WHY, "may not issue"),
        (TWO, "", "State the reason"),
        (TWO, "x" * 501, "at most 500 are kept"),
    ],
)
def test_in_production_one_person_issues_no_secret_and_ends_no_rotation(
    alice: Account, settings: Any, end: tuple[str, ...], who: Any, why: str, fault: str
) -> None:
    run()
    before = Secret.objects.get().takes_over_at
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match=fault):
        run(*who, *end, why=why)
    assert Secret.objects.get().takes_over_at == before and Step.objects.count() == 1


def test_in_production_two_do_and_both_steps_say_who_and_why(alice: Account, settings: Any) -> None:
    settings.PRODUCTION = True
    run(*TWO)
    run(*TWO, "--end", why="The receiver is ready before its days are over.")
    steps = list(Step.objects.order_by("pk").values_list("what", "owner", "ref", "by", "reason"))
    ref, who = f"secret:{Secret.objects.get().pk}", "ada, confirmed by ben"
    assert steps == [
        ("ISSUED", alice.ref, ref, who, WHY),
        ("ENDED", alice.ref, ref, who, "The receiver is ready before its days are over."),
    ]


def test_in_a_sandbox_one_does_and_an_end_is_kept_too(alice: Account) -> None:
    run()
    run("--end")
    assert list(Step.objects.order_by("pk").values_list("what", "by")) == [
        ("ISSUED", "manage.py callback_secret"),
        ("ENDED", "manage.py callback_secret"),
    ]
    with pytest.raises(CommandError, match="Only one secret signs"):
        run("--end")
    assert Step.objects.count() == 2


def test_no_rotation_is_ended_of_who_has_no_secret(alice: Account) -> None:
    with pytest.raises(CommandError, match="No rotation"):
        run("--end")
