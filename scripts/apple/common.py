"""Folders, files and processes."""

import hashlib
import os
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
STUBS = os.path.join(ROOT, "scripts/apple/stubs")
WORK = os.path.join(ROOT, ".build/apple")
# The number of compilers that run concurrently.
WORKERS = os.cpu_count() or 1


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def stop(message, status=1):
    sys.exit(print(f"check-apple: {message}", file=sys.stderr) or status)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    """Writes a file, unless it has this text already: the compiler's cache depends on the time of its change."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path) or read(path) != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def hash_of(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
