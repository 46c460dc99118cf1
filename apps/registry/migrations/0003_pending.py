
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('registry', '0002_imports'),
    ]

    operations = [
        migrations.AddField(
            model_name='registration',
            name='pending',
            field=models.JSONField(blank=True, default=dict, help_text='What counts only once the review has ended: `names`, `lei`, `entity`'),
        ),
    ]
