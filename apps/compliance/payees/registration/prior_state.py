"""What a submission is compared with: how the wallet stood before, and who else bears its names."""

from collections.abc import Iterator

from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.registrations import name_key
from apps.compliance.payees.registration.requests import RegistrationRequest
from apps.compliance.payees.rules.steps import is_another_entity
from apps.reference.lei import legal_names
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.name_agreement import (
    fold_without_legal_form,
    is_close_to_legal_name,
    is_same_name,
)
from apps.reference.lei.values import Entity

MOST_LIKE = 200  # names of others that begin like an alias, of each kind
LEAST_PREFIX = 3  # letters


def find_earlier_entity(
    held: Registration | None, asked: RegistrationRequest, own: int | None
) -> str:
    """Return under which other entity a wallet stood that is registered anew."""
    before = find_last_counted(asked.wallet.address) if held is None and own is None else None
    if before is None or not is_another_entity(before.standing, asked.submitted):
        return ""
    return f"{before.legal_name} (LEI {before.lei})" if before.lei else before.legal_name


def find_country_before(stood: Registration | None, asked: RegistrationRequest) -> str:
    """Return the country under which the same entity stood for the wallet, "" where none did."""
    if stood is None or is_another_entity(stood.standing, asked.submitted):
        return ""
    return stood.country


def find_last_counted(wallet: str) -> Registration | None:
    """Return the last ended registration of a wallet whose entity counted, or else the last one.

    One that waited for its review when it ended never stood for the wallet's entity: who
    deactivates it and registers it again is looked at again.
    """
    ended = Registration.objects.before(wallet)
    return next((one for one in ended if one.counted), ended[0] if ended else None)


def find_added_aliases(stood: Registration | None, asked: RegistrationRequest) -> list[str]:
    """Return the aliases that a wallet gains beside the names under which it stands, or stood.

    A name that waited for its review is gained anew.
    """
    if stood is None:
        return []
    known = {name_key(one) for one in (stood.legal_name, *stood.counted_names)}
    known |= {name_key(alias) for alias in stood.aliases} if stood.active else set()
    return [alias for alias in asked.submitted.aliases or () if name_key(alias) not in known]


def find_borrowed_aliases(
    stood: Registration | None, asked: RegistrationRequest, entity: Entity | None
) -> list[tuple[str, str]]:
    """Return the aliases that are, or nearly are, another's legal name, each with whose it is.

    Others are entities that are registered here, and those that GLEIF has, where they begin alike;
    two queries. A name that GLEIF bears out, or that counts for the wallet already, is its own.
    """
    counted = {
        name_key(counted_name)
        for counted_name in (stood.counted_names if stood and stood.active else ())
    }
    new = [
        one
        for one in asked.submitted.aliases or ()
        if name_key(one) not in counted and not (entity and legal_names.is_any_name(one, entity))
    ]
    others = list(_similar_legal_names(new, asked, entity)) if new else []
    own, found = asked.submitted.legal_name, []
    for alias in new:
        whose = next(
            (told for name, told in others if is_close_to_legal_name(alias, name, own=own)), ""
        )
        if whose:
            found.append((alias, whose))
    return found


def _similar_legal_names(
    aliases: list[str], registration_request: RegistrationRequest, entity: Entity | None
) -> Iterator[tuple[str, str]]:
    """Yield legal names of others that begin as these aliases do, and who they are in words."""
    starts = {start for alias in aliases for start in _name_prefixes(alias)}
    lei = entity.lei if entity else ""
    own = registration_request.submitted.legal_name
    here = Registration.objects.active().named_like(starts)
    for name, held in here.values_list("legal_name", "lei").distinct()[:MOST_LIKE]:
        if not (is_same_name(name, own) or (lei and held == lei)):
            yield name, f"{name}, registered here"
    for name, held in LeiRecord.objects.named_like(starts, most=MOST_LIKE):
        if held != lei and not is_same_name(name, own):
            yield name, f"{name} (LEI {held})"


def _name_prefixes(name: str) -> set[str]:
    """Return how names like this one begin: two thirds of it, with and without its points."""
    written = (fold_without_legal_form(name), legal_names.fold_name(name))
    return {
        one[: max(LEAST_PREFIX, len(fold_without_legal_form(name)) * 2 // 3)]
        for one in written
        if one
    }
