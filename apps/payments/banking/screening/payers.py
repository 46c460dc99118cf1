"""Who pays a tagged deposit, held against the lists and the AML engine before it is quoted."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from apps.access.keys.models import KeyKind
from apps.access.keys.tenants import OPERATOR
from apps.backoffice.review.findings import Finding, build_finding_key, list_unanswered_findings
from apps.compliance.aml.active_weights import load_active_weights
from apps.compliance.aml.screening import requests as aml_asked
from apps.compliance.aml.screening import services as aml_conclude
from apps.compliance.aml.screening.selectors import AmlScreenInputs, build_payment
from apps.compliance.aml.screening.wallet_sanctions import screen_address, screen_wallets
from apps.compliance.screening.combined.known_false_positives import Party, party_rows
from apps.compliance.screening.combined.party_findings import PartyScreen
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.rules.known_false_positives import ClearedMatch
from apps.compliance.screening.rules.screen import judge_screen
from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.banking.rules.payers import (
    LONGEST_ADDRESS,
    LONGEST_NAME,
    LONGEST_READ,
    PAYER_RULES,
    Payer,
    PayerFacts,
    PayerRule,
    Place,
    find_payer_rules,
    split_into_pieces,
)
from apps.payments.banking.rules.routes import RoutingVerdict
from apps.payments.banking.screening import screens
from apps.payments.banking.screening.memo import find_listed_names
from apps.payments.banking.screening.party_screens import build_party_screens
from apps.payments.banking.screening.screens import ScreeningOutcome
from apps.payments.banking.transaction_state import find_sending_institution
from apps.payments.settlement.flow_check import FlowCheckResult as Flow
from apps.payments.settlement.services.bank_payment import drop_known_false_positives
from apps.platform.api.callers import Caller
from apps.platform.crypto import macs
from apps.platform.ledger.verification.hash_chain import filter_verified_records
from apps.reference.watchlists import engine as engines
from apps.reference.watchlists.engine import Engine

UNNAMED = "Payer whom the bank does not name"  # and says where
# rows of rules/payers.py: of a screen, of the note, of the AML engine
SCREENED, NOTED, AML_FLAGS = ("BO-1", "BO-2"), "BO-3", "BO-6"
WALLET_SCREENED, PEP_RULE = ("FLOW-5", "FLOW-6"), "FLOW-25"  # of settlement/rules/flow.py
SCREEN_PAYMENT_TYPE = (
    "vendor_payment"  # who pays a deposit may be a firm as well: no office holder is meant
)


@dataclass(frozen=True, slots=True)
class DepositScreening:
    """A deposit as it was looked up before its transaction: what routes it, and who pays.

    `payer` is what the screens of its names came to, None where nobody is named or an institution
    of ours sent it. `named` are listed parties that its note names. `lists` are those
    on which the wallet itself stands.
    """

    verdict: RoutingVerdict
    flow: Flow
    payer: ScreeningOutcome | None
    named: tuple[str, ...]
    aml: tuple[aml_asked.AmlScreenRequest, AmlScreenInputs]
    lists: tuple[str, ...]

    def seen(self, *, aml: str = "") -> PayerFacts:
        """Return what the table judges by."""
        payer = self.payer
        return PayerFacts(
            amount=self.flow.asked.amount,
            blocked=payer is not None and payer.blocked,
            flagged=payer is not None and payer.flagged,
            known=bool(self.verdict.payer.names),
            ours=self.verdict.ours,
            named=self.named,
            aml=aml,
            overlong=self.verdict.payer.overlong,
        )

    @property
    def payer_screens(self) -> tuple[PartyScreen, ...]:
        """The screens of who pays, and of its banks, that came to more than APPROVED."""
        if self.payer is None:
            return ()
        banks = {name[:LONGEST_NAME]: "payer_bank" for name in self.verdict.payer.banks}
        names = {name[:LONGEST_NAME]: "payer" for name in self.verdict.payer.names}
        return build_party_screens(self.payer.screens, sides=banks | names, other="payer")

    @property
    def wallet_screens(self) -> tuple[PartyScreen, ...]:
        """The screen of who is registered for the wallet, where it came to more than APPROVED."""
        found = self.flow.found.get("sanctions")
        if found is None or found.screen is None or found.facts["screen"] == "APPROVED":
            return ()
        asked, gathered = found.screen
        screens = [(asked, gathered, judge_screen(gathered.facts))]
        return build_party_screens(screens, sides={}, other="wallet")

    @property
    def screens(self) -> tuple[PartyScreen, ...]:
        """Every screen that came to more than APPROVED."""
        return (*self.payer_screens, *self.wallet_screens)

    def of_payer(self, *, aml: str = "") -> tuple[Finding, ...]:
        """Return what stands against who pays, finding by finding; a screen's are its own."""
        found: list[Finding] = []
        for stand in find_payer_rules(self.seen(aml=aml)):
            screens = self.payer_screens if stand.code in SCREENED else ()
            own = [each for screen in screens for each in screen.findings(code=stand.code)]
            own = [each for each in own if each.blocks == (stand.decision == "BLOCKED")]
            found += own or [_build_payer_finding(stand, self.named if stand.code == NOTED else ())]
        return tuple(found)

    def of_flow(self) -> tuple[Finding, ...]:
        """Return what stands against the settlement, finding by finding."""
        found: list[Finding] = []
        for name, row in self.flow.judgement.rows.items():
            if row.outcome == "PASS":
                continue
            screens = self.wallet_screens if row.code in WALLET_SCREENED else ()
            own = [each for screen in screens for each in screen.findings(code=row.code)]
            kept = self.flow.found[name].kept if name in self.flow.found else {}
            office = str(kept.get("officeHolder", ""))
            says = f"{row.title} {office}".strip() if row.code == PEP_RULE else row.title
            found += own or [
                Finding(row.code, row.code, says, row.outcome == "BLOCK",
                        build_finding_key(name, row.code, office))
            ]  # fmt: skip
        return tuple(found)

    @property
    def known(self) -> tuple[ClearedMatch, ...]:
        """What officers know of the payer, or of the wallet's party, to be another party."""
        found = self.flow.found.get("sanctions")
        wallet = found.screen[1].known if found is not None and found.screen is not None else ()
        return (*(self.payer.known if self.payer else ()), *wallet)

    def party(self, name: str, *, own: str) -> Party:
        """Return what is known of the party of a case, whose name and side that is."""
        if own == "payer":
            return _build_payer_parties(self.verdict.payer).get(name[:LONGEST_NAME], ())
        screen = self.flow.found["sanctions"].screen
        return party_rows(screen[0]) if screen is not None else ()

    def shown(self) -> dict[str, Any]:
        """Return who pays and what was found of them, as an officer's case has it."""
        payer = self.verdict.payer
        found = self.payer.shown() if self.payer else {}
        told = {"names": [_shorten_text(name) for name in payer.names], "country": payer.country}
        told |= {"address": _shorten_text(payer.address), "note": _shorten_text(payer.words)}
        return told | {"found": found, "named": list(self.named)}


def _build_payer_finding(payer_rule: PayerRule, named: Sequence[str] = ()) -> Finding:
    says = f"{payer_rule.says.rstrip('.')}: {', '.join(named)}." if named else payer_rule.says
    return Finding(payer_rule.code, payer_rule.code, says, payer_rule.decision == "BLOCKED",
                   build_finding_key(payer_rule.code, *named))  # fmt: skip


def _shorten_text(text: str) -> str:
    return text if len(text) <= LONGEST_READ else f"{text[:LONGEST_READ]}…"


def screen_deposit(
    verdict: RoutingVerdict, flow: Flow, *, resource_id: str, now: datetime
) -> DepositScreening:
    """Screen who pays, and look up what the AML engine judges by; reads alone.

    ListsUnavailable, ListsStale and WeightsIntegrityError (503).
    """
    engine, payer = engines.load_current_engine(now), verdict.payer
    owner = find_sending_institution(resource_id)[0] or OPERATOR
    payer_requests = [] if verdict.ours else list(_build_payer_requests(payer))
    return DepositScreening(
        verdict,
        drop_known_false_positives(flow, owner=owner, now=now),
        screens.screen_parties(
            payer_requests, owner=owner, now=now, known=_build_payer_parties(payer)
        )
        if payer_requests
        else None,
        find_listed_names(engine, payer.words),
        _gather_aml_inputs(engine, verdict, flow, resource_id, now),
        screen_address(engine, verdict.wallet).lists,
    )


def _build_payer_requests(payer: Payer) -> Iterator[ScreenRequest]:
    """Yield who pays, by every place that is named of it, and what of its name is beyond a name."""
    places = payer.places or (Place(),)
    names = payer.names or ((UNNAMED,) if payer.places else ())
    for name in (*names, *payer.banks):
        yield from (_build_screen_request(name, place) for place in places)
        if len(name) > LONGEST_NAME:
            yield from (
                _build_screen_request(into_piece, Place()) for into_piece in split_into_pieces(name)
            )


def _build_payer_parties(payer: Payer) -> dict[str, Party]:
    """Return what is known of who pays, by each of its names: every address that is told."""
    whole = Place(address=payer.address)
    return {
        one.name: party_rows(one)
        for one in (_build_screen_request(name, whole) for name in payer.names)
    }


def _build_screen_request(name: str, place: Place) -> ScreenRequest:
    return ScreenRequest(
        name=name[:LONGEST_NAME],
        country=place.country,
        address=place.address[:LONGEST_ADDRESS],
        source_given=False,
        payment_type=SCREEN_PAYMENT_TYPE,
    )


def _gather_aml_inputs(
    engine: Engine, verdict: RoutingVerdict, flow: Flow, resource_id: str, now: datetime
) -> tuple[aml_asked.AmlScreenRequest, AmlScreenInputs]:
    """Return what the AML engine is asked of payer -> wallet; an account is a keyed digest to it.

    Who is not told has no history: each such payment is of another. Of one that an institution sent
    through us the bank tells whom it pays, which is not who pays the wallet.
    """
    known = () if verdict.ours else verdict.payer.key
    told = known or ("transaction", resource_id)
    payer = macs.keyed_digest(what="bank depositor", of=list(told))
    amount = flow.asked.amount
    screen_request = aml_asked.AmlScreenRequest(
        wallet=f"bank-account:{payer[:40]}",
        counterparty=verdict.wallet,
        amount=amount,
        currency="USD",
        payment_id=f"{resource_id}/{amount:f}",
        direction="SEND",
    )
    found = screen_wallets(
        engine=engine, wallets=(screen_request.wallet, screen_request.counterparty)
    )
    payment = build_payment(screen_request, flow.converted, now)
    return screen_request, AmlScreenInputs(
        payment, flow.converted, engine, found, load_active_weights(now), None
    )


def judge_deposit(
    row: BankTransaction, one: DepositScreening, *, cleared: frozenset[str], now: datetime
) -> tuple[Finding, ...]:
    """Return what stands against a deposit, of who pays it and of its settlement; count what goes.

    Call it inside the transaction that notes the outcome: the AML engine locks both profiles. It
    judges what is halted too, so that officers see at once all that they are to answer, but not
    what is blocked. `cleared` are keys of findings that officers answered (released).
    """
    flow = one.of_flow()
    unanswered_findings = list_unanswered_findings((*one.of_payer(), *flow), cleared=cleared)
    if any(unanswered_finding.blocks for unanswered_finding in unanswered_findings):
        return unanswered_findings
    asked, gathered = one.aml
    flags = next(
        _build_payer_finding(payer_rule)
        for payer_rule in PAYER_RULES
        if payer_rule.code == AML_FLAGS
    )
    said: Mapping[str, Any] = aml_conclude.conclude_aml_screen(
        asked=asked,
        gathered=gathered,
        caller=Caller(ref=row.owner, kind=KeyKind.INSTITUTION),
        now=now,
        opens=_open_no_case,
        stopped=bool(unanswered_findings),
        holds=flags.key not in cleared,
        named="" if one.verdict.ours else " / ".join(one.verdict.payer.names),
    )
    return list_unanswered_findings((*one.of_payer(aml=said["action"]), *flow), cleared=cleared)


def _open_no_case(*, opening: Any, now: datetime) -> None:
    """Open no case of its own: the deposit has one for all that was found."""


def deposit_digest(one: DepositScreening) -> str:
    """Return a keyed digest of a deposit: wallet, amount and who pays it; another is another."""
    said = [one.verdict.wallet, str(one.verdict.amount), payer_digest(one.verdict.payer)]
    return macs.keyed_digest(what="bank deposit", of=said)[:40]


def payer_digest(payer: Payer) -> str:
    """Return a keyed digest of who pays as the bank tells it, whole: another is screened anew."""
    said = json.dumps(asdict(payer), sort_keys=True)
    return macs.keyed_digest(what="bank payer as told", of=[said])[:40]


def load_released_keys(row: BankTransaction, *, of: str) -> frozenset[str]:
    """Return the keys of the findings of a deposit that officers answered, where it is the same."""
    steps = BankEvent.objects.filter(subject=row.subject).order_by("-number")
    found = list(steps.filter(event__in=("HALTED", "RELEASED")))
    keys: set[str] = set()
    for later, earlier in pairwise(found):
        if (later.event, earlier.event) == ("RELEASED", "HALTED") and earlier.data.get("of") == of:
            keys.update(later.data.get("answered", ()))
    return frozenset(keys)


def load_halting_findings(row: BankTransaction) -> Sequence[Mapping[str, Any]]:
    """Return the findings that hold a halted deposit, as its ledger has them."""
    steps = BankEvent.objects.filter(subject=row.subject, event="HALTED").order_by("-number")
    (last,) = filter_verified_records(steps[:1]) or (None,)
    return last.data["findings"] if last is not None else ()
