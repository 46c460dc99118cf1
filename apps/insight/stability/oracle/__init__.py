"""The stability oracle: layers and signals, runs, whether it is safe to settle now."""
