"""Re-screening: parties that came up before are screened against what changes on a list."""
