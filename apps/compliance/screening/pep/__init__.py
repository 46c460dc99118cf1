"""The PEP screen (document 1 section 2.6; DESIGN.md section 4)."""
