"""What is measured, against what, and how to run it; each module is a command with ``--help``."""
