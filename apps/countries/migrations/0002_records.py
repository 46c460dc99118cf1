from datetime import UTC

import django.db.models.deletion
from django.db import migrations, models

from apps.core.appendonly import AppendOnly
from apps.core.clock import now
from apps.core.stamping import write_as


def record_what_is_listed(apps, schema_editor):
    """Spells that were there before have records too: what is listed at the upgrade counts."""
    records, moment = apps.get_model("countries", "ListingRecord"), now()
    for listing in apps.get_model("countries", "CountryListing").objects.order_by("pk"):
        write_as(
            records,
            ledger="country_listings",
            payload={
                "until": listing.until.isoformat() if listing.until else None,
                "source": listing.source,
                "recordedAt": listing.recorded_at.astimezone(UTC).isoformat(),
                "endedAt": listing.ended_at.astimezone(UTC).isoformat()
                if listing.ended_at
                else None,
            },
            now=moment,
            list=listing.list,
            country=listing.country,
            since=listing.since,
        )


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_ledger_macs'),
        ('countries', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='ListingRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payload', models.TextField()),
                ('salt', models.CharField(max_length=32)),
                ('recorded_at', models.DateTimeField()),
                ('mac_key', models.CharField(editable=False, max_length=20, null=True)),
                ('mac', models.CharField(editable=False, max_length=64, null=True)),
                ('list', models.CharField(choices=[('FATF_CALL_FOR_ACTION', 'FATF call for action'), ('FATF_INCREASED_MONITORING', 'FATF increased monitoring'), ('EU_HIGH_RISK', 'EU high-risk third countries')], max_length=25)),
                ('country', models.CharField(max_length=2)),
                ('since', models.DateField()),
                ('change', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='records', to='countries.countrychange')),
            ],
            options={
                'verbose_name': 'country listing record',
                'default_permissions': ('view',),
                'indexes': [models.Index(fields=['list', 'country', 'since'], name='listing_record_spell')],
            },
        ),
        migrations.RunPython(record_what_is_listed, migrations.RunPython.noop),
        AppendOnly("ListingRecord"),
    ]
