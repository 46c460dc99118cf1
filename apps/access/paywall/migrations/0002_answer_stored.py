"""Index the payments whose answer is stored, so that the sweep finds old ones."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("paywall", "0001_initial")]

    operations = [
        migrations.AddIndex(
            "paymentclaim",
            models.Index(
                fields=["answered_at"],
                condition=models.Q(("answer", ""), _negated=True),
                name="payment_answer_stored",
            ),
        ),
    ]
