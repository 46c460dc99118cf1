"""Changes of the directory: one officer proposes an entry as it is to stand, another decides."""

from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from apps.callbacks.addresses import BadUrl, check_url
from apps.core.jobs import enqueue
from apps.core.problems import Conflict
from apps.desk.rules import LONGEST_REASON, text_fault
from apps.registry import wallets
from apps.travelrule import sealing
from apps.travelrule.directory import keys
from apps.travelrule.directory.looking import proved
from apps.travelrule.ivms import DIALECTS
from apps.travelrule.models import Served, Vasp, VaspChange, VaspKey, VaspRecord
from apps.travelrule.rules import directory as rules

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SEND_LATER = "travelrule.send_later"


class DirectoryConflict(Conflict):
    """The change contradicts what stands in the directory, or what is decided."""

    code, title = "directory_conflict", "The directory cannot be changed so"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret as it is kept, made as soon as it was typed."""

    key_id: str
    sealed: str
    under: str


def normal(stated: dict[str, Any]) -> dict[str, Any]:
    """Return what is stated of an entry in its one form; wallets and LEIs sorted, each once."""
    found = {name: stated[name] for name in rules.STATED}
    found["wallets"] = sorted({_wallet(one) for one in stated["wallets"]})
    found["leis"] = sorted({one.upper() for one in stated["leis"]})
    return found | {"lei": stated["lei"].upper(), "name": stated["name"].strip()}


def _wallet(text: str) -> str:
    try:
        return wallets.read(text).address
    except wallets.BadWallet:
        return text


def faults(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return field and sentence for what may not stand so; `stated` as `normal` gives it."""
    found = list(rules.faults(stated, dialects=DIALECTS))
    try:
        check_url(url=stated["endpoint"])
    except BadUrl as error:
        found.append(("endpoint", str(error).replace("callback address", "endpoint")))
    for one in stated["wallets"]:
        try:
            wallets.read(one)
        except wallets.BadWallet as error:
            found.append(("wallets", f"{one[:60]!r}: {error}"))
    return found


def sealed(secret: str, *, lei: str) -> Sealed:
    """Return a typed secret as it is kept, bound to its VASP."""
    text, under = sealing.kept(secret.encode(), of=keys.bound(lei))
    return Sealed(keys.id_of(secret), text, under)


def draft(*, stated: dict[str, Any], reason: str, new_key: str, drop_older: bool) -> VaspChange:
    """Return a proposal that is not stored; DirectoryConflict for what may not stand so."""
    stated = normal(stated)
    for _, sentence in faults(stated):
        raise DirectoryConflict(sentence)
    held = Vasp.objects.filter(lei=stated["lei"]).first()
    if not held and not new_key:
        raise DirectoryConflict("A new entry needs the secret that is shared with the VASP.")
    if held and not new_key and not drop_older and held.stated() == stated:
        raise DirectoryConflict("It stands so already: nothing would change.")
    return VaspChange(
        **stated,
        based_on=held.version if held else 0,
        new_key=new_key,
        drop_older=drop_older,
        reason=reason,
    )


def propose(
    *,
    stated: dict[str, Any],
    reason: str,
    by: "User",
    now: datetime,
    key: Sealed | None = None,
    drop_older: bool = False,
) -> VaspChange:
    """Propose an entry as it is to stand; DirectoryConflict when that cannot be.

    `key` is a further secret: the one before it stays live, unless `drop_older`.
    """
    if fault := text_fault(reason, most=LONGEST_REASON):
        raise DirectoryConflict(f"The reason: {fault}")
    change = draft(
        stated=stated, reason=reason, new_key=key.key_id if key else "", drop_older=drop_older
    )
    change.proposed_by, change.proposed_at = by, now
    try:
        with transaction.atomic():
            change.save()
            if key:
                VaspKey.objects.create(
                    lei=change.lei, key_id=key.key_id, sealed=key.sealed, under=key.under,
                    created_at=now,
                )  # fmt: skip
            change.opened(by=by, now=now)
    except IntegrityError as error:
        raise DirectoryConflict(
            "A change of this entry is proposed already, or its secret is in use."
        ) from error
    return change


@transaction.atomic
def approve(*, change: VaspChange, by: "User", now: datetime, note: str = "") -> Vasp:
    """Put an entry into force as another officer; DirectoryConflict when it moved on since.

    Also when the entry that stands is not as it was recorded. Records of the last days whose
    creditors it serves are sent from its first day on.
    """
    change.settle(approved=True, by=by, note=note, now=now, refused=DirectoryConflict)
    held = Vasp.objects.select_for_update().filter(lei=change.lei).first()
    if (held.version if held else 0) != change.based_on:
        raise DirectoryConflict("The entry was changed since: propose it anew.")
    if held and not proved([held]):
        raise DirectoryConflict("The entry is not as it was recorded. Tell an administrator.")
    vasp = held or Vasp(lei=change.lei)
    for name, value in change.stated().items():
        setattr(vasp, name, value)
    vasp.keys = rules.keys_after(vasp.keys, new=change.new_key, drop_older=change.drop_older)
    vasp.version, vasp.changed_at = change.based_on + 1, now
    vasp.save()
    _follow(vasp, change, by, now)
    return vasp


def _follow(vasp: Vasp, change: VaspChange, by: "User", now: datetime) -> None:
    """Write what hangs on an entry: its record, what finds it, its secrets, the job."""
    VaspRecord.write(
        payload={
            "stands": vasp.stands,
            "changeId": change.pk,
            "proposedBy": change.proposed_by.get_username(),
            "approvedBy": by.get_username(),
            "reason": change.reason,
        },
        now=now,
        lei=vasp.lei,
        version=vasp.version,
    )
    vasp.served.all().delete()
    found = dict.fromkeys([*vasp.wallets, *vasp.leis])
    Served.objects.bulk_create(Served(vasp=vasp, what=one) for one in found)
    VaspKey.objects.filter(lei=vasp.lei).exclude(key_id__in=vasp.keys).delete()
    first = datetime.combine(vasp.valid_from, time(0), tzinfo=UTC)
    enqueue(job=SEND_LATER, key=f"{vasp.pk}/{vasp.version}", now=now, eta=max(now, first))


@transaction.atomic
def reject(*, change: VaspChange, by: "User", now: datetime, note: str) -> None:
    """Turn a proposal down, with the reason; its secret is destroyed."""
    change.settle(approved=False, by=by, note=note, now=now, refused=DirectoryConflict)
    if change.new_key:
        VaspKey.objects.filter(key_id=change.new_key).delete()
