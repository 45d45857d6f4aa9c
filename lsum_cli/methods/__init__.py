"""From documents to a summary, one module per method."""
