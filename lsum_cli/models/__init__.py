"""The neural networks; they know no files and no command line."""
