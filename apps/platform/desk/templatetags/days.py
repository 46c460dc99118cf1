"""Format days that are kept as ISO text, as the desk writes days."""

from django import template

from apps.platform.desk import time_formats

register = template.Library()
register.filter("day", time_formats.format_day)
register.filter("dated", time_formats.format_days_in_text)
