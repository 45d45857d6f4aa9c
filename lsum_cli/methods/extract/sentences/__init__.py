"""Sentences: which can be shown, what each must be quoted with, and what it states, by its wording."""
