"""A payment whose settlement was called off has a state of its own."""

from typing import Any, ClassVar

from django.db import migrations, models

STATES = (
    "SEEN", "WAITING", "HELD", "ROUTED", "SETTLED", "EXPIRED", "CALLED_OFF", "HALTED", "REFUSED",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [("banking", "0004_kept_for_good")]

    operations: ClassVar[list[Any]] = [
        migrations.RemoveConstraint(model_name="banktransaction", name="bank_transaction_state"),
        migrations.AddConstraint(
            model_name="banktransaction",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", STATES)), name="bank_transaction_state"
            ),
        ),
    ]
