"""The country listings, whose tables came from the screening app."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('screening', '0002_countries_leave'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='CountryListing',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('list', models.CharField(choices=[('FATF_CALL_FOR_ACTION', 'FATF call for action'), ('FATF_INCREASED_MONITORING', 'FATF increased monitoring'), ('EU_HIGH_RISK', 'EU high-risk third countries')], max_length=25)),
                        ('country', models.CharField(help_text='ISO 3166-1 alpha-2', max_length=2)),
                        ('since', models.DateField(verbose_name='from')),
                        ('until', models.DateField(blank=True, null=True)),
                        ('source', models.CharField(max_length=300)),
                        ('recorded_at', models.DateTimeField()),
                        ('ended_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ['list', 'country', 'since'],
                        'constraints': [models.UniqueConstraint(fields=('list', 'country', 'since'), name='country_listing_spell'), models.UniqueConstraint(condition=models.Q(('until__isnull', True)), fields=('list', 'country'), name='country_listing_one_open'), models.CheckConstraint(condition=models.Q(('until__isnull', True), ('until__gt', models.F('since')), _connector='OR'), name='country_listing_order'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('until__isnull', True)), models.Q(('ended_at__isnull', False), ('until__isnull', False)), _connector='OR'), name='country_listing_end_recorded')],
                    },
                ),
                migrations.CreateModel(
                    name='CountryChange',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('kind', models.CharField(choices=[('ADD', 'Put on the list'), ('END', 'Take off the list')], max_length=3)),
                        ('list', models.CharField(choices=[('FATF_CALL_FOR_ACTION', 'FATF call for action'), ('FATF_INCREASED_MONITORING', 'FATF increased monitoring'), ('EU_HIGH_RISK', 'EU high-risk third countries')], max_length=25)),
                        ('country', models.CharField(help_text='ISO 3166-1 alpha-2', max_length=2)),
                        ('effective', models.DateField(help_text='First day on the list, or first day off it')),
                        ('source', models.CharField(help_text='Statement or act, with its date', max_length=300)),
                        ('reason', models.CharField(blank=True, max_length=500)),
                        ('state', models.CharField(choices=[('PROPOSED', 'Proposed'), ('APPROVED', 'Approved'), ('REJECTED', 'Rejected')], default='PROPOSED', max_length=8)),
                        ('proposed_at', models.DateTimeField()),
                        ('decided_at', models.DateTimeField(blank=True, null=True)),
                        ('note', models.CharField(blank=True, max_length=500)),
                        ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('proposed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'permissions': [('propose_countrychange', 'Can propose a change of country listings'), ('decide_countrychange', "Can approve or reject another's proposal")],
                        'constraints': [models.CheckConstraint(condition=models.Q(('decided_by__isnull', True), models.Q(('decided_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='country_change_four_eyes'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at__isnull', True), ('decided_by__isnull', True), ('state', 'PROPOSED')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state__in', ['APPROVED', 'REJECTED'])), _connector='OR'), name='country_change_decided_by_somebody'), models.UniqueConstraint(condition=models.Q(('state', 'PROPOSED')), fields=('list', 'country'), name='country_change_one_pending')],
                    },
                ),
            ],
        ),
    ]
