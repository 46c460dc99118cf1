"""The base of every service, which itself knows none of them.

The API and its ledgers, calls to others, advice by a model, and the frame of the desk.
"""
