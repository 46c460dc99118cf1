"""Opinions of a language model on facts that are already judged: told, never obeyed.

An opinion decides nothing (document 1 section 1): it is asked for with a deadline, held against
the shape that was declared for it, and left out when anything at all is wrong with it.
"""
