"""Days that are kept as ISO text, written as the desk writes days."""

from django import template

from apps.desk import times

register = template.Library()
register.filter("day", times.day)
register.filter("dated", times.dated)
