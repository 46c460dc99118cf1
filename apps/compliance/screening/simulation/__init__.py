"""Threshold what-if: screens on record, held against thresholds that somebody proposes."""
