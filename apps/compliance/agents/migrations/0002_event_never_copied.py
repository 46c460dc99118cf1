"""Refuse copies of an agent's records: a copy has a valid MAC."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0001_initial")]

    operations = [
        migrations.AddConstraint(
            "agentevent",
            models.UniqueConstraint(
                fields=["agent", "salt"],
                condition=models.Q(("salt", ""), _negated=True),
                name="agent_event_never_copied",
            ),
        ),
    ]
