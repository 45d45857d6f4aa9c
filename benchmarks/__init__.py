"""Benchmarks: each module is a command with ``--help``."""
