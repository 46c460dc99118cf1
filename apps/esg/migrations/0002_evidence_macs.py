"""Figures carry a MAC; those that are held get theirs as they stand."""

from typing import Any

from django.db import migrations, models

from apps.core.appendonly import AppendOnly, names
from apps.core import macs
from apps.esg.models import said


def stamp(apps: Any, editor: Any) -> None:
    """Give every figure its MAC: the triggers are made anew behind this."""
    model = apps.get_model("esg", "Evidence")
    table, vendor = model._meta.db_table, editor.connection.vendor
    on = f' ON "{table}"' if vendor == "postgresql" else ""
    for name in sorted(names(table, vendor)):
        editor.execute(f'DROP TRIGGER IF EXISTS "{name}"{on}', params=None)
    batch = []
    for row in model._default_manager.order_by("pk").iterator(1000):
        row.mac_key, row.mac = macs.made(said(row))
        batch.append(row)
    model._default_manager.bulk_update(batch, ["mac_key", "mac"], batch_size=250)


class Migration(migrations.Migration):
    dependencies = [("esg", "0001_evidence_and_scores")]

    operations = [
        migrations.AddField(
            model_name="evidence",
            name="mac_key",
            field=models.CharField(default="", editable=False, max_length=20),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="evidence",
            name="mac",
            field=models.CharField(default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(stamp, migrations.RunPython.noop),
        AppendOnly("Evidence"),
    ]
