"""The MCP server: endpoints as tools of agents, in a process of its own.

A tool is an operation; a tool call becomes a call of that operation at the web workers, with the
credentials that came with it. So there is only one way in: the same authentication, limits,
payments, records and bills for every caller. This process reads no database and decides nothing.
"""
