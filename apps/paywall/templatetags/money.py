"""Sums of USDC in templates."""

from django import template

from apps.paywall.wording import usdc_said

register = template.Library()
register.filter("usdc", usdc_said)
