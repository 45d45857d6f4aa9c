"""Extraction: choosing the sentences of the source that say most."""
