import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from apps.core.appendonly import AppendOnly


class Migration(migrations.Migration):

    dependencies = [
        ('oversight', '0002_ledger_macs'),
        ('review', '0005_passed_and_triage'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='secondlook',
            name='look_verdict',
        ),
        migrations.AddField(
            model_name='sample',
            name='agreement',
            field=models.CharField(blank=True, choices=[('SAME', 'Same outcome and reason'), ('REASON', 'Same outcome, another reason'), ('OUTCOME', 'Another outcome')], max_length=8),
        ),
        migrations.AlterField(
            model_name='secondlook',
            name='sample',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='looks', to='oversight.sample'),
        ),
        migrations.AlterField(
            model_name='secondlook',
            name='verdict',
            field=models.CharField(choices=[('BLIND', 'Own verdict'), ('AGREE', 'Agree'), ('DISAGREE', 'Disagree')], max_length=8),
        ),
        migrations.AddConstraint(
            model_name='sample',
            constraint=models.CheckConstraint(condition=models.Q(('agreement', ''), models.Q(('agreement__in', ['SAME', 'REASON', 'OUTCOME']), ('looked_by__isnull', False)), _connector='OR'), name='sample_agreement_known'),
        ),
        migrations.AddConstraint(
            model_name='secondlook',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['BLIND', 'AGREE', 'DISAGREE'])), name='look_verdict'),
        ),
        migrations.AddConstraint(
            model_name='secondlook',
            constraint=models.UniqueConstraint(condition=models.Q(('verdict', 'BLIND'), _negated=True), fields=('sample',), name='look_taken_once'),
        ),
        migrations.AddConstraint(
            model_name='secondlook',
            constraint=models.UniqueConstraint(condition=models.Q(('verdict', 'BLIND')), fields=('sample', 'by'), name='look_blind_once'),
        ),
        AppendOnly("SecondLook"),  # SQLite made the table anew
    ]
