"""Deliberate bugs, each with the test that must notice it; `./run mutants` tries them all."""
