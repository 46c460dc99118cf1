"""Threshold what-if: recorded screens, judged with proposed thresholds."""
