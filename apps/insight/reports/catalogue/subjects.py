"""What reports are about, as their queries name it."""

from datetime import datetime

from apps.access.keys import tenant_names
from apps.compliance.payees import wallets
from apps.compliance.payees.models import Registration
from apps.compliance.payees.selectors.public_lookups import NotRegistered
from apps.compliance.payees.selectors.registrations import verify_registrations
from apps.insight.esg.selectors import WalletWithoutLei
from apps.insight.reports.definitions import ReportRequest, ReportSubject
from apps.insight.reports.serializers.queries import first_day_of_month, first_day_of_next_month
from apps.reference.watchlists import engine


def resolve_world(*, asked: ReportRequest, now: datetime) -> ReportSubject:
    """Return the subject of reports that ask for nothing: the world today."""
    return ReportSubject(key=("world",), title=f"{now:%-d %B %Y}", period=f"{now:%Y-%m-%d}")


def resolve_entity(*, asked: ReportRequest, now: datetime) -> ReportSubject:
    """Return the entity of an LEI, or of the registration of a wallet, which is read each time.

    NotRegistered, WalletWithoutLei (404), RegistrationIntegrityError (503).
    """
    lei = asked.get("lei") or _find_registered_lei(asked["address"])
    return ReportSubject(
        key=("entity", lei), title=f"LEI {lei}", period=f"{now:%Y-%m-%d}", request={"lei": lei}
    )


def _find_registered_lei(address: str) -> str:
    row = Registration.objects.of(address)
    if row is None:
        raise NotRegistered("This wallet has no active registration.")
    verify_registrations([row])
    if not row.counted_lei:
        raise WalletWithoutLei("This wallet has no LEI on record, or its LEI is under review.")
    return row.counted_lei


def resolve_party(*, asked: ReportRequest, now: datetime) -> ReportSubject:
    """Return the party of an LEI, a name, or both, held to the lists as they are now.

    A report on it does not outlive its lists. ListsUnavailable, ListsStale (503).
    """
    lists = engine.load_current_engine(now)
    versions = (lists.list_set.id, *lists.lacking("sanction", "pep"))
    lei, name = asked.get("lei", ""), asked.get("name", "")
    party = {"lei": lei, "name": name}
    title = f"{name} (LEI {lei})" if name and lei else name or f"LEI {lei}"
    return ReportSubject(
        key=("party", lei, name, *versions), title=title, period=f"{now:%Y-%m-%d}", request=party
    )


def _normalize_wallet(wallet: str) -> str:
    """Return a wallet that pays as payments have it; an empty text for none."""
    return wallets.parse_wallet(wallet).address if wallet else ""


def resolve_month(*, asked: ReportRequest, now: datetime) -> ReportSubject:
    """Return a month: of the institution whose key came with the payment, else of the network.

    For the current month nothing about the network is disclosed: without a key the report is about
    the paying wallet.
    """
    first, account = first_day_of_month(asked.get("period"), today=now.date()), asked["account"]
    until = first_day_of_next_month(first)
    period = f"{first:%Y-%m}"
    payer = "" if account or now.date() >= until else _normalize_wallet(asked["payer"])
    of = (
        tenant_names.load_tenant_name(account)
        if account
        else f"wallet {payer}"
        if payer
        else "the network"
    )
    return ReportSubject(
        key=("month", period, account, payer),
        title=f"{first:%B %Y} of {of}",
        period=period,
        request={
            "first": first.isoformat(),
            "until": until.isoformat(),
            "account": account,
            "payer": payer,
        },
        owner=account or (payer and f"payer:{asked['payer']}"),
    )
