from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.stamping import StampRecords


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_ledger_macs'),
        ('sar', '0002_filings'),
    ]

    operations = [
        migrations.AddField(
            model_name='filingevent',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='filingevent',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        migrations.AddField(
            model_name='sarentry',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='sarentry',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        migrations.AddField(
            model_name='sarread',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='sarread',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        StampRecords("SarEntry"),
        AppendOnly("SarEntry"),
        StampRecords("FilingEvent"),
        AppendOnly("FilingEvent"),
        StampRecords("SarRead"),
        AppendOnly("SarRead"),
    ]
