"""Months of accounts as people say them, in templates."""

from django import template

from apps.access.metering import month_said

register = template.Library()
register.filter("month", month_said)
