"""Observations prove themselves. Those that are there already get their proof here, once."""

from django.db import migrations

from apps.core.appendonly import AppendOnly, names
from apps.core.batches import chunks
from apps.signals import proofs


def lifted(apps, schema_editor):
    """Take the triggers off for as long as this migration runs."""
    vendor = schema_editor.connection.vendor
    on = ' ON "signals_observation"' if vendor == "postgresql" else ""
    for name in sorted(names("signals_observation", vendor)):
        schema_editor.execute(f'DROP TRIGGER IF EXISTS "{name}"{on}', params=None)


def proven(apps, schema_editor):
    """Give the observations of before their proof."""
    rows = apps.get_model("signals", "Observation").objects.order_by("pk")
    statement = "UPDATE signals_observation SET proof = %s WHERE id = %s"
    with schema_editor.connection.cursor() as cursor:
        for some in chunks(list(rows.values_list("pk", flat=True)), 1000):
            found = [(proofs.of(row), row.pk) for row in rows.filter(pk__in=some)]
            cursor.executemany(statement, found)


class Migration(migrations.Migration):

    dependencies = [
        ("signals", "0004_withdrawals"),
    ]

    operations = [
        migrations.RunPython(lifted, migrations.RunPython.noop),
        migrations.AddField(
            model_name="observation",
            name="proof",
            field=proofs.ProofField(
                blank=True,
                db_default="",
                default="",
                help_text="Key and MAC by which it is known that it was kept here",
                max_length=53,
            ),
        ),
        migrations.RunPython(proven, migrations.RunPython.noop),
        AppendOnly("Observation"),
    ]
