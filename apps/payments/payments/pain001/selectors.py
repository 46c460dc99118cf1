"""Reads of messages by API: an institution's own alone."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from apps.payments.payments.pain001.models import FileTransaction, PaymentFile
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound


def load_own_file(file_id: UUID, caller: Caller) -> PaymentFile:
    """Return a file of the caller; NotFound for another's, as for an unknown id."""
    payment_file = PaymentFile.objects.of(caller.ref).filter(file_id=file_id).first()
    if payment_file is None:
        raise NotFound(NO_SUCH_ID)
    return payment_file


def list_files(*, asked: Mapping[str, Any], caller: Caller, now: datetime) -> QuerySet[PaymentFile]:
    """Return the caller's files, the newest first."""
    return PaymentFile.objects.of(caller.ref)


def list_file_transactions(
    *, asked: Mapping[str, Any], caller: Caller, now: datetime
) -> QuerySet[FileTransaction]:
    """Return the judged transactions of a file of the caller's."""
    return FileTransaction.objects.filter(file=load_own_file(asked["file_id"], caller))
