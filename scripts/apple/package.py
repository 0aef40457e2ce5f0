"""The targets of the package."""

import json
import os
import re

from common import ROOT, WORK, files_of, read, run, stop


class Target:
    """A target of the package."""

    def __init__(self, description):
        self.name = description["name"]
        self.module = self.name.replace("-", "_")
        self.path = description.get("path")
        if not self.path:
            self.path = os.path.join("Tests" if description["type"] == "test" else "Sources", self.name)
        folder = os.path.join(ROOT, self.path)
        excluded = tuple(os.path.join(folder, name) + "/" for name in description["exclude"])
        files = files_of(folder, "**/*.swift") or files_of(folder, "**/*.c")
        self.files = [file for file in files if not file.startswith(excluded)]
        self.isC = bool(self.files) and self.files[0].endswith(".c")
        if not self.files and description["type"] != "system":
            stop(f"{self.name} has no files in {folder}")
        self.dependencies = description["dependencies"]
        self.settings = description["settings"]

    def needs(self, platform):
        """The names of the targets that it imports on a platform."""
        for dependency in self.dependencies:
            name, condition = dependency.get("byName") or dependency.get("target")
            if not condition or platform.name in condition["platformNames"]:
                yield name

    def files_for_debugging(self):
        """The files that are different in a release."""
        return [] if self.isC else [f for f in self.files if re.search(r"^\s*#(if|elseif)\b.*\bDEBUG\b", read(f), re.M)]

    def defines(self):
        """The names that its settings in Package.swift define, on any platform."""
        return [setting["kind"]["define"]["_0"] for setting in self.settings if "define" in setting["kind"]]

    def options(self, platform):
        """The options of its settings in Package.swift."""
        for setting in self.settings:
            kind, names = setting["kind"], setting.get("condition", {}).get("platformNames", [platform.name])
            if platform.name not in names:
                continue
            if "enableUpcomingFeature" in kind:
                yield from ["-enable-upcoming-feature", kind["enableUpcomingFeature"]["_0"]]
            elif "strictMemorySafety" in kind:
                yield "-strict-memory-safety"
            elif "define" in kind:
                yield from ["-D", kind["define"]["_0"]]
            else:
                stop(f"unknown setting {kind} of {self.name}")


def targets():
    """Returns all targets of the package."""
    # These variables change the targets.
    names = {"MAPPINGKIT_TESTS", "MAPPINGKIT_FUZZ", "SANITIZER"}
    environment = {name: value for name, value in os.environ.items() if name not in names}
    package = run(["swift", "package", "--scratch-path", f"{WORK}/package", "dump-package"], cwd=ROOT, env=environment)
    if package.returncode != 0 or "{" not in package.stdout:
        stop(f"Package.swift cannot be read\n{package.stdout.strip()}")
    return [Target(description) for description in json.loads(package.stdout[package.stdout.index("{") :])["targets"]]
