"""Registrations are found by their aliases: rows that stand get what they are found by."""

from itertools import islice

from django.db import migrations, models

from apps.registry.models.registrations import alias_keys

BATCH = 500


def fill(apps, schema_editor):
    """Give each registration with aliases their keys, some rows at a time."""
    rows = apps.get_model("registry", "Registration").objects
    found = rows.exclude(aliases=[]).only("aliases").order_by("pk").iterator(BATCH)
    while some := list(islice(found, BATCH)):
        for row in some:
            row.alias_keys = alias_keys(row.aliases)
        rows.bulk_update(some, ["alias_keys"])


class Migration(migrations.Migration):
    dependencies = [("registry", "0007_events_never_copied")]

    operations = [
        migrations.AddField("registration", "alias_keys", models.TextField(blank=True, default="")),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
