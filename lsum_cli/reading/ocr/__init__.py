"""Text recognised in images of pages, by an engine that is on this machine."""
