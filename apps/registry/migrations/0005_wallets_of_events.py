"""Events bear their wallet, so that a row that left its wallet is missed there.

What stands is recorded once more, with its wallet: recorded events cannot be changed.
"""

import json
import secrets
from collections.abc import Iterator
from typing import Any

from django.db import migrations, models
from django.db.models import Max

from apps.core import macs
from apps.core.appendonly import AppendOnly
from apps.core.batches import chunks
from apps.core.canonical import canonical
from apps.core.clock import now
from apps.core.ledger import _said, content_of, envelope_of, stamp

LEDGER = "registrations"
LEAVE = ("payload", "salt")
BATCH = 500
WHY = "Recorded once more, with its wallet."


def record_again(apps: Any, editor: Any) -> None:
    """Append an event to each registration that stands by its last event, if that is ours."""
    model = apps.get_model("registry", "RegistrationEvent")
    newest = model.objects.order_by().values("registration_id").annotate(newest=Max("pk"))
    # read whole first: what is written below would be found again
    for batch in chunks(list(newest.values_list("newest", flat=True)), BATCH):
        events = model.objects.filter(pk__in=batch).order_by("pk")
        model.objects.bulk_create(list(_again(model, events)))


def _again(model: Any, events: Any) -> Iterator[Any]:
    for one in events:
        stands = json.loads(one.payload).get("stands") if one.payload else None
        said = _said(LEDGER, envelope_of(one, leave=LEAVE), content_of(one))
        if not (stands and stands["active"]) or macs.fault(
            key_id=one.mac_key, mac=one.mac, said=said
        ):
            continue
        record = model(
            payload=canonical({"stands": stands, "reason": WHY}).decode("utf-8"),
            salt=secrets.token_hex(16),
            recorded_at=now(),
            registration_id=one.registration_id,
            action="NOT_ENTITY",  # in words: the entity is not changed
            wallet=stands["wallet"],
        )
        stamp(record, ledger=LEDGER, content=content_of(record), leave=LEAVE)
        yield record


class Migration(migrations.Migration):
    dependencies = [("registry", "0004_since_when")]

    operations = [
        migrations.AddField(
            model_name="registrationevent",
            name="wallet",
            field=models.CharField(max_length=128, null=True),
        ),
        migrations.AddIndex(
            model_name="registrationevent",
            index=models.Index(fields=["wallet", "-id"], name="registration_event_of_wallet"),
        ),
        AppendOnly("RegistrationEvent"),
        migrations.RunPython(record_again, migrations.RunPython.noop),
    ]
