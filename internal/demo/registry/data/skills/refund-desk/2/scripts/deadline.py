"""Tells whether unused goods can still be returned."""
import sys
from datetime import date, timedelta

PERIOD = timedelta(days=30)


def in_time(delivered: date, today: date) -> bool:
    return today - delivered <= PERIOD


if __name__ == "__main__":
    delivered, today = (date.fromisoformat(word) for word in sys.argv[1:3])
    print("in time" if in_time(delivered, today) else "too late")
