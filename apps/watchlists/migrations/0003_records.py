from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.clock import now
from apps.core.stamping import write_as
from apps.watchlists.digests import of_version


def record_what_is_live(apps, schema_editor):
    """Versions that went live before have records too: what is listed at the upgrade counts."""
    records, moment = apps.get_model("watchlists", "ListRecord"), now()
    states = apps.get_model("watchlists", "EntityState")._default_manager
    versions = apps.get_model("watchlists", "ListVersion")._default_manager
    went_live = versions.filter(status__in=["live", "superseded"]).select_related("source")
    for version in went_live.order_by("source", "sequence"):
        source = version.source
        write_as(
            records,
            ledger="lists",
            payload={
                "enabled": source.enabled,
                **of_version(states.filter(source_id=source.pk), version),
            },
            now=moment,
            slug=source.slug,
            sequence=version.sequence,
        )


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_ledger_macs'),
        ('watchlists', '0002_source_changes'),
    ]

    operations = [
        migrations.CreateModel(
            name='ListRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payload', models.TextField()),
                ('salt', models.CharField(max_length=32)),
                ('recorded_at', models.DateTimeField()),
                ('mac_key', models.CharField(editable=False, max_length=20, null=True)),
                ('mac', models.CharField(editable=False, max_length=64, null=True)),
                ('slug', models.CharField(max_length=60)),
                ('sequence', models.PositiveIntegerField(help_text='The version that went live', null=True)),
            ],
            options={
                'verbose_name': 'list record',
                'default_permissions': ('view',),
            },
        ),
        migrations.RunPython(record_what_is_live, migrations.RunPython.noop),
        AppendOnly("ListRecord"),
    ]
