"""Second factors in a real browser: pages that are clean, codes by hand, passkeys by a device."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore

from apps.access.keys.models import Account, ApiKey
from apps.backoffice.staff.models import SignIn
from tests.browser.page_checks import DESKTOP, PHONE, Seen, appears, axe, too_wide
from tests.staff.people import PASSWORD, code_of, staff

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ("", "app/", "passkey/", "sign-ins/", "prove/")


def sign_in(page: Any) -> None:
    page.goto("/admin/")
    page.get_by_label("Username").fill("olivia")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_pages_of_sign_in_are_clean(
    opened: Callable[..., Any], live_server: Any, dark: bool
) -> None:
    who = staff()
    opened(who).goto("/admin/account/")  # elsewhere too: its list then has buttons
    page = opened(who, dark=dark, size=PHONE if dark else DESKTOP)
    seen, faults = Seen(page, live_server.url), []
    for place in PAGES:
        page.goto(f"/admin/account/{place}")
        faults += [f"{place}: {fault}" for fault in [*seen.faults, *axe(page)]]
        faults += [f"{place} too wide"] if too_wide(page) > 0 else []
        seen.faults.clear()
    assert not faults, "\n".join(faults)


def test_an_app_is_set_up_and_asked_for_the_next_time(
    opened: Callable[..., Any], live_server: Any, settings: Any
) -> None:
    settings.MFA_REQUIRED = True
    staff()
    page = opened()
    seen = Seen(page, live_server.url)
    sign_in(page)
    page.get_by_role("link", name="Set up an authenticator app").click()
    secret = page.locator(".secret").inner_text().replace(" ", "")
    page.get_by_label("Code").fill(code_of(secret, datetime.now(UTC)))
    page.get_by_role("button", name="Set up").click()
    codes = re.findall(r"[A-Z2-9]{5}-[A-Z2-9]{5}", page.locator("#content").inner_text())
    assert len(codes) == 10 and axe(page) == []
    page.get_by_role("link", name="Your sign-in").first.click()
    assert axe(page) == [] and too_wide(page) <= 0
    page.get_by_role("button", name="Sign out").click()
    sign_in(page)
    assert axe(page) == []
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Continue").click()
    assert appears(page.get_by_text("9 recovery codes are left"))
    assert seen.faults == []


def test_a_passkey_is_made_and_lets_in(opened: Callable[..., Any], live_server: Any) -> None:
    staff()
    page = opened()
    seen = Seen(page, live_server.url)
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasUserVerification": True}
    options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    sign_in(page)
    page.goto("/admin/account/passkey/")
    page.get_by_label("Name").fill("x" * 61)
    assert appears(page.get_by_text("1 letter too many of 60"))
    page.get_by_role("button", name="Create passkey").click()
    assert page.locator("[data-passkey] [role=status]").last.inner_text() == ""  # nothing was asked
    page.get_by_label("Name").fill("This laptop")
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_text("“This laptop” has been set up").wait_for()
    for _ in range(2):  # its count rises each time
        page.get_by_role("button", name="Sign out").click()
        sign_in(page)
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url("**/admin/")
    assert seen.faults == []


def test_a_key_is_issued_after_a_fresh_proof_with_what_was_typed(
    opened: Callable[..., Any], live_server: Any
) -> None:
    user = staff("oscar", "Operator")
    Account.objects.create(name="Alice Ltd", created_at=datetime.now(UTC))
    page = opened(user)
    seen = Seen(page, live_server.url)
    page.goto("/admin/access/apikey/issue/")
    page.get_by_label("Account").select_option(label="Alice Ltd")
    page.get_by_label("Label").fill("Zürich & more")
    session_store = SessionStore(SignIn.objects.get(user=user).key)
    session_store["staff"] = session_store["staff"] | {"proved": 0}
    session_store.save()
    page.get_by_role("button", name="Issue the key").click()
    assert appears(page.get_by_text("What you typed is kept")) and axe(page) == []
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("Copy the key now").wait_for()  # what was typed went on its way by itself
    assert ApiKey.objects.get().label == "Zürich & more"
    assert seen.faults == []
