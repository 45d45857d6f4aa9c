"""Windowing models: a pointer-generator that reads a text of any length window by window."""
