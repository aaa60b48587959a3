"""Prints the subjects of changes by kind, without duplicates."""
import sys

KINDS = {"fix": "Fixed", "add": "Added", "remove": "Removed"}

found = {}
for line in sys.stdin:
    subject = line.strip()
    if subject:
        kind = KINDS.get(subject.split()[0].lower(), "Changed")
        found.setdefault(kind, dict())[subject] = None

for kind in ("Added", "Changed", "Fixed", "Removed"):
    if kind in found:
        print("##", kind)
        for subject in found[kind]:
            print("-", subject)
