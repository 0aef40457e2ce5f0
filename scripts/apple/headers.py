"""Apple's C headers, as an SDK for the compiler."""

import os
import re
import shutil
import sys
import zipfile

from common import STUBS, WORK, files_of, read, run, stop, write

SDK = os.path.join(WORK, "sdk")
INCLUDE = os.path.join(SDK, "usr/include")
# The Darwin headers are in this Python package; it is only unpacked.
PACKAGE = "ziglang==0.17.1"


# Functions of SQLite that are newer than that of macOS 15 and iOS 18 (3.43), or that Apple's does not have.
NOT_APPLE = ["sqlite3_(get|set)_clientdata", "sqlite3_setlk_timeout", "sqlite3_(enable_)?load_extension"]


def unpack_headers():
    """Unpacks the Darwin headers into the SDK; returns false if they cannot be downloaded."""
    stamp = os.path.join(SDK, "package")
    if os.path.exists(stamp) and read(stamp) == PACKAGE:
        return True
    folder = os.path.join(WORK, "wheel")
    for old in [SDK, folder]:
        shutil.rmtree(old, ignore_errors=True)
    pip = run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder, PACKAGE])
    wheels = files_of(folder, "*.whl")
    if pip.returncode != 0 or not wheels:
        return False
    prefix = "ziglang/lib/libc/include/any-darwin-any/"
    with zipfile.ZipFile(wheels[0]) as wheel:
        for name in wheel.namelist():
            if name.startswith(prefix) and not name.endswith("/"):
                write(os.path.join(INCLUDE, name[len(prefix) :]), wheel.read(name).decode("utf-8", "replace"))
    write(stamp, PACKAGE)
    shutil.rmtree(folder)
    return True


def add_c_modules():
    """Adds the module map of Darwin to the SDK, and the headers of its libraries that are the same everywhere."""
    for file in files_of(STUBS, "*.h") + files_of(STUBS, "*.modulemap"):
        write(os.path.join(INCLUDE, os.path.basename(file)), read(file))
    header = "/usr/include/sqlite3.h"
    if not os.path.exists(header):
        stop(f"{header} is missing; scripts/prerequisites names its package")
    text = re.sub(rf"^SQLITE_API [^;]*\b({'|'.join(NOT_APPLE)})\([^;]*;", "", read(header), flags=re.M)
    write(os.path.join(INCLUDE, "sqlite3.h"), text)
