"""``python -m lsum_cli``."""

from lsum_cli.cli.app import main

if __name__ == "__main__":
    main()
