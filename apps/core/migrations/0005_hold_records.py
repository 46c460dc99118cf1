from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.stamping import write_as


def record_what_stands(apps, schema_editor):
    """Holds that were there before have records too, of the moments that they state."""
    records = apps.get_model("core", "HoldEvent")
    for hold in apps.get_model("core", "LegalHold").objects.order_by("pk"):
        of = {"hold": hold.pk, "of_ledger": hold.ledger, "record_id": hold.record_id}
        steps = [("PLACED", hold.reason, hold.placed_by, hold.placed_at)]
        if hold.lifted_at:
            steps.append(("LIFTED", hold.lifted_why, hold.lifted_by, hold.lifted_at))
        for action, why, by, at in steps:
            write_as(
                records, ledger="holds", payload={"reason": why}, now=at, action=action, by=by, **of
            )


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0004_answer_macs'),
    ]

    operations = [
        migrations.AddField(
            model_name='legalhold',
            name='lifted_why',
            field=models.CharField(blank=True, max_length=500),
        ),
        migrations.CreateModel(
            name='HoldEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payload', models.TextField()),
                ('salt', models.CharField(max_length=32)),
                ('recorded_at', models.DateTimeField()),
                ('mac_key', models.CharField(editable=False, max_length=20, null=True)),
                ('mac', models.CharField(editable=False, max_length=64, null=True)),
                ('hold', models.BigIntegerField()),
                ('of_ledger', models.CharField(max_length=40)),
                ('record_id', models.BigIntegerField()),
                ('action', models.CharField(choices=[('PLACED', 'Placed'), ('LIFTED', 'Lifted')], max_length=6)),
                ('by', models.CharField(max_length=150)),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('hold', 'action'), name='hold_event_once')],
            },
        ),
        migrations.RunPython(record_what_stands, migrations.RunPython.noop),
        AppendOnly("HoldEvent"),
    ]
