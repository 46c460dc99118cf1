"""The travel rule: the IVMS 101 record of every payment, kept for examiners."""
