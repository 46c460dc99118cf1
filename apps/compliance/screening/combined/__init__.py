"""The combined screen (document 1 section 2.7): gather, conclude, answer, recompute."""
