"""Folders, files and processes."""

import fcntl
import hashlib
import os
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
STUBS = os.path.join(ROOT, "scripts/apple/stubs")
WORK = os.path.join(ROOT, ".build/apple")
# The number of compilers that run concurrently.
WORKERS = os.cpu_count() or 1


def lock():
    """Waits until no other run uses the folder of derived files; the lock ends with the process."""
    os.makedirs(WORK, exist_ok=True)
    file = os.open(os.path.join(WORK, "lock"), os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("check-apple: waiting for another run", flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)


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
