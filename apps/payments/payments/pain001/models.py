"""Payment files: a message of many transactions, its bytes, and what became of each."""

import uuid
import zlib
from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import F, Q

from apps.access.keys.models import Account
from apps.payments.callbacks.models.endpoints import LONGEST_URL
from apps.platform.crypto import macs

# bytes before compression: a row stays small, and a runner holds one piece at a time
PIECE = 256 * 1024


class Outcome(models.TextChoices):
    """What became of a transaction of a file."""

    TAKEN = "TAKEN", "A payment"
    REFUSED = "REFUSED", "Refused"


class FileQuerySet(models.QuerySet["PaymentFile"]):
    def of(self, owner: str) -> Self:
        """Return the files of an institution (`account:7`)."""
        return self.filter(owner=owner)


class PaymentFile(models.Model):
    """A message, accepted once per institution and MsgId, and processed in batches.

    `done` counts the judged transactions; each batch compares it as it commits, so that of two
    runners one wins and a killed one leaves nothing half done. `mac` covers the accepted message,
    under a key that the database does not hold: payments are made from that, and nothing else.
    """

    file_id = models.UUIDField(unique=True, default=uuid.uuid4)
    owner = models.CharField(max_length=80, help_text="The institution, as `account:7`")
    message_id = models.CharField("MsgId", max_length=35)
    digest = models.CharField("SHA-256", max_length=64)
    kind = models.CharField(max_length=4, help_text="XML or JSON")
    version = models.CharField(max_length=20)
    size = models.PositiveIntegerField(help_text="Bytes")
    created = models.CharField("CreDtTm", max_length=40, help_text="As the message has it")
    initiator = models.CharField(max_length=140, blank=True)
    total = models.PositiveIntegerField(help_text="Transactions")
    amounts = models.CharField(max_length=60, help_text="Their sum, whatever the currencies")
    in_name = models.BooleanField(default=False)
    done = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True)
    received_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    mac_key = models.CharField(max_length=macs.LONGEST_ID, blank=True, editable=False)
    mac = models.CharField(max_length=64, blank=True, editable=False)

    objects = FileQuerySet.as_manager()

    class Meta:
        verbose_name = "payment file"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["owner", "message_id"], name="pay_file_once"),
            models.CheckConstraint(
                condition=Q(done__lte=F("total"), refused__lte=F("done")), name="pay_file_counts"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "-id"], name="pay_file_owner"),
            models.Index(fields=["received_at"], name="pay_file_received"),
        ]

    def __str__(self) -> str:
        return f"{self.message_id} of {self.owner}"

    @property
    def taken(self) -> int:
        """How many of its transactions became payments."""
        return self.done - self.refused

    @property
    def state(self) -> str:
        """Its progress: WORKING, STOPPED if processing cannot continue, DONE."""
        if self.finished_at is not None:
            return "DONE"
        return "STOPPED" if self.trouble else "WORKING"

    def advanced(self, *, by: int, refused: int, now: datetime) -> bool:
        """Count a batch as judged, by compare-and-set; False where another runner was first."""
        payment_files = PaymentFile.objects.filter(pk=self.pk, done=self.done)
        changes: dict[str, Any] = {"done": self.done + by, "refused": self.refused + refused}
        if self.done + by == self.total:
            changes["finished_at"] = now
        won = bool(payment_files.update(**changes))
        if won:
            for name, value in changes.items():
                setattr(self, name, value)
        return won

    def stamp(self) -> None:
        """Set the MAC of the message as received."""
        self.mac_key, self.mac = macs.make_mac(self._came())

    @property
    def fault(self) -> str:
        """Why the message cannot be verified as received, or an empty text."""
        return macs.find_mac_fault(key_id=self.mac_key, mac=self.mac, said=self._came())

    def _came(self) -> dict[str, Any]:
        names = ("owner", "message_id", "digest", "kind", "version", "total", "in_name")
        fields = {name: getattr(self, name) for name in names}
        return {
            "what": "payment file",
            "fileId": str(self.file_id),
            "created": self.created,
        } | fields

    def keep(self, raw: bytes) -> None:
        """Store the received bytes, compressed piece by piece."""
        FilePiece.objects.bulk_create(
            FilePiece(file=self, number=number, packed=zlib.compress(raw[at : at + PIECE]))
            for number, at in enumerate(range(0, len(raw), PIECE))
        )

    def pieces(self) -> Iterator[bytes]:
        """Yield the received bytes, piece by piece."""
        # numbers first, then one row at a time: only one piece is held
        for number in self.raw.order_by("number").values_list("number", flat=True):
            yield zlib.decompress(
                bytes(self.raw.values_list("packed", flat=True).get(number=number))
            )


class FilePiece(models.Model):
    """A piece of the bytes of a file, packed."""

    file = models.ForeignKey(PaymentFile, on_delete=models.CASCADE, related_name="raw")
    number = models.PositiveIntegerField()
    packed = models.BinaryField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["file", "number"], name="pay_piece_once")
        ]

    def __str__(self) -> str:
        return f"piece {self.number} of file {self.file_id}"


class FileTransaction(models.Model):
    """A transaction of a file that was judged; `faults` are `{code, text, path, line}`.

    `more` is what the native instruction has no place for (docs/pain001.md).
    """

    file = models.ForeignKey(PaymentFile, on_delete=models.CASCADE, related_name="transactions")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=7, choices=Outcome)
    payment_info_id = models.CharField(max_length=35)
    instruction_id = models.CharField(max_length=35, blank=True)
    end_to_end_id = models.CharField(max_length=35)
    uetr = models.CharField(max_length=36)
    amount = models.CharField(max_length=30, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    creditor = models.CharField(max_length=140, blank=True)
    payment_id = models.UUIDField(null=True)
    faults = models.JSONField(default=list, blank=True)
    more = models.JSONField(default=dict, blank=True)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["file", "number"], name="pay_file_line_once"),
            models.CheckConstraint(
                condition=Q(outcome="TAKEN", payment_id__isnull=False)
                | Q(outcome="REFUSED", payment_id=None),
                name="pay_file_line_outcome",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["file", "outcome", "number"], name="pay_file_line_outcome"),
            models.Index(fields=["payment_id"], name="pay_file_line_payment"),
        ]

    def __str__(self) -> str:
        return f"transaction {self.number} of file {self.file_id}"


class SenderProfile(models.Model):
    """How an institution writes its messages; without one the defaults of docs/pain001.md hold."""

    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="+")
    initiators = models.JSONField(
        default=list, blank=True, help_text="LEIs and other ids of the initiating party; empty: any"
    )
    wallet_in_name = models.BooleanField(
        default=False, help_text="In .03 and .08, CdtrAcct/Nm may be WALLET: and an address"
    )

    callback_url = models.CharField(
        max_length=LONGEST_URL, blank=True, help_text="Address that is called when its payments end"
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"messages of {self.account_id}"

    @property
    def known(self) -> frozenset[str]:
        """Return the ids of initiating parties that it may send for; empty: any."""
        return frozenset(str(initiator).upper() for initiator in self.initiators)


def load_sender_profile(owner: str) -> SenderProfile:
    """Return an institution's message conventions; the defaults if none are set."""
    account = owner.rpartition(":")[2]
    return SenderProfile.objects.filter(account_id=account).first() or SenderProfile()
