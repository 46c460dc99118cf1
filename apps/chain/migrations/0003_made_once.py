"""First steps bear the id of their order, so that one whose row is gone is not made anew."""

from django.db import migrations, models

from apps.core.appendonly import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("chain", "0002_found_by")]

    operations = [
        migrations.AddField(
            model_name="chainevent",
            name="made",
            field=models.UUIDField(null=True, unique=True),
        ),
        AppendOnly("ChainEvent"),
    ]
