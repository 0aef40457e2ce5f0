"""The targets of the package."""

import glob
import json
import os

from common import ROOT, WORK, run, stop


class Target:
    """A target of the package."""

    def __init__(self, description):
        self.name = description["name"]
        self.module = self.name.replace("-", "_")
        self.path = description.get("path")
        if not self.path:
            self.path = os.path.join("Tests" if description["type"] == "test" else "Sources", self.name)
        excluded = tuple(os.path.join(ROOT, self.path, name) + "/" for name in description["exclude"])
        files = glob.glob(os.path.join(ROOT, self.path, "**/*.swift"), recursive=True)
        self.files = sorted(f for f in files if not f.startswith(excluded))
        self.dependencies = description["dependencies"]
        self.settings = description["settings"]

    def needs(self, platform):
        """The names of the targets that it imports on a platform."""
        for dependency in self.dependencies:
            name, condition = dependency.get("byName") or dependency.get("target")
            if not condition or platform.name in condition["platformNames"]:
                yield name

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
    environment = {k: v for k, v in os.environ.items() if k != "MAPPINGKIT_TESTS"}
    package = run(["swift", "package", "--scratch-path", f"{WORK}/package", "dump-package"], cwd=ROOT, env=environment)
    if package.returncode != 0 or "{" not in package.stdout:
        stop(f"Package.swift cannot be read\n{package.stdout.strip()}")
    return [Target(description) for description in json.loads(package.stdout[package.stdout.index("{") :])["targets"]]
