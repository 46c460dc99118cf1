"""Adds the account that the AML screen has as a payment's sender, and fills it."""

from typing import Any

from django.db import migrations, models

from apps.payments.payments.instructions import instruction_from_record

ROWS_AT_ONCE = 1000


def fill_sender_accounts(apps: Any, schema_editor: Any) -> None:
    """Set the column of payments that were accepted before it was there."""
    payments = apps.get_model("payments", "Payment").objects.order_by("pk")
    last = 0
    while rows := list(payments.filter(pk__gt=last).only("instruction", "owner")[:ROWS_AT_ONCE]):
        for payment in rows:
            instruction = instruction_from_record(payment.instruction)
            payment.sender_account = instruction.sender_account(payment.owner)
        payments.bulk_update(rows, ["sender_account"])
        last = rows[-1].pk


class Migration(migrations.Migration):
    dependencies = [("payments", "0001_initial")]

    operations = [
        migrations.AddField(
            "payment",
            "sender_account",
            models.CharField(
                default="", help_text="Whom the AML screen has as the sender", max_length=128
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill_sender_accounts, migrations.RunPython.noop),
        migrations.AddIndex(
            "payment",
            models.Index(
                condition=models.Q(("state", "SUBMITTED")),
                fields=["sender_account"],
                name="pay_unchecked",
            ),
        ),
        migrations.AddIndex(
            "payment",
            models.Index(
                condition=models.Q(("state", "SUBMITTED")),
                fields=["creditor_wallet"],
                name="pay_unchecked_to",
            ),
        ),
    ]
