"""AML records in words, for the pages of the desk."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.aml.case_links import ANSWERS
from apps.compliance.aml.models import AmlScreen, WalletProfile, WeightRecord
from apps.compliance.aml.rules.scorecard import (
    COHORTS,
    ESCALATED,
    LISTED,
    POINT,
    TIERS,
    tier_of_score,
)
from apps.compliance.aml.rules.signal_context import format_stored_amount, format_usd
from apps.compliance.aml.rules.signals import BY_ID, SIGNALS
from apps.platform.ledger.verification.verified_reads import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RULES = {tier.code: tier.words for tier in TIERS} | {
    ruling.code: ruling.words for ruling in (LISTED, ESCALATED)
}
# a safe separator: format_html_join would escape a plain text
BREAK = format_html("<br>{}", "")
UNPROVED = "Integrity check failed for this record: verify the ledger aml_screens."


def describe_answer(screen: AmlScreen) -> str:
    """Return what a screen answered, with its tier."""
    tier = tier_of_score(screen.risk_score).name.lower()
    return f"{ANSWERS[screen.action]}; risk {screen.risk_score} of 100, {tier}"


def describe_deciding_rule(screen: AmlScreen) -> SafeString:
    """Return by which rule it was answered so, and whom a list has."""
    if not filter_verified_records([screen]):
        return format_html("<strong>{}</strong>", UNPROVED)
    parties = screen.data.get("response", {}).get("sanctions", {}).get("parties", ())
    return _join_lines(
        [RULES.get(screen.rule, screen.rule), *(f"Listed: {party}." for party in parties)]
    )


def describe_payment(screen: AmlScreen) -> SafeString:
    """Return the amount, the way and the caller's number of a payment."""
    request, usd = screen.data.get("request"), screen.data.get("evidence", {}).get("usd")
    if not request:
        return _join_lines(["The payload was purged at the end of its retention."])
    way = "sent by the wallet" if request["direction"] == "SEND" else "received by the wallet"
    worth = f" ({format_usd(int(usd))})" if usd is not None else " (no rate available)"
    return _join_lines(
        [
            f"{format_stored_amount(request['amount'])} {request['currency']}{worth}, {way}",
            f"Payment {request['paymentId']}",
        ]
    )


def describe_signals(screen: AmlScreen) -> SafeString:
    """Return every signal that held, with its title, points and numbers."""
    signals = screen.data.get("response", {}).get("signals", ())
    sentences = [
        f"{signal['title']}: {signal['sentence']} {signal['points']} points." for signal in signals
    ]
    return _join_lines(sentences or ["None triggered."])


def link_wallet(address: str, user: "User | None") -> SafeString:
    """Return an address, with a link to its profile for who may see it."""
    row = WalletProfile.objects.of(address).first()
    if row is None or user is None or not user.has_perm("aml.view_walletprofile"):
        return format_html("{}", address)
    page = reverse("admin:aml_walletprofile_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', page, address)


def link_related_pages(screen: AmlScreen, user: "User | None") -> SafeString:
    """Return the pages behind a screen that the user may open."""
    return _join_links(list(_related_pages(screen, user))) if user else _join_lines(["none"])


def _related_pages(screen: AmlScreen, user: "User") -> Iterator[tuple[str, str]]:
    ref = str(screen.screen_id)
    if user.has_perm("review.view_case"):
        for pk in Case.objects.filter(kind="aml", ref=ref).values_list("pk", flat=True):
            yield reverse("admin:review_case_change", args=[pk]), f"Case {pk}"
    if user.has_perm("sar.view_sarentry"):
        for pk in SarEntry.objects.filter(kind="aml", ref=ref).values_list("pk", flat=True):
            yield reverse("admin:sar_sarentry_change", args=[pk]), f"Entry {pk} of the SAR log"


def link_wallet_lists(row: WalletProfile, user: "User | None") -> SafeString:
    """Return the lists of a wallet: its screens and its cases."""
    links = [(f"{reverse('admin:aml_amlscreen_changelist')}?q={row.wallet}", "AML screens")]
    if user is not None and user.has_perm("review.view_case"):
        cases = f"{reverse('admin:review_case_changelist')}?view=all&q={row.wallet}"
        links.append((cases, "Cases"))
    return _join_links(links)


def describe_weight_moves(row: WeightRecord) -> SafeString:
    """Return what moved in a version of the weights, who decided it, and why."""
    data = row.data
    if not data:
        return _join_lines(["The payload was purged at the end of its retention."])
    by, second = data.get("proposedBy", "not recorded"), data.get("approvedBy", "not recorded")
    lines = [f"Proposed by {by}, approved by {second}: {data.get('reason', 'no reason')}"]
    for ground in data.get("grounds", ()):
        title = BY_ID[ground["signal"]].title if ground["signal"] in BY_ID else ground["signal"]
        was, becomes = (ground[name] / POINT for name in ("was", "becomes"))
        turn = f"{was:.1f} to {becomes:.1f} points ({ground['why']})"
        lines.append(f"{title}, {ground['cohort'].lower()} wallets: {turn}")
    return _join_lines(lines)


def render_weight_table(row: WeightRecord) -> SafeString:
    """Return the weights of a version as a table: a signal a line, a maturity a column."""
    weights: dict[str, Any] = row.data.get("weights", {})
    head = format_html_join(
        "", '<th scope="col">{}</th>', ((cohort.title(),) for cohort in COHORTS)
    )
    lines = (
        (
            signal.title,
            format_html_join(
                "",
                "<td>{}</td>",
                ((_format_points(weights.get(name, {}).get(signal.id)),) for name in COHORTS),
            ),
        )
        for signal in SIGNALS
    )
    body = format_html_join("", '<tr><th scope="row">{}</th>{}</tr>', lines)
    return format_html(
        '<table><thead><tr><th scope="col">Signal</th>{}</tr></thead><tbody>{}</tbody></table>',
        head,
        body,
    )


def _format_points(weight: int | None) -> str:
    return "as first set" if weight is None else f"{weight / POINT:.1f}"


def _join_lines(lines: list[str]) -> SafeString:
    return format_html_join(BREAK, "{}", ((line,) for line in lines))


def _join_links(links: list[tuple[str, str]]) -> SafeString:
    return format_html_join(BREAK, '<a class="lead" href="{}">{}</a>', links) or _join_lines(
        ["none"]
    )
