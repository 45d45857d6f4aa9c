"""Decoding a long document: PageSum's engine against alternatives on the same machine."""
