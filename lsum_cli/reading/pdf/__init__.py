"""Reading PDFs: from glyphs over lines and layout to paragraphs and sections."""
