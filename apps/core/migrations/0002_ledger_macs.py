from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.stamping import StampRecords


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='purgeevent',
            name='mac',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='purgeevent',
            name='mac_key',
            field=models.CharField(editable=False, max_length=20, null=True),
        ),
        migrations.AddIndex(
            model_name='seal',
            index=models.Index(fields=['ledger', 'content'], name='seal_content'),
        ),
        StampRecords("PurgeEvent"),
        AppendOnly("PurgeEvent"),
    ]
