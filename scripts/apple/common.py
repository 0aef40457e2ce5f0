"""Folders, files and processes."""

import fcntl
import glob
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
    """Waits until no other run uses the folder of derived files; the lock ends with the process and all that it started."""
    try:
        os.makedirs(WORK, exist_ok=True)
        file = os.open(os.path.join(WORK, "lock"), os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        stop(f"{WORK} cannot be written: {error.strerror}", 73)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("check-apple: waiting for another run", flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    inherited.append(file)


# A compiler can outlive a check that was killed, and then write a module.
inherited = []


def run(command, **options):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run(command, pass_fds=inherited, **streams, **options)


def stop(message, status=1):
    sys.exit(print(f"check-apple: {message}", file=sys.stderr) or status)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    """Writes a file, unless it has this text already: the compiler's cache depends on the time of its change."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path) or read(path) != text:
        # A run that is interrupted leaves the former file, or none.
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)


def files_of(folder, pattern):
    """The files with names of a pattern; the name of the folder itself can contain brackets."""
    return sorted(glob.glob(os.path.join(glob.escape(folder), pattern), recursive=True))


def hash_of(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
