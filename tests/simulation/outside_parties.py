"""What stands around the product, and fails: receivers of callbacks, nodes of a chain, a bank."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apps.payments.banking.simulator.bank import RequestRefused, SimulatedBank
from apps.payments.callbacks import rules
from apps.payments.callbacks.clients.webhook_client import AttemptResult
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.nodes import NodeGroup
from apps.payments.chain.rules.confirmation_depth import ChainHeads
from apps.platform.upstreams.http import NotCalled, UpstreamError
from tests.chain.fake_chain import FakeChain, Transaction

if TYPE_CHECKING:
    from tests.simulation.world import World

BASE = CHAINS["eip155:8453"]
DEEPEST = 9  # blocks that the chain takes back: fewer than any amount waits for


class Receivers:
    """Whoever is called back: it answers, fails, is slow, or answers and is not heard."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.came: Counter[tuple[str, int]] = Counter()

    def post(self, *, url: str, content: bytes, headers: Mapping[str, str]) -> AttemptResult:
        """Take one callback; stands in for apps/payments/callbacks/clients/webhook_client.py."""
        world = self.world
        attempt = (headers["X-SVC-EventId"], int(headers["X-SVC-Attempt"]))
        world.meanwhile()
        how = world.fault(unreachable=6, lost=8, slow=10, status=14)
        if how == "unreachable":
            return AttemptResult(error="unreachable", latency_ms=3)
        self.came[attempt] += 1
        if how in ("lost", "slow"):
            world.clock.ahead(seconds=10 if how == "lost" else world.draw.randint(1, 9))
        if how == "lost":
            return AttemptResult(error="timeout", latency_ms=10_000)
        status = world.draw.choice((500, 503, 404)) if how == "status" else 200
        return AttemptResult(rules.failure_of_status(status=status), status, "", 5)


class Node:
    """A node of the chain: it may lag, and may not answer."""

    chain = BASE

    def __init__(self, world: "World") -> None:
        self.world, self.held = world, world.chain
        self.lag = world.draw.randint(0, 3) if world.faulty else 0

    def _asked(self) -> None:
        self.world.meanwhile()
        if self.world.fault(silent=2) == "silent":
            raise UpstreamError("the node does not answer")

    def insist(self) -> None:
        """Be a node of its chain."""
        self._asked()

    def heads(self) -> ChainHeads:
        """Return its newest, safe and finalized block."""
        self._asked()
        said = self.held.heads()
        latest = max(0, said.latest - self.lag)
        return ChainHeads(latest, min(said.safe, latest), min(said.finalized, latest))

    def block(self, number: int) -> Any:
        """Return a block that it has."""
        self._asked()
        return self.held.block(number)

    def receipt(self, tx_hash: str) -> Any:
        """Return what became of a transaction."""
        self._asked()
        return self.held.receipt(tx_hash)

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Any]:
        """Return logs of a range."""
        self._asked()
        return self.held.logs(first=first, last=last, assets=assets, topics=topics)


class Chain(FakeChain):
    """A chain in virtual time, whose transactions wait, come, fall out, and come again."""

    def __init__(self, world: "World") -> None:
        super().__init__(world.clock.now)
        self.world = world
        self.waiting: list[Transaction] = []
        self.grow(blocks=30, seconds=0)

    def nodes(self, _: Any = None) -> NodeGroup:
        """Return its nodes; stands in for apps/payments/chain/clients/nodes.py."""
        return NodeGroup([Node(self.world), Node(self.world)])  # type: ignore[list-item]

    def live(self, blocks: int) -> None:
        """Let it grow to the present, with all that waits in a block of the present."""
        waiting, self.waiting = self.waiting, []
        behind = max(0, int((self.world.clock.now - self.clock).total_seconds()))
        empty = max(1, blocks // 2)
        self.grow(blocks=empty, seconds=behind // empty)
        self.grow(*waiting, blocks=blocks - blocks // 2, seconds=0)

    def turn(self, depth: int) -> None:
        """Take blocks back; what they held waits to come again, or is gone for good."""
        back = self.take_back(depth)
        self.waiting += [one for one in back if self.world.draw.random() < 0.8]


class BankLine:
    """The bank over HTTP: calls are lost on their way, answers are, and both take their time."""

    def __init__(self, world: "World") -> None:
        self.world = world

    def __call__(self) -> "BankLine":
        return self  # adapter.Bank() makes a line for each call

    def _through(self, does: Any) -> Any:
        self.world.meanwhile()
        how = self.world.fault(refused=3, before=5, after=10)
        if how == "refused":
            raise NotCalled("bank: the breaker is open")
        if how == "before":
            raise UpstreamError("bank: it could not be reached")
        self.world.clock.ahead(seconds=1)
        try:
            answer = does()
        except RequestRefused as error:
            raise UpstreamError(error.why, permanent=True, status=error.status) from None
        if how == "after":
            raise UpstreamError("bank: the answer broke off")
        return answer

    def post_json(self, path: str, *, json: Mapping[str, Any]) -> Any:
        """Save a recipient, or pay."""
        bank = self.world.bank
        if path == "/recipients":
            return self._through(lambda: bank.save(json))
        return self._through(lambda: bank.send(path.split("/")[2], json))

    def get_json(self, path: str, *, params: Any = None, deadline: float = 0) -> Any:
        """Return accounts, or a page of what was paid."""
        bank = self.world.bank
        if path == "/accounts":
            return self._through(bank.accounts)
        limit, offset = int(params["limit"]), int(params["offset"])
        account = path.split("/")[2]
        return self._through(lambda: bank.transactions(account, limit=limit, offset=offset))


class Told:
    """Deliveries of the bank's webhook that are on their way: again, late, and out of order."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.under_way: list[dict[str, Any]] = []

    def tell(self, event: dict[str, Any]) -> None:
        """Send an event on its way, now and then more than once."""
        times = 2 if self.world.fault(twice=25) == "twice" else 1
        self.under_way += [event] * times


def bank_of(world: "World") -> SimulatedBank:
    """Return a bank that tells of what happens there."""
    return SimulatedBank(tell=world.told.tell)
