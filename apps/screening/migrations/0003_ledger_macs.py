from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.stamping import StampRecords


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_ledger_macs'),
        ('screening', '0002_countries_leave'),
    ]

    operations = [
        migrations.AddField(
            model_name='screen',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='screen',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        StampRecords("Screen"),
        AppendOnly("Screen"),
    ]
