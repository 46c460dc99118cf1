"""Screening that goes on."""

from django.apps import AppConfig


class OngoingConfig(AppConfig):
    name = "apps.compliance.ongoing"
    verbose_name = "Screening that goes on"
