from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.clock import now
from apps.core.stamping import write_as
from apps.desk.records import stands

PROPOSALS = (("access", "KeyRequest"), ("countries", "CountryChange"), ("watchlists", "SourceChange"))


def record_what_stands(apps, schema_editor):
    """Proposals that were there before have a record too: how they stand at the upgrade counts."""
    records, moment = apps.get_model("desk", "ProposalRecord"), now()
    for app, name in PROPOSALS:
        for row in apps.get_model(app, name).objects.order_by("pk").iterator():
            write_as(
                records, ledger="proposals", payload={"stands": stands(row)}, now=moment,
                about=f"{app}.{name.lower()}", proposal=row.pk, step="FOUND",
            )


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('access', '0004_key_requests'),
        ('core', '0005_hold_records'),
        ('countries', '0006_events'),
        ('watchlists', '0011_told_by_two'),
    ]

    operations = [
        migrations.CreateModel(
            name='ProposalRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payload', models.TextField()),
                ('salt', models.CharField(max_length=32)),
                ('recorded_at', models.DateTimeField()),
                ('mac_key', models.CharField(editable=False, max_length=20, null=True)),
                ('mac', models.CharField(editable=False, max_length=64, null=True)),
                ('about', models.CharField(help_text='Whose row, as `access.keyrequest`', max_length=60)),
                ('proposal', models.BigIntegerField()),
                ('step', models.CharField(choices=[('FOUND', 'Stood so when proofs began'), ('PROPOSED', 'Proposed'), ('APPROVED', 'Approved'), ('REJECTED', 'Rejected'), ('DRAWN', 'Secret drawn')], max_length=8)),
                ('by', models.CharField(blank=True, help_text='User name', max_length=150)),
                ('shell', models.BooleanField(default=False, verbose_name='at a shell')),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('about', 'proposal', 'step'), name='proposal_record_once')],
            },
        ),
        migrations.RunPython(record_what_stands, migrations.RunPython.noop),
        AppendOnly("ProposalRecord"),
    ]
