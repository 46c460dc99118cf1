"""Numbers that are sold, or that a price rests on.

Stability and its fees, ESG and SFDR, intelligence, forecasts, and the reports made of them all.
"""
