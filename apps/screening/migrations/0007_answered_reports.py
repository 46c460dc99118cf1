from django.db import migrations, models

from apps.core.appendonly import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('screening', '0006_find_earlier_by_reference'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReportRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payload', models.TextField()),
                ('salt', models.CharField(max_length=32)),
                ('recorded_at', models.DateTimeField()),
                ('mac_key', models.CharField(editable=False, max_length=20, null=True)),
                ('mac', models.CharField(editable=False, max_length=64, null=True)),
                ('kind', models.CharField(choices=[('PEP', 'PEP report'), ('UBO', 'Ownership')], max_length=3)),
                ('owner', models.CharField(max_length=80)),
                ('result', models.CharField(max_length=20)),
                ('kept', models.BooleanField()),
            ],
            options={
                'verbose_name': 'report',
                'ordering': ['-pk'],
                'default_permissions': ('view',),
                'indexes': [models.Index(fields=['owner', '-id'], name='reportrecord_owner')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['PEP', 'UBO'])), name='reportrecord_kind_known')],
            },
        ),
        AppendOnly('ReportRecord'),
    ]
