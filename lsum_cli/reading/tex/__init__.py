"""TeX documents: their files and macros expanded, and the text in them."""
