"""A month of payments by seed: honest institutions from their first day on, and launderers.

Each business and each scheme is drawn from what such payers do (sizes, days, how many they pay),
and nothing here reads a rule or a bound of the engine. What an institution declares is what it
plans, in round numbers, and is off by as much as plans are. A third of the institutions has
registered its wallet and so have some of the firms that are paid; launderers have not.
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

DAY, HOUR = 86_400, 3600
BEGIN = 1_767_571_200  # Monday, 2026-01-05, 00:00 UTC
LENGTH = 30  # days
USD = 1_000_000


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment and whose it is: an institution's name, or a scheme's."""

    at: int
    sender: str
    receiver: str
    amount: int
    whose: str
    counts: bool = True  # history before the month is replayed, and measures nothing


@dataclass(frozen=True, slots=True)
class Line:
    """What an institution plans of one kind of payment: a month's numbers, in whole USD."""

    kind: str
    payments: int
    volume: int
    counterparties: int
    largest: int


@dataclass(slots=True)
class Institution:
    """An honest institution: its wallet, whether that is registered, what it plans and does."""

    name: str
    business: str
    registered: bool
    plan: list[Line] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    partners: list[str] = field(default_factory=list)  # firms, some of them registered


@dataclass(slots=True)
class Scheme:
    """A scheme of launderers; `listed` and `branded` are wallets that others know to be bad."""

    name: str
    pattern: str
    transfers: list[Transfer] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)
    branded: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Month:
    """Everything that happens, in the order of time."""

    transfers: tuple[Transfer, ...]
    institutions: tuple[Institution, ...]
    schemes: tuple[Scheme, ...]
    registered: frozenset[str]
    listed: frozenset[str]
    branded: frozenset[str]


class Books:
    """What an institution pays and receives, drawn from its own source of chance."""

    def __init__(self, name: str, business: str, chance: random.Random) -> None:
        self.chance = chance
        self.it = Institution(name, business, chance.random() < 1 / 3)

    def others(self, role: str, count: int, *, firms: bool = True) -> list[str]:
        """Return so many wallets that it deals with; firms may be registered."""
        found = [f"{self.it.name}/{role}-{n}" for n in range(count)]
        if firms:
            self.it.partners += found
        return found

    def about(self, median: float, spread: float = 0.5, *, least: float = 0.5) -> float:
        """Return an amount of a lognormal distribution, in USD and cents."""
        return round(max(least, self.chance.lognormvariate(math.log(median), spread)), 2)

    def pays(self, day: float, to: str, amount: float) -> None:
        """Pay somebody on a day of the month, in working hours."""
        self._moves(day, self.it.name, to, amount)

    def receives(self, day: float, source: str, amount: float) -> None:
        """Receive from somebody on a day of the month, in working hours."""
        self._moves(day, source, self.it.name, amount)

    def _moves(self, day: float, sender: str, receiver: str, amount: float) -> None:
        if not 0 <= day < LENGTH:
            return
        whole = day % 1
        hour = whole * 24 if whole else self.chance.uniform(8, 17.5)
        at = BEGIN + int(day) * DAY + int(hour * HOUR) + self.chance.randrange(60)
        micro = round(amount * 100) * USD // 100
        self.it.transfers.append(Transfer(at, sender, receiver, micro, self.it.name))

    def plans(
        self, kind: str, payments: float, typical: float, counterparties: int, largest: float
    ) -> None:
        """Plan a kind of payment; plans are round, and off by a fifth or so."""
        off = self.chance.lognormvariate(0.15, 0.2)
        self.it.plan.append(
            Line(
                kind,
                math.ceil(payments * off),
                math.ceil(payments * typical * off / 1000) * 1000,
                math.ceil(counterparties * max(off, 1.0)),
                math.ceil(largest / 1000) * 1000,
            )
        )


def workdays(first: int = 0) -> list[int]:
    """Return the days of the month from one on that are no weekend."""
    return [day for day in range(first, LENGTH) if day % 7 < 5]


def manufacturer(b: Books) -> None:
    suppliers, staff = b.others("supplier", 35), b.others("staff", 45, firms=False)
    for day in (0, 8, 15, 22, 29):
        for one in b.chance.sample(suppliers, 22):
            b.pays(day, one, b.about(2600, 0.9))
    b.pays(1, b.others("landlord", 1)[0], 14_500)
    wages = [b.about(3300, 0.25) for _ in staff]
    for day in (24,):
        for one, wage in zip(staff, wages, strict=True):
            b.pays(day, one, wage)
    b.plans("SUPPLIERS", 110, 3900, 35, 40_000)
    b.plans("WAGES", 45, 3400, 45, 7000)
    b.plans("RENT", 1, 14_500, 1, 14_500)


def agency(b: Books) -> None:
    staff, freelancers = b.others("staff", 20, firms=False), b.others("free", 9, firms=False)
    b.pays(0, b.others("landlord", 1)[0], 6500)
    tools = b.others("tool", 6)
    for one in staff:
        b.pays(1, one, b.about(3900, 0.3))
    for freelancer in freelancers:
        b.pays(b.chance.choice(workdays(3)), freelancer, b.about(1800, 0.5))
    for tool in tools:
        b.pays(b.chance.choice(workdays()), tool, b.about(180, 0.9))
    for n, client in enumerate(b.others("client", 7)):
        b.receives(b.chance.choice(workdays(n)), client, b.about(16_000, 0.6))
    b.plans("WAGES", 29, 3300, 29, 9000)
    b.plans("RENT", 1, 6500, 1, 6500)
    b.plans("SUPPLIERS", 6, 300, 6, 2000)
    b.plans("CUSTOMERS", 7, 19_000, 7, 60_000)


def law_firm(b: Books) -> None:
    for n, client in enumerate(b.others("client", 11, firms=False)):
        day, sum_ = b.chance.choice(workdays(n)), b.about(42_000, 0.9)
        b.receives(day, client, sum_)
        # escrow: the other side is paid when the deed is done, less the fee
        after = day + b.chance.choice((1, 2, 3, 5, 8, 13))
        b.pays(after, b.others(f"seller-{n}", 1, firms=False)[0], sum_ * 0.985)
    for one in b.others("court", 6):
        b.pays(b.chance.choice(workdays()), one, b.about(420, 0.6))
    b.plans("CLIENT_MONEY", 22, 60_000, 22, 250_000)
    b.plans("SUPPLIERS", 6, 500, 6, 2000)


def marketplace(b: Books) -> None:
    sellers = b.others("seller", 60, firms=False)
    serial = 0
    for day in range(LENGTH):
        for _ in range(b.chance.randrange(8, 22)):
            serial += 1
            b.receives(day, f"{b.it.name}/buyer-{serial}", b.about(140, 0.8))
        if day % 7 in (1, 4):
            for one in b.chance.sample(sellers, 18):
                b.pays(day, one, b.about(330, 0.7))
    b.plans("CUSTOMERS", 450, 190, 450, 4000)
    b.plans("PAYOUTS", 150, 420, 60, 6000)


def treasury_group(b: Books) -> None:
    subsidiaries, banks = b.others("subsidiary", 6), b.others("bank", 2)
    for day in workdays():
        for one in b.chance.sample(subsidiaries, b.chance.randrange(2, 6)):
            b.receives(day + 16 / 24, one, b.about(38_000, 0.8))
        if day % 7 == 4:
            b.pays(day + 17 / 24, b.chance.choice(banks), 10_000 * b.chance.randrange(15, 60))
    for subsidiary in subsidiaries:
        b.pays(b.chance.choice(workdays(2)), subsidiary, 5000 * b.chance.randrange(4, 24))
    b.plans("SWEEPS", 90, 50_000, 9, 700_000)


def charity(b: Books) -> None:
    serial = 0
    for day in range(LENGTH):
        for _ in range(b.chance.randrange(6, 30)):
            serial += 1
            gift = b.chance.choice((10, 20, 25, 50, 50, 100, 100, 250, 500, b.about(90, 1.0)))
            b.receives(day, f"{b.it.name}/donor-{serial}", gift)
    for one in b.others("project", 8):
        b.pays(b.chance.choice(workdays(1)), one, 500 * b.chance.randrange(4, 30))
    b.plans("DONATIONS", 540, 110, 540, 2500)
    b.plans("GRANTS", 8, 8000, 8, 15_000)


def exporter(b: Books) -> None:
    suppliers = b.others("supplier", 12)
    for n, client in enumerate(b.others("client", 5)):
        b.receives(b.chance.choice(workdays(2 * n)), client, b.about(95_000, 0.6))
    for supplier in suppliers:
        for _ in range(2):
            b.pays(b.chance.choice(workdays()), supplier, b.about(13_000, 0.7))
    for one in b.others("forwarder", 3):
        for _ in range(3):
            b.pays(b.chance.choice(workdays()), one, b.about(4200, 0.5))
    b.plans("CUSTOMERS", 5, 115_000, 5, 300_000)
    b.plans("SUPPLIERS", 33, 13_500, 15, 70_000)


def importer(b: Books) -> None:
    for n, one in enumerate(b.others("maker", 8)):
        order, day = b.about(52_000, 0.7), b.chance.choice(workdays())
        b.pays(day, one, order * 0.3)
        b.pays(day + b.chance.randrange(7, 22), one, order * 0.7)
        if n % 2:
            b.pays(day + 9, b.others(f"customs-{n}", 1)[0], order * 0.11)
    for one in b.others("carrier", 3):
        b.pays(b.chance.choice(workdays()), one, b.about(6100, 0.4))
    b.plans("SUPPLIERS", 24, 28_000, 15, 200_000)


def payroll_bureau(b: Books) -> None:
    clients = b.others("client", 10)
    for n, client in enumerate(clients):
        staff = b.others(f"staff-{n}", b.chance.randrange(8, 22), firms=False)
        wages = [b.about(2800, 0.35) for _ in staff]
        day = b.chance.choice(workdays(n))
        b.receives(day, client, sum(wages) * 1.02)
        for one, wage in zip(staff, wages, strict=True):
            b.pays(day + 1, one, wage)
    b.plans("CLIENT_MONEY", 10, 45_000, 10, 110_000)
    b.plans("WAGES", 150, 3000, 150, 8000)


def web_shop(b: Books) -> None:
    for day in range(LENGTH):
        for n in range(b.chance.randrange(1, 5)):
            b.pays(day, f"{b.it.name}/refund-{day}-{n}", b.about(64, 0.7))
    for day in (3, 10, 17, 24):
        b.receives(day, b.others("processor", 1)[0], b.about(31_000, 0.3))
    for one in b.others("supplier", 9):
        for _ in range(2):
            b.pays(b.chance.choice(workdays()), one, b.about(2900, 0.8))
    for day in (7, 14, 21, 28):
        b.pays(day, b.others("adverts", 1)[0], 2500)
    b.plans("REFUNDS", 90, 85, 90, 600)
    b.plans("SUPPLIERS", 22, 3700, 10, 25_000)
    b.plans("CUSTOMERS", 4, 33_000, 1, 60_000)


def builder(b: Books) -> None:
    for one in b.others("trade", 9):
        for _ in range(b.chance.randrange(1, 4)):
            b.pays(b.chance.choice(workdays()), one, 500 * b.chance.randrange(6, 60))
    for day in (4, 11, 18, 25):
        for one in b.others("site", 14, firms=False):
            b.pays(day, one, b.about(860, 0.15))
    for n, client in enumerate(b.others("client", 3)):
        b.receives(b.chance.choice(workdays(3 * n)), client, 5000 * b.chance.randrange(8, 40))
    b.plans("SUPPLIERS", 18, 16_500, 9, 30_000)
    b.plans("WAGES", 56, 900, 14, 1500)
    b.plans("CUSTOMERS", 3, 120_000, 3, 200_000)


def property_manager(b: Books) -> None:
    rents = {one: 25 * b.chance.randrange(32, 96) for one in b.others("tenant", 40, firms=False)}
    for one, rent in rents.items():
        b.receives(b.chance.choice((0, 0, 0, 1, 2, 3, 4, 7)), one, rent)
    owners = b.others("owner", 11, firms=False)
    each = sum(rents.values()) * 0.92 / len(owners)
    for one in owners:
        b.pays(9, one, each * b.chance.uniform(0.6, 1.4))
    for one in b.others("repair", 7):
        b.pays(b.chance.choice(workdays()), one, b.about(390, 0.7))
    b.plans("RENT", 40, 1600, 40, 2500)
    b.plans("PAYOUTS", 11, 5400, 11, 12_000)
    b.plans("SUPPLIERS", 7, 500, 7, 3000)


def startup(b: Books) -> None:
    test = b.others("test", 1)[0]
    for n in range(9):
        b.pays((9.5 + 0.4 * n) / 24, test, b.chance.choice((1, 1, 5, 10, 100, 250)))
    for one in b.others("contractor", 8, firms=False):
        b.pays(b.chance.choice((3, 4, 28)), one, b.about(5200, 0.35))
    for one in b.others("cloud", 4):
        b.pays(b.chance.choice(workdays(1)), one, b.about(900, 1.0))
    b.receives(2, b.others("investor", 1)[0], 50_000 * b.chance.randrange(2, 11))
    b.plans("WAGES", 8, 5500, 8, 12_000)
    b.plans("SUPPLIERS", 14, 1000, 5, 8000)
    b.plans("CAPITAL", 1, 300_000, 1, 500_000)


def insurance_broker(b: Books) -> None:
    for one in b.others("insured", 55, firms=False):
        b.receives(b.chance.choice(workdays()), one, b.about(410, 0.5))
    insurer = b.others("insurer", 3)
    for day in (11, 25):
        for one in insurer:
            b.pays(day, one, b.about(3300, 0.3))
    for one in b.others("claimant", 6, firms=False):
        b.pays(b.chance.choice(workdays(4)), one, b.about(2100, 0.9))
    b.plans("CUSTOMERS", 55, 460, 55, 2500)
    b.plans("PAYOUTS", 12, 3000, 9, 15_000)


def travel_agency(b: Books) -> None:
    hotels = b.others("hotel", 25)
    for n in range(50):
        day, price = b.chance.choice(workdays()), b.about(1350, 0.6)
        b.receives(day, f"{b.it.name}/guest-{n}", price)
        b.pays(day + b.chance.choice((0, 1, 2, 6)), b.chance.choice(hotels), price * 0.86)
    b.plans("CUSTOMERS", 50, 1600, 50, 7000)
    b.plans("SUPPLIERS", 50, 1400, 25, 6000)


def desk_of_coins(b: Books) -> None:
    for _ in range(9):
        day, size = b.chance.choice(workdays()), 5000 * b.chance.randrange(8, 70)
        b.receives(day, b.chance.choice(b.others("maker", 3)), size)
        b.pays(day + b.chance.choice((0, 1)), b.chance.choice(b.others("taker", 4)), size * 1.0015)
    b.plans("TRADES", 18, 190_000, 7, 400_000)


def university(b: Books) -> None:
    for one in b.others("student", 70, firms=False):
        b.pays(4, one, 1200)
    for one in b.others("fees", 40, firms=False):
        b.receives(b.chance.choice(workdays()), one, b.chance.choice((2400, 2400, 4800)))
    for one in b.others("supplier", 14):
        b.pays(b.chance.choice(workdays()), one, b.about(2300, 1.0))
    b.plans("PAYOUTS", 70, 1200, 70, 1200)
    b.plans("CUSTOMERS", 40, 3000, 40, 4800)
    b.plans("SUPPLIERS", 14, 3800, 14, 25_000)


def freelance_platform(b: Books) -> None:
    workers, clients = b.others("worker", 70, firms=False), b.others("client", 15)
    for week in range(4):
        due = [(one, b.about(620, 0.6)) for one in b.chance.sample(workers, 45)]
        total = sum(amount for _, amount in due) * 1.12
        for client in clients:
            b.receives(7 * week + b.chance.randrange(0, 4), client, total / len(clients))
        for one, amount in due:
            b.pays(7 * week + 4, one, amount)
    b.plans("CUSTOMERS", 60, 2600, 15, 5000)
    b.plans("PAYOUTS", 180, 740, 70, 5000)


def restaurants(b: Books) -> None:
    purveyors, staff = b.others("purveyor", 14), b.others("staff", 24, firms=False)
    for day in range(LENGTH):
        for one in b.chance.sample(purveyors, b.chance.randrange(2, 6)):
            b.pays(day, one, b.about(310, 0.6))
        if day % 7 == 4:
            for one in staff:
                b.pays(day, one, b.about(640, 0.2))
    for one in b.others("landlord", 3):
        b.pays(0, one, b.about(7200, 0.2))
    b.plans("SUPPLIERS", 110, 370, 14, 2500)
    b.plans("WAGES", 96, 660, 24, 1200)
    b.plans("RENT", 3, 7500, 3, 10_000)


def ship_agent(b: Books) -> None:
    for call in range(6):
        day, cost = b.chance.choice(workdays()), b.about(58_000, 0.4)
        b.receives(day, b.chance.choice(b.others("line", 3)), cost)
        shares = [b.chance.uniform(0.2, 1) for _ in range(7)]
        for n, share in enumerate(shares):
            to = b.others(f"port-{call % 3}-{n}", 1)[0]
            b.pays(day + b.chance.choice((0, 1, 2, 4)), to, 0.95 * cost * share / sum(shares))
    b.plans("CLIENT_MONEY", 6, 63_000, 3, 120_000)
    b.plans("SUPPLIERS", 42, 9000, 24, 40_000)


def family_office(b: Books) -> None:
    for one in b.others("fund", 5):
        b.pays(b.chance.choice(workdays()), one, 25_000 * b.chance.randrange(1, 9))
    for one in b.others("household", 9, firms=False):
        b.pays(b.chance.choice(workdays()), one, b.about(2700, 0.7))
    b.plans("INVESTMENTS", 5, 125_000, 5, 250_000)
    b.plans("SUPPLIERS", 9, 3300, 9, 12_000)


def utility(b: Books) -> None:
    for n in range(50):
        b.pays(1, f"{b.it.name}/credit-{n}", 250)
    for one in b.others("crew", 30, firms=False):
        b.pays(2, one, 1840.50)
    for one in b.others("engineer", 10, firms=False):
        b.pays(2, one, 4200)
    for one in b.others("vendor", 12):
        for _ in range(2):
            b.pays(b.chance.choice(workdays(3)), one, b.about(5400, 0.8))
    b.plans("REFUNDS", 50, 250, 50, 250)
    b.plans("WAGES", 40, 2500, 40, 4200)
    b.plans("SUPPLIERS", 24, 7400, 12, 45_000)


def haulier(b: Books) -> None:
    for day in workdays():
        b.pays(day, b.chance.choice(b.others("fuel", 4)), b.about(1900, 0.4))
    for day in (4, 11, 18, 25):
        for one in b.others("driver", 12, firms=False):
            b.pays(day, one, b.about(880, 0.15))
    for n, client in enumerate(b.others("client", 9)):
        b.receives(b.chance.choice(workdays(n)), client, b.about(11_000, 0.5))
    b.pays(3, b.others("leasing", 1)[0], 9600)
    b.plans("SUPPLIERS", 25, 2400, 6, 10_000)
    b.plans("WAGES", 48, 900, 12, 1500)
    b.plans("CUSTOMERS", 9, 12_500, 9, 40_000)


def clinic(b: Books) -> None:
    for one in b.others("doctor", 7, firms=False):
        b.pays(26, one, b.about(9200, 0.12))
    for one in b.others("nurse", 16, firms=False):
        b.pays(26, one, b.about(3600, 0.15))
    for one in b.others("supplier", 11):
        for _ in range(2):
            b.pays(b.chance.choice(workdays()), one, b.about(1700, 0.9))
    for n in range(35):
        b.receives(b.chance.choice(workdays()), f"{b.it.name}/patient-{n}", b.about(260, 0.8))
    b.plans("WAGES", 23, 5500, 23, 13_000)
    b.plans("SUPPLIERS", 22, 2500, 11, 20_000)
    b.plans("CUSTOMERS", 35, 360, 35, 3000)


BUSINESSES: tuple[Callable[[Books], None], ...] = (
    manufacturer,
    agency,
    law_firm,
    marketplace,
    treasury_group,
    charity,
    exporter,
    importer,
    payroll_bureau,
    web_shop,
    builder,
    property_manager,
    startup,
    insurance_broker,
    travel_agency,
    desk_of_coins,
    university,
    freelance_platform,
    restaurants,
    ship_agent,
    family_office,
    utility,
    haulier,
    clinic,
)


class Plot:
    """A scheme while it is drawn: its wallets, its moment, and the history of some of them."""

    def __init__(self, name: str, pattern: str, chance: random.Random) -> None:
        self.chance, self.it = chance, Scheme(name, pattern)
        self.at = BEGIN + int(chance.uniform(1, 20) * DAY)

    def wallet(self, role: str, *, lived: float = 0.4) -> str:
        """Return a wallet; some have lived as a person's account or a small shop's does."""
        found = f"{self.it.name}/{role}"
        if self.chance.random() < lived:
            self.lives(found, months=self.chance.randrange(2, 9))
        return found

    def lives(self, wallet: str, *, months: int, until: int = 0, size: float = 1.0) -> None:
        """Give a wallet a past: an income, rent, and purchases."""
        end = (until or self.at) - 3 * DAY
        income = size * self.chance.uniform(1400, 4200)
        for month in range(months, 0, -1):
            start = end - month * 30 * DAY
            self._past(start, f"{wallet}/employer", wallet, income)
            self._past(start + 2 * DAY, wallet, f"{wallet}/landlord", income * 0.37)
            for _ in range(self.chance.randrange(2, 8)):
                shop = f"{wallet}/shop-{self.chance.randrange(6)}"
                spent = income * self.chance.uniform(0.01, 0.09)
                self._past(start + self.chance.randrange(3, 28) * DAY, wallet, shop, spent)

    def _past(self, at: int, sender: str, receiver: str, amount: float) -> None:
        at += self.chance.randrange(9 * HOUR, 18 * HOUR)
        micro = round(amount * 100) * USD // 100
        self.it.transfers.append(Transfer(at, sender, receiver, micro, self.it.name, counts=False))

    def moves(self, sender: str, receiver: str, amount: float, *, after: float = 0) -> float:
        """Move money so many hours after the last move, and return how much it was."""
        self.at += int(after * HOUR) + self.chance.randrange(30, 600)
        amount = round(amount, 2)
        micro = round(amount * 100) * USD // 100
        self.it.transfers.append(Transfer(self.at, sender, receiver, micro, self.it.name))
        return amount


def structuring(p: Plot) -> None:
    payer, to = p.wallet("payer"), [p.wallet(f"to-{n}") for n in range(p.chance.randrange(1, 4))]
    for _ in range(p.chance.randrange(5, 11)):
        amount = p.chance.uniform(8300, 9950)
        p.moves(payer, p.chance.choice(to), amount, after=p.chance.uniform(2, 30))


def fan_in(p: Plot) -> None:
    collector, boss = p.wallet("collector", lived=0.3), p.wallet("boss")
    total = 0.0
    for n in range(p.chance.randrange(7, 15)):
        size = p.chance.choice(((900, 999), (2600, 2990), (1500, 6000), (7800, 9900)))
        after = p.chance.uniform(0.3, 9)
        total += p.moves(
            p.wallet(f"smurf-{n}", lived=0.7), collector, p.chance.uniform(*size), after=after
        )
    p.moves(collector, boss, total * p.chance.uniform(0.9, 0.97), after=p.chance.uniform(1, 20))


def fan_out(p: Plot) -> None:
    hub = p.wallet("hub", lived=0.3)
    sum_ = p.moves(p.wallet("source"), hub, p.chance.uniform(40_000, 220_000))
    shares = [p.chance.uniform(0.5, 1.5) for _ in range(p.chance.randrange(7, 14))]
    for n, share in enumerate(shares):
        amount = 0.96 * sum_ * share / sum(shares)
        p.moves(hub, p.wallet(f"to-{n}"), amount, after=p.chance.uniform(0.1, 5))


def pass_through(p: Plot) -> None:
    mule = p.wallet("mule")
    for n in range(p.chance.randrange(2, 4)):
        came = p.moves(p.wallet(f"source-{n}"), mule, p.chance.uniform(6000, 120_000), after=20 * n)
        left = came * p.chance.uniform(0.92, 0.99)
        p.moves(mule, p.wallet(f"to-{n}"), left, after=p.chance.uniform(0.5, 20))


def round_trip(p: Plot) -> None:
    ring = [p.wallet(f"ring-{n}") for n in range(p.chance.randrange(3, 5))]
    amount = p.chance.uniform(15_000, 180_000)
    for _ in range(2):
        for sender, receiver in zip(ring, [*ring[1:], ring[0]], strict=True):
            p.moves(sender, receiver, amount, after=p.chance.uniform(3, 60))
            amount *= p.chance.uniform(0.96, 0.995)


def mule_chain(p: Plot) -> None:
    chain = [p.wallet(f"link-{n}", lived=0.6) for n in range(p.chance.randrange(4, 7))]
    amount = p.chance.uniform(4000, 60_000)
    for sender, receiver in pairwise(chain):
        p.moves(sender, receiver, amount, after=p.chance.uniform(0.5, 26))
        amount *= p.chance.uniform(0.9, 0.98)


def listed_party(p: Plot) -> None:
    payer, bad = p.wallet("payer"), p.wallet("listed", lived=0)
    p.it.listed.add(bad)
    p.moves(payer, bad, p.chance.uniform(500, 40_000))
    for n in range(3):
        amount = p.chance.uniform(400, 25_000)
        p.moves(payer, p.wallet(f"to-{n}"), amount, after=p.chance.uniform(0.2, 30))


def sudden_size(p: Plot) -> None:
    payer = p.wallet("payer", lived=0)
    p.lives(payer, months=p.chance.randrange(4, 14))
    for n in range(p.chance.randrange(3, 6)):
        amount = p.chance.uniform(12_000, 90_000)
        p.moves(payer, p.wallet(f"to-{n}"), amount, after=p.chance.uniform(3, 60))


def dormant(p: Plot) -> None:
    payer = p.wallet("payer", lived=0)
    slept = p.chance.randrange(90, 300) * DAY
    p.lives(payer, months=p.chance.randrange(3, 7), until=p.at - slept)
    for n in range(p.chance.randrange(4, 9)):
        amount = p.chance.uniform(3000, 22_000)
        p.moves(payer, p.wallet(f"to-{n}"), amount, after=p.chance.uniform(0.5, 14))


def scatter_gather(p: Plot) -> None:
    source, sink = p.wallet("source"), p.wallet("sink")
    mules = [p.wallet(f"mule-{n}", lived=0.6) for n in range(p.chance.randrange(4, 8))]
    each = p.chance.uniform(30_000, 150_000) / len(mules)
    held = [
        (
            mule,
            p.moves(
                source, mule, each * p.chance.uniform(0.85, 1.15), after=p.chance.uniform(0.2, 6)
            ),
        )
        for mule in mules
    ]
    for one, amount in held:
        p.moves(one, sink, amount * 0.96, after=p.chance.uniform(0.5, 8))


def equal_parts(p: Plot) -> None:
    payer, to = p.wallet("payer"), p.wallet("to")
    part = p.chance.choice((3300, 4500, 4900, 4950, 7500, 9000))
    for _ in range(p.chance.randrange(4, 9)):
        p.moves(payer, to, part * p.chance.uniform(0.995, 1.005), after=p.chance.uniform(0.5, 9))


def branded_party(p: Plot) -> None:
    bad = p.wallet("branded")
    p.it.branded.add(bad)
    for n in range(p.chance.randrange(3, 6)):
        ends = (p.wallet(f"other-{n}"), bad)
        sender, receiver = ends if p.chance.random() < 0.5 else ends[::-1]
        p.moves(sender, receiver, p.chance.uniform(1500, 30_000), after=p.chance.uniform(1, 40))


PATTERNS: tuple[Callable[[Plot], None], ...] = (
    structuring,
    fan_in,
    fan_out,
    pass_through,
    round_trip,
    mule_chain,
    listed_party,
    sudden_size,
    dormant,
    scatter_gather,
    equal_parts,
    branded_party,
)


def month(seed: int, *, businesses: int = len(BUSINESSES), schemes: int = 5) -> Month:
    """Return a month: so many of the businesses, and each pattern so many times."""
    honest = tuple(_institutions(seed, businesses))
    plots = tuple(_schemes(seed, schemes))
    chance = random.Random(f"{seed}/registered")
    registered = {one.name for one in honest if one.registered}
    for one in honest:
        registered |= {firm for firm in dict.fromkeys(one.partners) if chance.random() < 0.25}
    moves = [move for party in honest for move in party.transfers]
    moves += [move for plot in plots for move in plot.transfers]
    return Month(
        tuple(sorted(moves, key=lambda move: move.at)),
        honest,
        plots,
        frozenset(registered),
        frozenset().union(*(plot.listed for plot in plots)),
        frozenset().union(*(plot.branded for plot in plots)),
    )


def _institutions(seed: int, count: int) -> Iterator[Institution]:
    for business in BUSINESSES[:count]:
        name = business.__name__
        books = Books(name, name, random.Random(f"{seed}/{name}"))
        business(books)
        yield books.it


def _schemes(seed: int, times: int) -> Iterator[Scheme]:
    for pattern in PATTERNS:
        for turn in range(times):
            name = f"{pattern.__name__}-{turn}"
            plot = Plot(name, pattern.__name__, random.Random(f"{seed}/{name}"))
            pattern(plot)
            yield plot.it
