"""Metrics: what a summary is scored by, one registry row each."""
