"""Reading PDFs: glyphs, lines, columns, paragraphs, headings."""
