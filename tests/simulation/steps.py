"""What may happen next: one table of weights, and what each does."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django_q.models import OrmQ
from django_q.signing import SignedPackage

from apps.backoffice.review import case_types, services
from apps.backoffice.review.models import Case
from apps.payments.banking.rules.webhook_signatures import build_signature_header
from apps.payments.banking.simulator.bank import ACCOUNT
from apps.platform.common.problems import Conflict
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job
from tests.banking.banks import ach_recipient
from tests.payees.registration.conftest import wallet
from tests.simulation.clients import Call, Clients
from tests.simulation.outside_parties import DEEPEST
from tests.simulation.world import World

CLEAN, NEAR, LISTED = (
    ("Blue Heron Stationery Limited", "Northwind Traders International GmbH", "Eskilby Timber Oy"),
    ("Sberbank Leasing Consultants", "Lazarus Funeral Group", "Garantex Optics"),
    ("Lazarus Group", "Kim Jong Un"),
)
HOOK = "https://treasury.example/hook"
NOTE = "Papers and past payments were seen: they show it."
SAVED, SEND = "/settlement/bank/recipients", "/settlement/bank/send"
BODY: dict[str, Any] = ach_recipient()
WEBHOOK = "/settlement/bank-webhook"


@dataclass
class Actors:
    """A world and those who act in it."""

    world: World
    clients: Clients
    made: int = 0

    def number(self) -> int:
        """Return a number that nothing else here has."""
        self.made += 1
        return self.made


def _name(world: World) -> str:
    group = world.draw.choices((CLEAN, NEAR, LISTED), (6, 3, 1))[0]
    return world.draw.choice(group)


def screen(on: Actors) -> None:
    """A treasury screens a party."""
    number, draw = on.number(), on.world.draw
    body = {
        "name": _name(on.world),
        "country": draw.choice(("DE", "US", "FR", "HT")),
        "amount": draw.choice((120, 9800, 25000)),
        "currency": "USD",
        "reference": f"S-{number}",
    }
    call = Call(
        "subscription", "/compliance/compliance/screen", body, f"key-{number}", f"S-{number}"
    )
    on.clients.begin(call)


def initiate(on: Actors) -> None:
    """An institution sends a payment instruction."""
    number, draw = on.number(), on.world.draw
    body = {
        "tmsReference": f"P-{number}",
        "amount": draw.choice(("250.00", "990.00", "12500.00")),
        "currency": "USD",
        "settlementAsset": "USDC",
        "creditor": {"name": _name(on.world), "walletAddress": wallet(1000 + draw.randint(0, 3))},
        "debtor": {"name": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974",
                   "walletAddress": wallet(2000 + number)},
        "callbackUrl": f"{HOOK}{draw.randint(0, 1)}",
    }  # fmt: skip
    key = f"key-{number}" if draw.random() < 0.5 else ""
    on.clients.begin(
        Call("institution", "/integration/payments/initiate", body, key, f"P-{number}")
    )


def again(on: Actors) -> None:
    """A client repeats a call that was not answered, or one that was."""
    on.clients.give_up()
    waiting = on.clients.open
    if waiting:
        on.clients.attempt(on.world.draw.choice(waiting))
    elif on.clients.answered and on.world.draw.random() < 0.3:
        on.clients.attempt(on.world.draw.choice(on.clients.answered[-5:]))


def task(on: Actors) -> None:
    """A worker takes a task that is due: any of them; now and then twice, or it is lost."""
    due = list(OrmQ.objects.filter(lock__lte=on.world.clock.now).order_by("pk"))
    if not due:
        return
    row = on.world.draw.choice(due[:12])
    how = on.world.fault(lost=4, twice=5)
    if how != "twice":
        OrmQ.objects.filter(pk=row.pk).delete()
    if how != "lost":
        work(on, row)


def work(on: Actors, row: OrmQ) -> None:
    """Run a task as a worker does."""
    number = SignedPackage.loads(row.payload)["args"][0]
    on.world.say(f"job {number}")
    on.world.process(lambda: job_queue.run_job(number), rival=lambda: _redelivered(on, number))


def _redelivered(on: Actors, number: int) -> None:
    """Another worker is at the same job, or at one of its kind."""
    name = Job.objects.filter(pk=number).values_list("name", flat=True).first() or ""
    alike = Job.objects.due(on.world.clock.now).filter(name__startswith=name.split(".")[0] + ".")
    found = alike.exclude(pk=number).order_by("pk").values_list("pk", flat=True)[:4]
    taken = on.world.draw.choice([number, number, *found])
    on.world.say(f"job {taken}")
    on.world.process(lambda: job_queue.run_job(taken))


def several(on: Actors) -> None:
    """Workers take some tasks, one after the other."""
    for _ in range(on.world.draw.randint(2, 8)):
        task(on)


def tick(on: Actors) -> None:
    """The scheduler's minute."""
    on.world.process(job_queue.run_tick)


def moments(on: Actors) -> None:
    """Seconds or minutes pass."""
    on.world.clock.ahead(seconds=on.world.draw.choice((1, 5, 15, 40, 90, 240)))


def hours(on: Actors) -> None:
    """Hours pass in which no worker ran."""
    on.world.clock.ahead(minutes=on.world.draw.choice((30, 70, 180, 400, 900)))
    on.world.process(job_queue.run_tick)


def grows(on: Actors) -> None:
    """The chain grows, after it took some blocks back now and then."""
    if on.world.fault(turns=12) == "turns":
        on.world.chain.turn(on.world.draw.randint(1, DEEPEST))
    on.world.chain.live(on.world.draw.randint(1, 14))
    if on.world.fault(unseen=8) == "unseen":  # more than the watcher reads again
        on.world.chain.live(on.world.draw.randint(30, 60))


def executes(on: Actors) -> None:
    """An institution executes the transfer of one of its payments, seldom wrongly."""
    mine = [one for one in on.clients.answered if one.who == "institution" and one.name[0] == "P"]
    if not mine:
        return
    call = on.world.draw.choice(mine[-8:])
    told = on.clients.read(call.who, f"/integration/payments/{call.told['svcPaymentId']}")
    if told and "execution" in told:
        pay(on, told["execution"])


def pay(on: Actors, asked: dict[str, Any]) -> None:
    """Send what is asked for to the chain: bound by its reference, or not; now and then short."""
    how = on.world.fault(short=4, unbound=10)
    chain = on.world.chain
    if any(one.nonce == asked["reference"] for one in chain.waiting):
        return
    if any(o.nonce == asked["reference"] for block in chain.blocks for o in block.held if o.ok):
        return  # a nonce is used once: the contract refuses it
    units = int(asked["amountMinor"]) - (how == "short")
    sent = chain.transaction(
        asked["assetAddress"].lower(), str(asked.get("sender", wallet(9))).lower(),
        asked["recipient"].lower(), units, "" if how == "unbound" else asked["reference"],
    )  # fmt: skip
    chain.waiting.append(sent)


def officer(on: Actors) -> None:
    """Officers decide a case, the second one where it needs two."""
    open_ = Case.objects.filter(status__in=("OPEN", "AWAITING_SECOND")).order_by("pk")
    case = open_.first() if on.world.draw.random() < 0.5 else open_.last()
    if case is not None:
        on.world.process(lambda: _decided(on, case), rival=lambda: _officers(on, case.pk))


def _officers(on: Actors, number: int) -> None:
    """Other officers decide the same case."""
    for _ in range(2):
        case = Case.objects.get(pk=number)
        on.world.process(partial(_decided, on, case))


def _decided(on: Actors, case: Case) -> None:
    """Decide a case, or confirm what was proposed: the first reason that fits it."""
    first = case.status == "OPEN"
    by = User.objects.get(username="samir" if first else "sofia")
    drawn = on.world.draw.choices(("APPROVE", "REJECT"), (3, 1))[0]
    outcome = drawn if first else case.first_outcome
    code = case_types.get_case_type(case.kind).offered(outcome=outcome, refs=case.refs)[0].code
    said: dict[str, Any] = {"case": case, "by": by, "reason_code": code, "note": NOTE}
    said["now"] = on.world.clock.now
    try:
        if first:
            services.decide_case(outcome=outcome, **said)
        else:
            services.confirm_decision(**said)
    except (Conflict, services.StepNotAllowed, services.InvalidDecision) as error:
        on.world.say(f"case {case.pk} {type(error).__name__}: {error}")


def bank_tells(on: Actors) -> None:
    """A delivery of the bank's webhook arrives: any of those under way, or is lost for now."""
    waiting = on.world.told.under_way
    if not waiting:
        return
    said = on.world.draw.choice(waiting)
    raw = json.dumps(said).encode()
    signed = build_signature_header(
        secret=settings.BANK_WEBHOOK_SECRET, at=int(on.world.clock.now.timestamp()), body=raw
    )
    response = on.world.process(
        lambda: Client(raise_request_exception=True).post(
            WEBHOOK, raw, content_type="application/json", headers={"Bank-Signature": signed}
        ),
        rival=lambda: bank_tells(on),
    )
    heard = response is not None and response.status_code == 200
    on.world.say(f"webhook {response.content.decode() if response is not None else ''}")
    if heard and said in waiting and on.world.fault(again=15) != "again":
        waiting.remove(said)


def saves(on: Actors) -> None:
    """An institution saves whom it pays by the bank."""
    number = on.number()
    routing = BODY["electronicRoutingInfo"] | {"accountNumber": str(1_000_000_000 + number)}
    body = BODY | {"name": _name(on.world), "electronicRoutingInfo": routing}
    on.clients.begin(Call("institution", SAVED, body, f"key-{number}", f"R-{number}"))


def sends(on: Actors) -> None:
    """An institution pays somebody by the bank."""
    saved = [one for one in on.clients.answered if one.name[0] == "R"]
    if not saved:
        saves(on)
        return
    number, draw = on.number(), on.world.draw
    body = {
        "accountId": ACCOUNT,
        "recipientId": draw.choice(saved).told["recipientId"],
        "amount": draw.choice((12.5, 400, 2300)),
        "paymentMethod": "ach",
        "note": f"B-{number}",
        "idempotencyKey": f"pay-{number}",
    }
    on.clients.begin(Call("institution", SEND, body, "", f"B-{number}"))


def bank_ends(on: Actors) -> None:
    """The bank brings what is under way to its end, or says otherwise of what ended."""
    bank = on.world.bank
    if on.world.fault(back=15) == "back":
        gone = [one for one in bank.paid[ACCOUNT] if one["status"] == "sent"]
        if gone:
            one = on.world.draw.choice(gone)
            one["status"] = "reversed"
            bank._say("update", one, {"status": "reversed"}, {"status": "sent"})
    bank.finish(on.world.draw.choice(("sent", "sent", "sent", "failed")))


Step = Callable[[Actors], None]
# what others do while a process waits for somebody outside
BESIDE: tuple[Step, ...] = (
    task, task, task, tick, bank_tells, again, moments, grows, screen, initiate,
)  # fmt: skip
STEPS: tuple[tuple[int, Step], ...] = (
    (9, screen),
    (7, initiate),
    (9, again),
    (20, task),
    (12, several),
    (8, tick),
    (10, moments),
    (5, hours),
    (8, grows),
    (8, executes),
    (4, officer),
    (6, bank_tells),
    (2, saves),
    (5, sends),
    (3, bank_ends),
)
