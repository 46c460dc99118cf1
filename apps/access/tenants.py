"""Who a tenant is, in words: pages name the account, rows keep its reference."""

from collections.abc import Iterable

from apps.access.models import Account

PREFIX = "account:"
# owns what was made for an account and is none of what it reads by its keys
APART = "apart:"
LONGEST = 18  # digits of an id that a database can hold
MOST = 300  # in the choice of a filter


def names(refs: Iterable[str]) -> dict[str, str]:
    """Return the names of the accounts among tenant references (`account:7`); one query.

    A reference of another kind of caller, or of no account, is left out: it stands for itself.
    """
    numbers = {ref: number for ref in refs if (number := _number(ref)) is not None}
    held = dict(Account.objects.filter(pk__in=numbers.values()).values_list("pk", "name"))
    return {ref: held[number] for ref, number in numbers.items() if number in held}


def apart(ref: str) -> str:
    """Return who owns what is made for a tenant and not shown to it; pages name the tenant."""
    return f"{APART}{ref}"


def made_for(ref: str) -> tuple[str, ...]:
    """Return who owns what is made for a tenant: itself, and what is not shown to it (`apart`)."""
    return (ref, apart(ref)) if ref == whose(ref) else (ref,)


def whose(ref: str) -> str:
    """Return for which tenant something is made, that is shown to it or not (`apart`)."""
    return ref.removeprefix(APART)


def named(text: str, *, most: int) -> dict[str, str]:
    """Return accounts whose name holds a text, by reference, in the order of their names."""
    rows = Account.objects.filter(name__icontains=text).order_by("name", "pk")
    return {f"{PREFIX}{pk}": name for pk, name in rows.values_list("pk", "name")[:most]}


def refs(*, most: int) -> list[str]:
    """Return the references of accounts, at most so many, the newest first."""
    numbers = Account.objects.order_by("-pk").values_list("pk", flat=True)[:most]
    return [f"{PREFIX}{pk}" for pk in numbers]


def choices(chosen: str = "", *, most: int = MOST) -> dict[str, str]:
    """Return clients to choose from by reference, the newest first; a chosen one is among them."""
    found = names(refs(most=most))
    return found if not chosen or chosen in found else {chosen: name(chosen), **found}


def name(ref: str) -> str:
    """Return the name of a tenant, or its reference where it has none."""
    return names([ref]).get(ref, ref)


def _number(ref: str) -> int | None:
    ref = whose(ref)
    digits = ref.removeprefix(PREFIX)
    known = ref.startswith(PREFIX) and digits.isascii() and digits.isdigit()
    return int(digits) if known and len(digits) <= LONGEST else None
