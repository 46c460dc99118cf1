"""Orders and a chain that takes back, by random walks: what always holds, whatever happens.

Nothing counts as settled that the chain may still take back by its tier without an alert, one
transfer settles one order, and no money that came is lost from sight.
"""

from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from apps.chain import orders, watching
from apps.chain.assets import CHAINS, minor
from apps.chain.models import ChainEvent, Order
from apps.chain.moving import Moved
from apps.chain.projection import compare
from apps.chain.rules import depth
from tests.chain.fake import FakeChain, Transaction
from tests.chain.wanting import BASE, PAYEE, PAYER, wanted
from tests.conftest import NOON

CHAIN = CHAINS[BASE]
TOKEN = CHAIN.assets["USDC"].lower()
AMOUNTS = ("250", "5000", "200000")


class Walk(RuleBasedStateMachine):
    """Orders are made, paid, misreported and looked at, while the chain grows and takes back."""

    def __init__(self) -> None:
        super().__init__()
        self.chain = FakeChain(NOON)
        self.made: list[Any] = []
        self.pool: list[Transaction] = []
        self.paid: list[Transaction] = []
        self.looked = False

    @initialize()
    def begin(self) -> None:
        """Write in a transaction that the end takes back."""
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.chain.grow(blocks=3)
        self.expect("250", "a")
        self.expect("5000", "a")
        for asked in self.made:
            self.send(asked, bound=False, wrong=0)
        self.grow(blocks=6)

    def teardown(self) -> None:
        """Take back what was written."""
        if hasattr(self, "atomic"):
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    def now(self) -> Any:
        """Return the chain's time."""
        return self.chain.clock

    @rule(amount=st.sampled_from(AMOUNTS), owner=st.sampled_from(("a", "b")))
    def ask(self, amount: str, owner: str) -> None:
        """Expect a transfer."""
        self.expect(amount, owner)

    def expect(self, amount: str, owner: str) -> None:
        """Expect a transfer; at most five of them."""
        if len(self.made) < 5:
            asked = wanted(now=self.now(), amount=Decimal(amount), owner=owner)
            orders.expect(asked, now=self.now())
            self.made.append(asked)
            self.looked = False

    @rule(data=st.data(), bound=st.booleans(), wrong=st.sampled_from((0, 0, 0, 1)))
    def pay(self, data: st.DataObject, bound: bool, wrong: int) -> None:
        """Send the transfer of an order, by authorization or without; it waits for a block."""
        self.send(data.draw(st.sampled_from(self.made)), bound=bound, wrong=wrong)

    def send(self, asked: Any, *, bound: bool, wrong: int) -> None:
        """Send a transfer."""
        execution = orders.parameters(asked)
        nonce = execution.reference if bound else ""
        if nonce and any(one.nonce == nonce for one in self.paid):
            return  # a nonce is used once
        units = execution.amount_minor + wrong
        one = self.chain.transaction(TOKEN, PAYER.lower(), PAYEE.lower(), units, nonce)
        self.pool.append(one)
        self.paid.append(one)
        self.looked = False

    @rule(blocks=st.integers(1, 15))
    def grow(self, blocks: int) -> None:
        """Take what waits into a block, and put others on it; then the watcher looks."""
        held, self.pool = self.pool, []
        self.chain.grow(*held, blocks=blocks)
        self.look()

    @rule()
    def time_passes(self) -> None:
        """Let the deadline of all orders pass."""
        self.chain.grow(seconds=4000)
        self.looked = False

    @rule(deep=st.integers(1, 15), again=st.booleans())
    def become_another(self, deep: int, again: bool) -> None:
        """Take back blocks and grow as high on others; what they held comes again, or not."""
        held = self.chain.take_back(deep)
        self.chain.grow(blocks=deep + 1)
        self.pool += held if again else []
        self.look()

    @rule(deep=st.integers(1, 15))
    def become_shorter(self, deep: int) -> None:
        """Take back blocks; what they held waits again."""
        self.pool += self.chain.take_back(deep)
        self.look()

    @rule(data=st.data())
    def report(self, data: st.DataObject) -> None:
        """Name some transaction for some order."""
        if self.made and self.paid:
            asked = data.draw(st.sampled_from(self.made))
            self.looked = False
            orders.reported(
                asked.order_id, data.draw(st.sampled_from(self.paid)).tx_hash, now=self.now()
            )

    @rule()
    def look(self) -> None:
        """Let the watcher look."""
        self.looked = True
        with suppress(Moved):
            while watching.look(chain=CHAIN, reader=self.chain, now=self.now()):
                pass

    @invariant()
    def one_transfer_settles_one_order(self) -> None:
        """A transfer that settles has one order, and that order what it expected."""
        rows = list(Order.objects.exclude(transfer=None).select_related("transfer"))
        assert len({one.transfer_id for one in rows}) == len(rows)
        for one in rows:
            came = one.transfer
            assert came is not None and not came.gone
            assert int(came.units) == minor(one.amount)
            assert came.payee == one.recipient.lower() and came.asset_address == TOKEN
            assert came.block_time <= one.deadline
            assert (
                not came.reference
                or came.reference == one.reference
                or not (Order.objects.filter(reference=came.reference).exists())
            )

    @invariant()
    def final_was_deep_enough_as_it_became_final(self) -> None:
        """Each step to FINAL says how deep it stood, which is what its amount asks."""
        for event in ChainEvent.objects.filter(event="DEEP").select_related("order"):
            row = depth.tier(chain_id=8453, amount=event.order.amount)
            assert event.data["depth"] >= row.depth and event.data["tier"] == row.ref

    @invariant()
    def what_is_recorded_is_what_stands(self) -> None:
        """No order is otherwise than its last event says."""
        assert list(compare(lambda _: None)) == []

    @invariant()
    def after_a_look_nothing_settles_that_is_not_on_the_chain(self) -> None:
        """What counts after a look is in the chain as it is; what was final and is not is told."""
        if not self.looked:
            return
        standing, latest = self.chain.standing(), self.chain.heads().latest
        for one in Order.objects.filter(state__in=("CONFIRMING", "FINAL")):
            assert one.transfer is not None
            if one.state == "FINAL" and one.transfer.block > latest:
                continue  # told once the chain is as high again
            assert standing.get(one.transfer.tx_hash) == one.transfer.block
        for order in Order.objects.filter(state="CONFLICT", events__event="DEEP"):
            assert ChainEvent.objects.filter(order=order, event="UNDONE").exists()

    @invariant()
    def after_a_look_money_under_a_reference_is_in_sight(self) -> None:
        """A transfer with an order's reference is its order's, or the order says what it is."""
        if not self.looked:
            return
        standing = self.chain.standing()
        for one in self.paid:
            if not one.nonce or one.tx_hash not in standing:
                continue
            order = Order.objects.get(reference=one.nonce)
            settled = order.transfer is not None
            assert settled or one.tx_hash in order.why or order.state in ("CONFLICT", "EXPIRED")


@pytest.mark.django_db(transaction=True)
def test_whatever_the_chain_does_nothing_is_settled_twice_or_lost() -> None:
    run = settings(
        max_examples=12,
        stateful_step_count=16,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    case = Walk.TestCase
    case.settings = run
    case("runTest").runTest()
