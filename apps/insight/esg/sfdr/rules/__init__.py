"""The 18 indicators of Annex I Table 1: formulas, coverage, thresholds. Pure."""
