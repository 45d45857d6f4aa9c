"""Plain text: its lines, headings, titles and code."""
