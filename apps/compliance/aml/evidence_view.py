"""The case page's view of a flagged payment: the request, the facts, and the payment network."""

from collections.abc import Iterator
from typing import Any

from apps.compliance.aml.network_diagram import build_network_diagram
from apps.compliance.aml.rules.profile import Payment, Profile
from apps.compliance.aml.rules.profile_codec import parse_stored_profile
from apps.compliance.aml.rules.signal_context import format_stored_amount, format_usd

Row = dict[str, Any]


def build_evidence_view(evidence: Row) -> Row:
    """Return the parts that pages draw of a screen's evidence (review/views/evidence.py)."""
    request, judged = evidence["request"], evidence["response"]
    # profiles of the record, not of today: the officer sees what the screen saw
    own = parse_stored_profile(evidence["profiles"][request["wallet"]])
    other = parse_stored_profile(evidence["profiles"][request["counterparty"]])
    sends = request["direction"] == "SEND"
    ends = (request["wallet"], request["counterparty"])
    sender, receiver = ends if sends else ends[::-1]
    return {
        "request": {
            "payment": list(_payment_rows(request, evidence)),
            "party": list(_party_rows(evidence)),
        },
        "facts": list(_fact_rows(judged, own)),
        "network": build_network_diagram(
            wallet=request["wallet"],
            counterparty=request["counterparty"],
            own=own,
            other=other,
            payment=Payment(sender, receiver, int(evidence["usd"] or 0), int(evidence["at"])),
            near={neighbour[0]: bool(neighbour[2]) for neighbour in evidence["near"]},
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


def _payment_rows(asked: Row, evidence: Row) -> Iterator[Row]:
    yield {
        "label": "Amount",
        "value": f"{format_stored_amount(asked['amount'])} {asked['currency']}",
    }
    usd = evidence["usd"]
    yield {
        "label": "In USD",
        "value": format_usd(int(usd)) if usd is not None else "no rate was available",
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
        # points are numbers of the stored answer, exact as it was returned
        value = f"{signal['sentence']} {signal['points']} points."
        yield {"label": signal["title"], "value": value}
    brief = judged["profile"]
    yield {
        "label": "Weighed as",
        "value": f"{judged.get('cohort', brief['maturity']).title()}: {own.solid} payments before",
    }
    yield {"label": "Average payment before", "value": format_usd(own.average)}
    yield {"label": "Running risk", "value": f"{brief['riskScore']} of 100"}
    reasoning = judged.get("reasoning")
    if reasoning:
        advice = reasoning["recommendation"].replace("_", " ").capitalize()
        value = f"{advice} ({reasoning['confidence'].lower()} confidence): {reasoning['rationale']}"
        yield {"label": "Assessment by a model", "value": value}
