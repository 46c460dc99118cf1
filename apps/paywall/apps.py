from django.apps import AppConfig


class PaywallConfig(AppConfig):
    name = "apps.paywall"
    verbose_name = "Payments"
