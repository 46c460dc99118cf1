"""What a case page shows of a bank payment: the evidence, in rows."""

from collections.abc import Iterable
from typing import Any

from apps.compliance.screening.combined.officer_wording import format_for_officers
from apps.compliance.screening.combined.party_evidence_views import (
    build_party_views,
    merge_evidence_views,
)
from apps.payments.banking.screening.party_screens import SIDE_LABELS
from apps.payments.banking.screening.send_findings import OWN as SEND_OWN
from apps.payments.banking.services.deposit_cases import PAYER_SIDE

EvidenceRow = dict[str, Any]


def build_bank_payment_view(evidence: EvidenceRow) -> EvidenceRow:
    """Return the parts of the case page (apps/backoffice/review/views/evidence.py)."""
    bank_transaction, bank, payer = (
        evidence.get(name, {}) for name in ("transaction", "bank", "payer")
    )
    own = evidence.get("own", PAYER_SIDE)
    evidence_views = merge_evidence_views(
        build_party_views(evidence.get("screens", ()), own=own, words=SIDE_LABELS)
    )
    rows = [*_list_payer_facts(payer), ("Decision", evidence.get("decision"))]
    rows += [("Why", format_for_officers(evidence.get("why", "")))]
    rows += [("Check", check) for check in evidence.get("checks", ())]
    rows += [("Named in the note", name) for name in payer.get("named", ())]
    rows += [("On the statement", evidence.get("theirs")), ("Here", evidence.get("ours"))]
    # `told` and `before` are stored in cases: what the bank reported after routing, and earlier
    rows += [(f"Reported now: {name}", value) for name, value in evidence.get("told", {}).items()]
    rows += [
        (f"Reported before: {name}", value)
        for earlier in evidence.get("before", ())
        for name, value in earlier.items()
    ]
    rows += [("The bank's answer", evidence.get("answered"))]
    rows += [("Possible match on the statement", entry) for entry in evidence.get("alike", ())]
    record = [
        ("Transaction at the bank", bank_transaction.get("id")),
        ("First reported", bank_transaction.get("seen")),
    ]
    record += [("Account", bank_transaction.get("account")), ("Quote", evidence.get("quote"))]
    record += [("Status at the bank", evidence.get("status"))]
    record += _list_payment_facts(evidence.get("payment", {}))
    named = {"amount": "Amount at the bank", "payer": "Payer", "country": "Payer's country"}
    named |= {"note": "Note", "wallets": "Wallets named in tags"}
    named |= {"default": "Default wallet", "destination": "Destination currency"}
    named |= {"status": "Status at the bank"}
    request = {
        "payment": _build_rows([(label, bank.get(name)) for name, label in named.items()]),
        "party": evidence.get("party", []),
        "missing": "",
    }
    return evidence_views | {
        "request": request,
        "facts": [*_build_rows(rows), *evidence_views["facts"]],
        "record": [*_build_rows(record), *evidence_views["record"]],
    }


def _build_rows(labelled: Iterable[tuple[str, Any]]) -> list[EvidenceRow]:
    """Return facts as rows of label and value."""
    return [
        {"label": label, "value": str(value)}
        for label, value in labelled
        if value not in (None, "")
    ]


def _list_payer_facts(payer: EvidenceRow) -> list[tuple[str, Any]]:
    """Return facts about the payer of a payment that checks stop, as the bank reports them."""
    if not payer:
        return []
    rows: list[tuple[str, Any]] = [("Payer", " / ".join(payer["names"]) or "not given")]
    rows += [("Payer's country", payer["country"]), ("Payer's address", payer["address"])]
    return [*rows, ("Note", payer["note"])]


def _list_payment_facts(evidence_row: EvidenceRow) -> list[tuple[str, Any]]:
    named = {"amount": "Amount", "id": "Payment", "method": "Method", "from": "From the account"}
    named |= {"payee": "Saved recipient paid", "account": "Account paid"}
    named |= {"purpose": "Purpose", "note": "Note"}
    return [(label, evidence_row.get(name)) for name, label in named.items()]


def build_bank_send_view(evidence: EvidenceRow) -> EvidenceRow:
    """Return the parts of the case page."""
    aml, sanctions = evidence.get("aml", {}), evidence.get("sanctions", {})
    own = evidence.get("own", SEND_OWN)
    evidence_views = merge_evidence_views(
        build_party_views(evidence.get("screens", ()), own=own, words=SIDE_LABELS)
    )
    facts = [
        ("Anomaly score", aml.get("score")),
        ("Risk tier", aml.get("tier")),
        ("Best list match, percent", sanctions.get("score")),
        *(("Unusual", signal) for signal in evidence.get("signals", ())),
    ]
    evidence_row = evidence.get("given", {})
    named = {"name": "Name given by the payer", "account": "Account given by the payer"}
    given_facts = [(label, evidence_row.get(name)) for name, label in named.items()]
    request = [
        *_list_payment_facts(evidence.get("payment", {})),
        *given_facts,
    ]
    return evidence_views | {
        "request": {
            "payment": _build_rows(request),
            "party": evidence.get("party", []),
            "missing": "",
        },
        "facts": [*_build_rows(facts), *evidence_views["facts"]],
    }
