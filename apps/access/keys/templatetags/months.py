"""Months of accounts as people say them, in templates."""

from django import template

from apps.access.keys.metering import format_month

register = template.Library()
register.filter("month", format_month)
