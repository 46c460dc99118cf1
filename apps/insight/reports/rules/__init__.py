"""What follows from the data of a report: findings, levels, paragraphs. Pure."""

# Raised whenever a rule, a threshold or a sentence changes; kept with every report.
VERSION = "2026-11.4"
