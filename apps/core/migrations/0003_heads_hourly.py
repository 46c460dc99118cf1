from django.db import migrations

DAY, HOUR = 86400, 3600


def hourly(apps, schema_editor):
    """Export heads every hour where nobody gave them a rhythm of their own."""
    periodic = apps.get_model("core", "Periodic")._default_manager
    periodic.filter(name="core.export_heads", every_seconds=DAY).update(every_seconds=HOUR)


class Migration(migrations.Migration):

    dependencies = [("core", "0002_ledger_macs")]

    operations = [migrations.RunPython(hourly, migrations.RunPython.noop)]
