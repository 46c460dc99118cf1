"""What reports are about, as their queries name it."""

from datetime import datetime

from apps.access import tenants
from apps.esg.gather import NoLei
from apps.registry.models import Registration
from apps.registry.proof import proved
from apps.registry.reads import NotRegistered
from apps.reports.asking import month_of, next_month
from apps.reports.shape import Asked, Subject
from apps.watchlists import engine


def the_world(*, asked: Asked, now: datetime) -> Subject:
    """Return the subject of reports that ask for nothing: the world today."""
    return Subject(key=("world",), title=f"{now:%-d %B %Y}", period=f"{now:%Y-%m-%d}")


def an_entity(*, asked: Asked, now: datetime) -> Subject:
    """Return the entity of an LEI, or of the registration of a wallet, which is read each time.

    NotRegistered, NoLei (404), RegistrationUnproved (503).
    """
    lei = asked.get("lei") or _registered(asked["address"])
    return Subject(
        key=("entity", lei), title=f"LEI {lei}", period=f"{now:%Y-%m-%d}", told={"lei": lei}
    )


def _registered(address: str) -> str:
    row = Registration.objects.of(address)
    if row is None:
        raise NotRegistered("No registration stands for this wallet.")
    proved([row])
    if not row.lei:
        raise NoLei("The wallet is registered without an LEI.")
    return row.lei


def a_party(*, asked: Asked, now: datetime) -> Subject:
    """Return the party of an LEI, a name, or both, held to the lists as they are now.

    A report on it does not outlive its lists. ListsUnavailable, ListsStale (503).
    """
    lists = engine.current(now)
    held = (lists.list_set.id, *lists.lacking("sanction", "pep"))
    lei, name = asked.get("lei", ""), asked.get("name", "")
    told = {"lei": lei, "name": name}
    title = f"{name} (LEI {lei})" if name and lei else name or f"LEI {lei}"
    return Subject(
        key=("party", lei, name, *held), title=title, period=f"{now:%Y-%m-%d}", told=told
    )


def a_month(*, asked: Asked, now: datetime) -> Subject:
    """Return a month: of the institution whose key came beside the payment, else of all."""
    first, account = month_of(asked.get("period"), today=now.date()), asked["account"]
    until = next_month(first)
    period = f"{first:%Y-%m}"
    of = tenants.name(account) if account else "the network"
    return Subject(
        key=("month", period, account),
        title=f"{first:%B %Y} of {of}",
        period=period,
        told={"first": first.isoformat(), "until": until.isoformat(), "account": account},
        owner=account,
    )
