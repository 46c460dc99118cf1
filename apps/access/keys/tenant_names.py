"""Names of tenants: pages show the account's name, rows keep its reference."""

from collections.abc import Iterable

from apps.access.keys.models import Account

PREFIX = "account:"
# owner of data that was made for an account but is hidden from its keys
APART = "apart:"
OPERATOR = "operator"  # owner of data that no institution sent through us
LONGEST = 18  # digits of an id that a database can hold
MOST = 300  # in the choice of a filter


def load_tenant_names(refs: Iterable[str]) -> dict[str, str]:
    """Return the names of the accounts among tenant references (`account:7`); one query.

    References of other kinds of callers, or of no account, are left out.
    """
    numbers = {ref: number for ref in refs if (number := _parse_account_number(ref)) is not None}
    names_by_number = dict(
        Account.objects.filter(pk__in=numbers.values()).values_list("pk", "name")
    )
    return {
        ref: names_by_number[number] for ref, number in numbers.items() if number in names_by_number
    }


def is_client(ref: str) -> bool:
    """Tell whether a reference is that of an account; a hidden owner's is not."""
    return ref == get_tenant_of_owner(ref) and bool(load_tenant_names([ref]))


def build_hidden_owner(ref: str) -> str:
    """Return the owner of data made for a tenant and hidden from it; pages name the tenant."""
    return f"{APART}{ref}"


def list_owners_for_tenant(ref: str) -> tuple[str, ...]:
    """Return the owners of a tenant's data: itself, and the hidden owner beside it."""
    return (ref, build_hidden_owner(ref)) if ref == get_tenant_of_owner(ref) else (ref,)


def get_tenant_of_owner(ref: str) -> str:
    """Return the tenant of an owner's data, whether it is shown to the tenant or not."""
    return ref.removeprefix(APART)


def search_tenants(text: str, *, most: int) -> dict[str, str]:
    """Return accounts whose name contains a text, by reference, ordered by name."""
    rows = Account.objects.filter(name__icontains=text).order_by("name", "pk")
    return {f"{PREFIX}{pk}": name for pk, name in rows.values_list("pk", "name")[:most]}


def list_tenant_refs(*, most: int) -> list[str]:
    """Return the references of accounts, up to a limit, the newest first."""
    numbers = Account.objects.order_by("-pk").values_list("pk", flat=True)[:most]
    return [f"{PREFIX}{pk}" for pk in numbers]


def list_tenant_choices(chosen: str = "", *, most: int = MOST) -> dict[str, str]:
    """Return clients to choose from by reference, the newest first, including the chosen one."""
    tenant_names = load_tenant_names(list_tenant_refs(most=most))
    return (
        tenant_names
        if not chosen or chosen in tenant_names
        # a filter keeps showing its choice, even one beyond the newest MOST
        else {chosen: load_tenant_name(chosen), **tenant_names}
    )


def load_tenant_name(ref: str) -> str:
    """Return the name of a tenant, or its reference where it has none."""
    return load_tenant_names([ref]).get(ref, ref)


def _parse_account_number(ref: str) -> int | None:
    ref = get_tenant_of_owner(ref)
    digits = ref.removeprefix(PREFIX)
    # references also come from addresses of pages, which anybody may edit
    known = ref.startswith(PREFIX) and digits.isascii() and digits.isdigit()
    return int(digits) if known and len(digits) <= LONGEST else None
