from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0007_known_extension_waits'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='decisionevent',
            index=models.Index(condition=models.Q(('action', 'OPENED')), fields=['payload'], name='decision_opening'),
        ),
    ]
