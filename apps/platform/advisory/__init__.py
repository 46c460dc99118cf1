"""Ask a language model for an opinion on facts that are already judged.

An opinion decides nothing (document 1 section 1): it is requested with a deadline, checked against
its declared shape, and left out of the answer when anything is wrong with it.
"""
