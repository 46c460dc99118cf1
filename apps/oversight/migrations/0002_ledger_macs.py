from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.stamping import StampRecords


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_ledger_macs'),
        ('oversight', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='exportevent',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='exportevent',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        migrations.AddField(
            model_name='readevent',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='readevent',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='secondlook',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        StampRecords("ReadEvent"),
        AppendOnly("ReadEvent"),
        StampRecords("ExportEvent"),
        AppendOnly("ExportEvent"),
        StampRecords("SecondLook"),
        AppendOnly("SecondLook"),
    ]
