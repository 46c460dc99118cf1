"""Officers and others at the desk, cases for them to work on, and a strict look at pages."""

from datetime import UTC, datetime
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.case_keys import build_entity_key
from apps.backoffice.review.services import CaseOpening, open_case
from tests.travelrule.engagements import VISITING, engaged

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
OFFICER, SENIOR = "Compliance officer", "Senior officer"
NOTE = "Another person: the birth dates differ."


def person(name: str, *groups: str, superuser: bool = False) -> User:
    """Make a staff user in these groups."""
    user = User.objects.create(username=name, is_staff=True, is_superuser=superuser)
    user.groups.set(Group.objects.filter(name__in=groups))
    if VISITING in groups:  # whose account opens nothing without
        engaged(user)
    return user


def at_desk(user: User) -> Client:
    """Return a browser in which the user is signed in."""
    client = Client()
    client.force_login(user)
    return client


def case(ref: str = "1", **given: Any) -> Case:
    """Open a case; by default one officer is enough for it."""
    values: dict[str, Any] = {
        "kind": "screen",
        "ref": ref,
        "owner": "account:1",
        "title": "Screen of Chen Haddad",
        "party": "Chen Haddad",
        "country": "AE",
        "reference": f"REF-{ref}",
        "amount": Decimal("25245.30"),
        "currency": "USD",
        "risk": "MEDIUM",
        "risk_score": 61,
        "reasons": [
            {"ref": "1 §2.7 rule 3 partial", "sentence": "The name resembles a listed one by 61 %."}
        ],
        "evidence": {
            "matches": [
                {
                    "check": "Sanctions",
                    "list": "OFAC SDN",
                    "entity": "ofac-123",
                    "name": "HADAD, Chen Ali",
                    "score": 61,
                    "pairs": [
                        {"asked": "chen", "listed": "chen", "how": "the same", "same": True},
                        {"asked": "haddad", "listed": "hadad", "how": "one letter", "same": False},
                    ],
                    "only_listed": ["ali"],
                    "qualifiers": [
                        {"what": "Birth date", "asked": "1980", "listed": "1961", "agrees": False}
                    ],
                    "details": [{"label": "Programme", "value": "SDGT"}],
                }
            ],
            "chain": [{"role": "Subject", "name": "Haddad Trading", "finding": "not listed"}],
            "lists": [{"name": "OFAC SDN", "version": 12}],
            "engine": {"score": 0.6123456},
        },
        "now": NOON,
    }
    values |= given
    listed = {
        f"{match['list']}:{match['entity']}"
        for match in values["evidence"].get("matches", [])
        if "entity" in match
    }
    values = {"entity_key": build_entity_key(listed)} | values
    now = values.pop("now")
    return open_case(opening=CaseOpening(**values), now=now)


def approve(one: Case, by: User, **given: Any) -> Case:
    """Decide a case as this officer; by default that it is approved."""
    values = {"outcome": "APPROVE", "reason_code": "NAME_ONLY", "note": NOTE, "now": NOON} | given
    return services.decide_case(case=one, by=by, **values)


def confirm(one: Case, by: User, **given: Any) -> Case:
    """Confirm a first decision as this officer."""
    values = {"reason_code": "NAME_ONLY", "note": NOTE, "now": NOON} | given
    return services.confirm_decision(case=one, by=by, **values)


def steps(one: Case) -> list[str]:
    """Return what happened to a case, the oldest first."""
    return list(one.events.order_by("pk").values_list("action", flat=True))


class _Look(HTMLParser):
    """Finds what a strict Content-Security-Policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "style":
            self.faults.append("<style>")
        if tag == "script" and "src" not in given:
            self.faults.append("<script> without src")
        for name, value in given.items():
            if name == "style" or name.startswith("on"):
                self.faults.append(f"{name}= on <{tag}>")
            if name in ("src", "href", "action", "formaction") and (
                value.startswith(("javascript:", "http:", "https:", "//", "data:"))
            ):
                self.faults.append(f"{name}={value}")


def check_page(response: Any, status: int = 200) -> str:
    """Check a page's status and policy, that nothing inline or foreign is in it; return it."""
    assert response.status_code == status, response.content[:2000]
    policy = response["Content-Security-Policy"]
    assert "script-src 'self';" in policy and "style-src 'self';" in policy
    assert "unsafe" not in policy
    html: str = response.content.decode()
    seen = _Look()
    seen.feed(html)
    assert not seen.faults, seen.faults
    return html
