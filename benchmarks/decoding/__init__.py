"""Decoding a long document: PageSum's engine against what else a user could run on the same machine."""
