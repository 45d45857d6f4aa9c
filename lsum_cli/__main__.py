"""``lsum``, and ``python -m lsum_cli``."""

import sys


def main() -> None:
    """Run the program; a Ctrl-C while it is still being loaded ends it as one that comes later does."""
    try:
        from lsum_cli.cli.app import main as run
    except KeyboardInterrupt:
        # As its messages and exit codes have it, which may be what was being loaded.
        sys.stderr.write("lsum: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
