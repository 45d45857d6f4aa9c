"""Web pages: the headings and paragraphs of a page, and which of them are its text."""
