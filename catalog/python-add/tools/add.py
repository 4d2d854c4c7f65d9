"""Adds the two numbers on the command line and prints the sum."""

import sys


def number(text):
    """Whole numbers stay whole, so that they are exact at any size."""
    try:
        return int(text)
    except ValueError:
        return float(text)


if __name__ == "__main__":
    print(number(sys.argv[1]) + number(sys.argv[2]))
