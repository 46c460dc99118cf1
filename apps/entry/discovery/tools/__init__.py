"""The MCP server: endpoints as tools of agents, in a process of its own.

A tool is a row; a call of it is the call of the row at the web workers, with the credentials that
came with it. So there is one way in: the same authentication, limits, caps, payments, records and
bills, whoever calls. This process reads no database and decides nothing.
"""
