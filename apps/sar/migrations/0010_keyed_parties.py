"""Parties of matters are found by a keyed digest: nobody who reads the database can try names."""

import json
from importlib import import_module

from django.db import migrations

from apps.core import macs
from apps.core.batches import chunks

BATCH = 500
PARTIES = import_module("apps.sar.migrations.0007_parties_and_clocks")


def rekey(apps, schema_editor):
    """Give every matter the key of its party; one that is purged is found by its record alone."""
    matters = apps.get_model("sar", "SarMatter").objects
    told = matters.select_related("entry").order_by("pk")
    for batch in chunks(told.iterator(BATCH), BATCH):
        for matter in batch:
            entry = matter.entry
            data = json.loads(entry.payload) if entry.payload else {}
            who = PARTIES.who(data, f"{entry.kind} {entry.ref}")
            matter.party_key = macs.keyed(what="party of a SAR matter", of=who)
        matters.bulk_update(batch, ["party_key"], batch_size=BATCH)


class Migration(migrations.Migration):

    dependencies = [
        ('sar', '0009_matches_open_again'),
    ]

    operations = [
        migrations.RunPython(rekey, migrations.RunPython.noop),
    ]
