"""Changes of the directory: one officer proposes an entry's new state, another decides."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction

from apps.compliance.payees import wallets
from apps.payments.callbacks.callback_urls import InvalidCallbackUrl, check_callback_url
from apps.payments.travelrule import encryption
from apps.payments.travelrule.directory import shared_secrets
from apps.payments.travelrule.directory.selectors import select_verified_entries
from apps.payments.travelrule.ivms import DIALECTS
from apps.payments.travelrule.models import Served, Vasp, VaspChange, VaspKey, VaspRecord
from apps.payments.travelrule.rules import directory
from apps.platform.common.days import start_of_day
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_text_fault
from apps.platform.desk.versioned_terms import lock_terms
from apps.platform.jobs.job_queue import enqueue_job

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SEND_LATER = "travelrule.send_later"


class DirectoryConflict(Conflict):
    """The change contradicts the current directory or an earlier decision."""

    code, title = "directory_conflict", "The directory cannot be changed as proposed"


@dataclass(frozen=True, slots=True)
class EncryptedSecret:
    """A secret as it is stored."""

    key_id: str
    sealed: str
    under: str


def normalize_entry(stated: dict[str, Any]) -> dict[str, Any]:
    """Return the stated terms of an entry in canonical form; wallets and LEIs sorted, each once."""
    entry = {name: stated[name] for name in directory.ENTRY_FIELDS}
    entry["wallets"] = sorted({wallets.normalize_wallet(wallet) for wallet in stated["wallets"]})
    entry["leis"] = sorted({lei.upper() for lei in stated["leis"]})
    return entry | {"lei": stated["lei"].upper(), "name": stated["name"].strip()}


def find_change_faults(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return field and sentence for each invalid value; `stated` is from `normalize_entry`."""
    entry_faults = list(directory.find_entry_faults(stated, dialects=DIALECTS))
    # names and accounts are sent there: only where callbacks may go, public hosts over HTTPS
    try:
        check_callback_url(url=stated["endpoint"])
    except InvalidCallbackUrl as error:
        entry_faults.append(("endpoint", str(error).replace("callback address", "endpoint")))
    for wallet in stated["wallets"]:
        try:
            wallets.parse_wallet(wallet)
        except wallets.BadWallet as error:
            entry_faults.append(("wallets", f"{wallet[:60]!r}: {error}"))
    return entry_faults


def encrypt_secret(secret: str, *, lei: str) -> EncryptedSecret:
    """Return a typed secret as it is stored, bound to its VASP."""
    text, under = encryption.wrap_secret(secret.encode(), of=shared_secrets.binding_of_vasp(lei))
    return EncryptedSecret(shared_secrets.secret_id_of(secret), text, under)


def draft_change(
    *, stated: dict[str, Any], reason: str, new_key: str, drop_older: bool
) -> VaspChange:
    """Return a proposal that is not stored; DirectoryConflict if it is invalid."""
    stated = normalize_entry(stated)
    for _, sentence in find_change_faults(stated):
        raise DirectoryConflict(sentence)
    vasp = Vasp.objects.filter(lei=stated["lei"]).first()
    if not vasp and not new_key:
        raise DirectoryConflict("A new entry needs the secret shared with the VASP.")
    if vasp and not new_key and not drop_older and vasp.stated() == stated:
        raise DirectoryConflict("No change: these are already the current values.")
    return VaspChange(
        **stated,
        based_on=vasp.version if vasp else 0,
        new_key=new_key,
        drop_older=drop_older,
        reason=reason,
    )


def propose_change(
    *,
    stated: dict[str, Any],
    reason: str,
    by: "User",
    now: datetime,
    key: EncryptedSecret | None = None,
    drop_older: bool = False,
) -> VaspChange:
    """Propose an entry's new state; DirectoryConflict if it is invalid.

    `key` is an additional secret: the previous one stays valid, unless `drop_older`.
    """
    if fault := find_text_fault(reason, most=LONGEST_REASON):
        raise DirectoryConflict(f"The reason: {fault}")
    change = draft_change(
        stated=stated, reason=reason, new_key=key.key_id if key else "", drop_older=drop_older
    )
    try:
        with transaction.atomic():
            if key:
                VaspKey.objects.create(
                    lei=change.lei, key_id=key.key_id, sealed=key.sealed, under=key.under,
                    created_at=now,
                )  # fmt: skip
            change.propose(by=by, now=now)
    # the unique constraint of key ids: a secret that two VASPs share would not tell them apart
    except IntegrityError as error:
        raise DirectoryConflict(
            "A change of this entry is already proposed, or its secret is in use."
        ) from error
    return change


@transaction.atomic
def approve_change(*, change: VaspChange, by: "User", now: datetime, note: str = "") -> Vasp:
    """Put an entry into force as another officer; DirectoryConflict if it has changed since.

    Also if the current entry fails its integrity check. Records of the last days whose creditors it
    serves are sent from its first day on.
    """
    change.settle(approved=True, by=by, note=note, now=now, refused=DirectoryConflict)
    vasp = lock_terms(
        Vasp.objects.all(),
        change,
        of="lei",
        is_altered=lambda entry: entry is not None and not select_verified_entries([entry]),
        refused=DirectoryConflict,
        thing="entry",
    )
    vasp.apply_change(change, now=now)
    vasp.keys = directory.key_ids_after_change(
        vasp.keys, new=change.new_key, drop_older=change.drop_older
    )
    vasp.save()
    VaspRecord.write(
        payload={
            "stands": vasp.stands,
            "changeId": change.pk,
            **change.grounds_of_approval(by),
        },
        now=now,
        lei=vasp.lei,
        version=vasp.version,
    )
    # the index by which entries are found: directory/integrity.py compares it with the entry
    vasp.served.all().delete()
    served = dict.fromkeys([*vasp.wallets, *vasp.leis])
    Served.objects.bulk_create(Served(vasp=vasp, what=identifier) for identifier in served)
    # a secret that verifies nothing any more is destroyed
    VaspKey.objects.filter(lei=vasp.lei).exclude(key_id__in=vasp.keys).delete()
    first = start_of_day(vasp.valid_from)
    enqueue_job(job=SEND_LATER, key=f"{vasp.pk}/{vasp.version}", now=now, eta=max(now, first))
    return vasp


@transaction.atomic
def reject_change(*, change: VaspChange, by: "User", now: datetime, note: str) -> None:
    """Reject a proposal, with the reason; its secret is destroyed."""
    change.settle(approved=False, by=by, note=note, now=now, refused=DirectoryConflict)
    if change.new_key:
        VaspKey.objects.filter(key_id=change.new_key).delete()
