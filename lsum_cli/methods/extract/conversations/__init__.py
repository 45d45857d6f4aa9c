"""Conversations: what is talked about, what can be quoted of it, and what is settled."""
