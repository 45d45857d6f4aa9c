"""The focus of a summary: what the user asks about, and which sentences answer."""
