"""Apple's C headers, as an SDK for the compiler."""

import glob
import os
import shutil
import sys
import zipfile

from common import STUBS, WORK, read, run, write

SDK = os.path.join(WORK, "sdk")
INCLUDE = os.path.join(SDK, "usr/include")
# The Darwin headers are in this Python package; it is only unpacked.
PACKAGE = "ziglang==0.17.1"


def unpack_headers():
    """Unpacks the Darwin headers into the SDK; returns false if they cannot be downloaded."""
    if os.path.exists(os.path.join(INCLUDE, "TargetConditionals.h")):
        return True
    folder = os.path.join(WORK, "wheel")
    pip = run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder, PACKAGE])
    wheels = glob.glob(os.path.join(folder, "*.whl"))
    if pip.returncode != 0 or not wheels:
        return False
    prefix = "ziglang/lib/libc/include/any-darwin-any/"
    with zipfile.ZipFile(wheels[0]) as wheel:
        # The header that shows that the SDK is complete is written last.
        for name in sorted(wheel.namelist(), key=lambda name: name.endswith("/TargetConditionals.h")):
            if name.startswith(prefix) and not name.endswith("/"):
                write(os.path.join(INCLUDE, name[len(prefix) :]), wheel.read(name).decode("utf-8", "replace"))
    shutil.rmtree(folder)
    return True


def add_c_modules():
    """Adds the module map of Darwin to the SDK, and the headers of its libraries that are the same everywhere."""
    for file in glob.glob(os.path.join(STUBS, "*.h")) + [os.path.join(STUBS, "module.modulemap")]:
        write(os.path.join(INCLUDE, os.path.basename(file)), read(file))
    write(os.path.join(INCLUDE, "sqlite3.h"), read("/usr/include/sqlite3.h"))
