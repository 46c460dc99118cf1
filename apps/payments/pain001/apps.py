from django.apps import AppConfig


class Pain001Config(AppConfig):
    name = "apps.payments.pain001"
    label = "pain001"
    verbose_name = "Payment files"
