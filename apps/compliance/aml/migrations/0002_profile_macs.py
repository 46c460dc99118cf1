"""Adds the MAC of wallet profiles, and signs those that are there as they stand."""

from typing import Any

from django.db import migrations, models

from apps.platform.common.batches import iter_chunks
from apps.platform.crypto import macs

ROWS_AT_ONCE = 500


def sign_profiles(apps: Any, schema_editor: Any) -> None:
    """Sign the profiles that screens have touched; verify_ledger says of each what it was."""
    from apps.compliance.aml.models import WalletProfile as Signed

    profiles = apps.get_model("aml", "WalletProfile").objects
    columns = [field.attname for field in profiles.model._meta.concrete_fields]
    for rows in iter_chunks(profiles.order_by("pk").iterator(ROWS_AT_ONCE), ROWS_AT_ONCE):
        for row in rows:
            signed = Signed(**{name: getattr(row, name) for name in columns})
            signed.sign()
            row.mac_key, row.mac = signed.mac_key, signed.mac
        profiles.bulk_update(rows, ["mac_key", "mac"])


class Migration(migrations.Migration):
    dependencies = [("aml", "0001_initial")]

    operations = [
        migrations.AddField(
            "walletprofile",
            "mac_key",
            models.CharField(blank=True, default="", editable=False, max_length=macs.LONGEST_ID),
            preserve_default=False,
        ),
        migrations.AddField(
            "walletprofile",
            "mac",
            models.CharField(blank=True, default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(sign_profiles, migrations.RunPython.noop),
    ]
