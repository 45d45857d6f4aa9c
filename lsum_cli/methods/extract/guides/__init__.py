"""Guides, readmes and manuals: what their subject is, does and needs."""
