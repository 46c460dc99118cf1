"""One transaction may settle several settlements, and the ledger knows their references."""

from django.db import migrations, models

from apps.core.appendonly import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("settlement", "0001_settlement")]

    operations = [
        migrations.RemoveConstraint(model_name="settlement", name="set_transfer_once"),
        migrations.AddField(
            model_name="settlement",
            name="tx_place",
            field=models.PositiveIntegerField(
                default=0, help_text="Of the transfer, among its logs"
            ),
        ),
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.UniqueConstraint(
                condition=models.Q(("tx_hash", ""), _negated=True),
                fields=("tx_hash", "tx_place"),
                name="set_transfer_once",
            ),
        ),
        migrations.AddField(
            model_name="settlementevent",
            name="reference_key",
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddConstraint(
            model_name="settlementevent",
            constraint=models.UniqueConstraint(
                condition=models.Q(("reference_key__isnull", False)),
                fields=("reference_key",),
                name="set_reference_recorded_once",
            ),
        ),
        AppendOnly("SettlementEvent"),
    ]
