"""Stored answers carry a MAC; those that are still kept get theirs as they stand."""

from typing import Any

from django.db import migrations, models

from apps.core import macs
from apps.core.idempotency import said


def stamp(apps: Any, editor: Any) -> None:
    """Give their MACs to the answers of the last day: clients may still ask for them."""
    answered = apps.get_model("core", "IdempotentCall").objects.exclude(status=None)
    for row in answered.iterator(1000):
        row.mac_key, row.mac = macs.made(said(row, row.status, row.answer))
        row.save(update_fields=["mac_key", "mac"])


class Migration(migrations.Migration):
    dependencies = [("core", "0003_heads_hourly")]

    operations = [
        migrations.AddField(
            model_name="idempotentcall",
            name="mac",
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name="idempotentcall",
            name="mac_key",
            field=models.CharField(blank=True, max_length=20),
        ),
        migrations.RunPython(stamp, migrations.RunPython.noop),
    ]
