"""The neural networks, independent of files and the command line."""
