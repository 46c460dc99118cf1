"""Where the people of the desk work.

Cases and their review, the log of suspicious activity, what examiners see, and how staff sign in.
"""
