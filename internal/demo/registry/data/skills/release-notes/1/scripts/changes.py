"""Prints the subjects of changes, one per line, without duplicates."""
import sys

seen = set()
for line in sys.stdin:
    subject = line.strip()
    if subject and subject not in seen:
        seen.add(subject)
        print("-", subject)
