"""What the case page draws of a flagged payment: the request, the facts, and who pays whom."""

from collections.abc import Iterator
from typing import Any

from apps.compliance.aml.network_diagram import build_network_diagram
from apps.compliance.aml.rules.profile import Payment, Profile
from apps.compliance.aml.rules.profile_codec import profile_from_stored
from apps.compliance.aml.rules.signal_context import format_stored_amount, format_usd

Row = dict[str, Any]


def build_evidence_view(evidence: Row) -> Row:
    """Return the parts that pages draw of a screen's evidence (review/views/evidence.py)."""
    asked, judged = evidence["request"], evidence["response"]
    own = profile_from_stored(evidence["profiles"][asked["wallet"]])
    other = profile_from_stored(evidence["profiles"][asked["counterparty"]])
    return {
        "request": {
            "payment": list(_payment_rows(asked, evidence)),
            "party": list(_party_rows(evidence)),
        },
        "facts": list(_fact_rows(judged, own)),
        "network": build_network_diagram(
            wallet=asked["wallet"],
            counterparty=asked["counterparty"],
            own=own,
            other=other,
            payment=_build_payment(asked, evidence),
            near={one[0]: bool(one[2]) for one in evidence["near"]},
        ),
        "lists": [
            {"name": name, "version": str(version), "published": ""}
            for name, version in evidence["versions"]["lists"].items()
        ],
        "record": [
            {"label": "Rules", "value": evidence["versions"]["rules"]},
            {"label": "Weights", "value": str(evidence["versions"]["weights"])},
            {"label": "screenId", "value": judged["screenId"]},
        ],
    }


def _build_payment(asked: Row, evidence: Row) -> Payment:
    sends = asked["direction"] == "SEND"
    ends = (asked["wallet"], asked["counterparty"])
    sender, receiver = ends if sends else ends[::-1]
    return Payment(sender, receiver, int(evidence["usd"] or 0), int(evidence["at"]))


def _payment_rows(asked: Row, evidence: Row) -> Iterator[Row]:
    yield {
        "label": "Amount",
        "value": f"{format_stored_amount(asked['amount'])} {asked['currency']}",
    }
    held = evidence["usd"]
    yield {
        "label": "In USD",
        "value": format_usd(int(held)) if held is not None else "no rate was held",
    }
    sends = asked["direction"] == "SEND"
    yield {"label": "Direction", "value": "The wallet sends" if sends else "The wallet receives"}
    yield {"label": "Payment", "value": asked["paymentId"]}


def _party_rows(evidence: Row) -> Iterator[Row]:
    for label, party in zip(("Wallet", "Counterparty"), evidence["parties"], strict=True):
        named = f", registered for {party['name']}" if party["name"] else ", not registered"
        yield {"label": label, "value": f"{party['wallet']}{named}"}


def _fact_rows(judged: Row, own: Profile) -> Iterator[Row]:
    for signal in judged["signals"]:
        value = f"{signal['sentence']} {signal['points']} points."
        yield {"label": signal["title"], "value": value}
    brief = judged["profile"]
    yield {
        "label": "Weighed as",
        "value": f"{judged.get('cohort', brief['maturity']).title()}: {own.solid} payments before",
    }
    yield {"label": "Average payment before", "value": format_usd(own.average)}
    yield {"label": "Running risk", "value": f"{brief['riskScore']} of 100"}
    said = judged.get("reasoning")
    if said:
        advice = said["recommendation"].replace("_", " ").capitalize()
        value = f"{advice} ({said['confidence'].lower()} confidence): {said['rationale']}"
        yield {"label": "Assessment by a model", "value": value}
