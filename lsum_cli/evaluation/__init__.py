"""Scores with their signatures and intervals, and the papers' analyses."""
