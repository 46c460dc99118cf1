"""The product under a seed: virtual time, faults of everything around it, deaths at each commit."""
