"""Screening that goes on."""

from django.apps import AppConfig


class OngoingConfig(AppConfig):
    name = "apps.ongoing"
    verbose_name = "Screening that goes on"
