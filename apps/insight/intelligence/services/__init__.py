"""What the daily job writes: outcomes of calls, recalibrations, editions of the causal graph."""
