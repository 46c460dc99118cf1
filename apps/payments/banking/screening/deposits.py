"""Screen the payer of a tagged deposit against the lists and the AML engine before the quote."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from apps.access.keys.models import KeyKind
from apps.access.keys.tenant_names import OPERATOR
from apps.backoffice.review.payment_hold_findings import (
    Finding,
    build_finding_key,
    list_unanswered_findings,
)
from apps.backoffice.review.services.case_creation import open_no_case
from apps.compliance.aml.active_weights import load_active_weights
from apps.compliance.aml.rules.profile_inclusion import OtherChecks
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import AmlScreenInputs, build_payment
from apps.compliance.aml.screening.services import conclude_aml_screen
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
from apps.payments.banking.screening import recipients as screens
from apps.payments.banking.screening.memo import find_listed_names
from apps.payments.banking.screening.party_screens import build_party_screens
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.transaction_rows import find_sending_institution
from apps.payments.settlement.flow_check import FlowCheckResult, drop_known_false_positives
from apps.platform.api.callers import Caller
from apps.platform.crypto import macs
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists.engine import Engine

# stands in for the name of a payer whose address alone is reported: that address is screened
UNNAMED = "Payer whom the bank does not name"
# rows of rules/payers.py: of a screen, of the note, of the AML engine
SCREENED, NOTED, AML_FLAGS = ("BO-1", "BO-2"), "BO-3", "BO-6"
WALLET_SCREENED, PEP_RULE = ("FLOW-5", "FLOW-6"), "FLOW-25"  # of settlement/rules/flow.py
# the payer of a deposit may be a firm as well, so PEPs are not searched (1 §2.7 rule 4)
SCREEN_PAYMENT_TYPE = "vendor_payment"


@dataclass(frozen=True, slots=True)
class DepositScreening:
    """A deposit as gathered before its transaction: its verdict, and its payer.

    `payer` is the result of the screens of its names, None if no payer is named or an institution
    of ours sent it. `named` are listed parties that its note names. `lists` are those on which the
    wallet itself is listed.
    """

    verdict: RoutingVerdict
    flow: FlowCheckResult
    payer: ScreeningOutcome | None
    named: tuple[str, ...]
    aml: tuple[AmlScreenRequest, AmlScreenInputs]
    lists: tuple[str, ...]

    def seen(self, *, aml: str = "") -> PayerFacts:
        """Return the facts that the table judges by."""
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
        """The screens of the payer and its banks whose result is more severe than APPROVED."""
        if self.payer is None:
            return ()
        # by the name as it was screened, which is cut; where a bank has the payer's name, it is the
        # payer
        banks = {name[:LONGEST_NAME]: "payer_bank" for name in self.verdict.payer.banks}
        names = {name[:LONGEST_NAME]: "payer" for name in self.verdict.payer.names}
        return build_party_screens(self.payer.screens, sides=banks | names, other="payer")

    @property
    def wallet_screens(self) -> tuple[PartyScreen, ...]:
        """The screen of the wallet's registered party, if more severe than APPROVED."""
        sanctions = self.flow.found.get("sanctions")
        if sanctions is None or sanctions.screen is None or sanctions.facts["screen"] == "APPROVED":
            return ()
        screen_request, gathered = sanctions.screen
        screens = [(screen_request, gathered, judge_screen(gathered.facts))]
        return build_party_screens(screens, sides={}, other="wallet")

    @property
    def screens(self) -> tuple[PartyScreen, ...]:
        """Every screen that is more severe than APPROVED."""
        return (*self.payer_screens, *self.wallet_screens)

    def of_payer(self, *, aml: str = "") -> tuple[Finding, ...]:
        """Return the objections to the payer, finding by finding; those of a screen are its own."""
        findings: list[Finding] = []
        for payer_rule in find_payer_rules(self.seen(aml=aml)):
            screens = self.payer_screens if payer_rule.code in SCREENED else ()
            own = [
                finding for screen in screens for finding in screen.findings(code=payer_rule.code)
            ]
            # BO-1 and BO-2 repeat the same screens: each takes only the findings of its severity
            blocks = payer_rule.decision == "BLOCKED"
            own = [finding for finding in own if finding.blocks == blocks]
            findings += own or [
                _build_payer_finding(payer_rule, self.named if payer_rule.code == NOTED else ())
            ]
        return tuple(findings)

    def of_flow(self) -> tuple[Finding, ...]:
        """Return the objections to the settlement, finding by finding."""
        findings: list[Finding] = []
        for name, row in self.flow.judgement.rows.items():
            if row.outcome == "PASS":
                continue
            screens = self.wallet_screens if row.code in WALLET_SCREENED else ()
            own = [finding for screen in screens for finding in screen.findings(code=row.code)]
            record = self.flow.found[name].kept if name in self.flow.found else {}
            office = str(record.get("officeHolder", ""))
            # the finding's key holds the office: another office is another finding, and not yet
            # answered
            says = f"{row.title} {office}".strip() if row.code == PEP_RULE else row.title
            findings += own or [
                Finding(row.code, row.code, says, row.outcome == "BLOCK",
                        build_finding_key(name, row.code, office))
            ]  # fmt: skip
        return tuple(findings)

    @property
    def known(self) -> tuple[ClearedMatch, ...]:
        """The matches of the payer or the wallet's party that officers know to be another party."""
        sanctions = self.flow.found.get("sanctions")
        wallet = (
            sanctions.screen[1].known
            if sanctions is not None and sanctions.screen is not None
            else ()
        )
        return (*(self.payer.known if self.payer else ()), *wallet)

    def party(self, name: str, *, own: str) -> Party:
        """Return what is known of the party of a case, by its name and side."""
        if own == "payer":
            return _build_payer_parties(self.verdict.payer).get(name[:LONGEST_NAME], ())
        screen = self.flow.found["sanctions"].screen
        return party_rows(screen[0]) if screen is not None else ()

    def shown(self) -> dict[str, Any]:
        """Return the payer and its findings, for an officer's case."""
        payer = self.verdict.payer
        shown_payer = self.payer.shown() if self.payer else {}
        details = {"names": [_shorten_text(name) for name in payer.names], "country": payer.country}
        details |= {"address": _shorten_text(payer.address), "note": _shorten_text(payer.words)}
        return details | {"found": shown_payer, "named": list(self.named)}


def _build_payer_finding(payer_rule: PayerRule, named: Sequence[str] = ()) -> Finding:
    says = f"{payer_rule.says.rstrip('.')}: {', '.join(named)}." if named else payer_rule.says
    return Finding(payer_rule.code, payer_rule.code, says, payer_rule.decision == "BLOCKED",
                   build_finding_key(payer_rule.code, *named))  # fmt: skip


def _shorten_text(text: str) -> str:
    return text if len(text) <= LONGEST_READ else f"{text[:LONGEST_READ]}…"


def screen_deposit(
    verdict: RoutingVerdict, flow: FlowCheckResult, *, resource_id: str, now: datetime
) -> DepositScreening:
    """Screen the payer, and gather the AML engine's inputs; read-only.

    Raises ListsUnavailable, ListsStale and WeightsIntegrityError (503).
    """
    engine, payer = watchlist_engine.load_current_engine(now), verdict.payer
    owner = find_sending_institution(resource_id)[0] or OPERATOR
    # an institution of ours pays: it was screened as our customer, and the payee when it was sent
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
    """Yield the payer at every place named for it, and the part of its name that is not a name."""
    # each name at each place: a screen judges one country, and the bank may report several
    places = payer.places or (Place(),)
    names = payer.names or ((UNNAMED,) if payer.places else ())
    for name in (*names, *payer.banks):
        yield from (_build_screen_request(name, place) for place in places)
        # the start alone would hide a listed name behind three hundred characters
        if len(name) > LONGEST_NAME:
            yield from (
                _build_screen_request(into_piece, Place()) for into_piece in split_into_pieces(name)
            )


def _build_payer_parties(payer: Payer) -> dict[str, Party]:
    """Return what is known of the payer, by each of its names: every reported address."""
    whole = Place(address=payer.address)
    return {
        request.name: party_rows(request)
        for request in (_build_screen_request(name, whole) for name in payer.names)
    }


def _build_screen_request(name: str, place: Place) -> ScreenRequest:
    return ScreenRequest(
        name=name[:LONGEST_NAME],
        country=place.country,
        address=place.address[:LONGEST_ADDRESS],
        # nobody names a source country: the specification's default applies, and the record says so
        source_given=False,
        payment_type=SCREEN_PAYMENT_TYPE,
    )


def _gather_aml_inputs(
    engine: Engine, verdict: RoutingVerdict, flow: FlowCheckResult, resource_id: str, now: datetime
) -> tuple[AmlScreenRequest, AmlScreenInputs]:
    """Return the AML engine's question about payer -> wallet; the account as a keyed digest."""
    # our own payment: the bank reports its recipient, who does not pay the wallet
    known = () if verdict.ours else verdict.payer.key
    # a payer that is not reported has no history: each such payment is of another payer
    aml_subject = known or ("transaction", resource_id)
    payer = macs.keyed_digest(what="bank depositor", of=list(aml_subject))
    amount = flow.asked.amount
    screen_request = AmlScreenRequest(
        # the engine stores its wallets: an account number must not get there, only a keyed digest
        wallet=f"bank-account:{payer[:40]}",
        counterparty=verdict.wallet,
        amount=amount,
        currency="USD",
        payment_id=f"{resource_id}/{amount:f}",
        direction="SEND",
    )
    wallets = screen_wallets(
        engine=engine, wallets=(screen_request.wallet, screen_request.counterparty)
    )
    payment = build_payment(screen_request, flow.converted, now)
    return screen_request, AmlScreenInputs(
        payment, flow.converted, engine, wallets, load_active_weights(now), None
    )


def judge_deposit(
    row: BankTransaction,
    deposit_screening: DepositScreening,
    *,
    cleared: frozenset[str],
    now: datetime,
) -> tuple[Finding, ...]:
    """Return the objections to the payer and the settlement of a deposit; count what goes.

    Call it inside the transaction that notes the outcome: the AML engine locks both profiles.
    `cleared` are keys of findings that officers answered (released).
    """
    flow = deposit_screening.of_flow()
    unanswered_findings = list_unanswered_findings(
        (*deposit_screening.of_payer(), *flow), cleared=cleared
    )
    # a block is final: the AML engine need not judge it. A deposit that is only held is judged, so
    # that officers see at once everything that they must answer
    if any(unanswered_finding.blocks for unanswered_finding in unanswered_findings):
        return unanswered_findings
    screen_request, gathered = deposit_screening.aml
    flags = next(
        _build_payer_finding(payer_rule)
        for payer_rule in PAYER_RULES
        if payer_rule.code == AML_FLAGS
    )
    aml_screen: Mapping[str, Any] = conclude_aml_screen(
        asked=screen_request,
        gathered=gathered,
        caller=Caller(ref=row.owner, kind=KeyKind.INSTITUTION),
        now=now,
        # what the AML engine flags joins the deposit's own case
        opens=open_no_case,
        others=OtherChecks.STOP if unanswered_findings else OtherChecks.PASS,
        # a flag that officers released counts as gone: the payment enters the profiles
        holds=flags.key not in cleared,
        named=""
        if deposit_screening.verdict.ours
        else " / ".join(deposit_screening.verdict.payer.names),
    )
    return list_unanswered_findings(
        (*deposit_screening.of_payer(aml=aml_screen["action"]), *flow), cleared=cleared
    )


def deposit_digest(deposit_screening: DepositScreening) -> str:
    """Return a keyed digest of a deposit: it changes with wallet, amount or payer."""
    digested = [
        deposit_screening.verdict.wallet,
        str(deposit_screening.verdict.amount),
        payer_digest(deposit_screening.verdict.payer),
    ]
    return macs.keyed_digest(what="bank deposit", of=digested)[:40]


def payer_digest(payer: Payer) -> str:
    """Return a keyed digest of the payer as the bank reports it: a change needs a new screen."""
    # keyed: names have few bits, and a plain digest in an event could be guessed
    json_text = json.dumps(asdict(payer), sort_keys=True)
    return macs.keyed_digest(what="bank payer as told", of=[json_text])[:40]


def load_released_keys(row: BankTransaction, *, of: str) -> frozenset[str]:
    """Return the keys of the findings that officers answered, if the deposit is unchanged."""
    steps = BankEvent.objects.filter(subject=row.subject).order_by("-number")
    # only events with a valid MAC: a forged release would let the payment go
    bank_events = filter_verified_records(steps.filter(event__in=("HALTED", "RELEASED")))
    keys: set[str] = set()
    # newest first: a release answers the hold right before it, and only for the same deposit (`of`)
    for later, earlier in pairwise(bank_events):
        if (later.event, earlier.event) == ("RELEASED", "HALTED") and earlier.data.get("of") == of:
            keys.update(later.data.get("answered", ()))
    return frozenset(keys)


def load_halting_findings(row: BankTransaction) -> Sequence[Mapping[str, Any]]:
    """Return the findings that hold a stopped deposit, as its ledger has them."""
    steps = BankEvent.objects.filter(subject=row.subject, event="HALTED").order_by("-number")
    (last,) = filter_verified_records(steps[:1]) or (None,)
    return last.data["findings"] if last is not None else ()
