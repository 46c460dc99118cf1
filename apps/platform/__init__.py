"""What every service stands on, and what knows none of them.

The API and its ledgers, calls to others, advice by a model, and the frame of the desk.
"""
