"""Format amounts of USDC in templates."""

from django import template

from apps.access.paywall.labels import format_usdc

register = template.Library()
register.filter("usdc", format_usdc)
