"""Every address of sign-in: closed to strangers, open to each role, strict in policy."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.backoffice.staff.urls import urlpatterns
from config.desk_roles import ROLES
from tests.review.people import at_desk, check_page, person

BEFORE = {"second", "sign_on", "sign_on_back"}  # on the way in
POSTED = {"recovery", "remove"}
GIVEN = {"remove": [1]}
OWN = sorted({str(urlpattern.name) for urlpattern in urlpatterns} - BEFORE)


@pytest.mark.parametrize("name", OWN)
def test_strangers_are_sent_to_sign_in(db: Any, client: Client, name: str) -> None:
    place = reverse(f"staff:{name}", args=GIVEN.get(name))
    for answer in (client.get(place), client.post(place)):
        assert answer.status_code == 302 and "/admin/login/" in answer["Location"]


@pytest.mark.parametrize("group", ROLES)
def test_everyone_who_works_here_has_their_own_pages(db: Any, group: str) -> None:
    desk = at_desk(person("somebody", group))
    for name in sorted(set(OWN) - POSTED - {"go_on"}):
        check_page(desk.get(reverse(f"staff:{name}")))
    for name in POSTED:
        place = reverse(f"staff:{name}", args=GIVEN.get(name))
        # a reload of the codes' page leads back; nothing is made by it
        assert desk.get(place).status_code == (302 if name == "recovery" else 405)
        assert desk.post(place).status_code == 404


def test_a_user_who_is_no_staff_stays_outside(db: Any) -> None:
    user = person("olivia", *ROLES)
    user.is_staff = False
    user.save()
    desk = at_desk(user)
    for name in OWN:
        assert desk.get(reverse(f"staff:{name}", args=GIVEN.get(name))).status_code == 302
