"""Settings, installation and build of the peers, generation of data."""

import importlib.util
import os
import pathlib
import platform
import shutil
import subprocess

from runner.measure import Failure, paragraph, say

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build"
PACKAGES = {
    "g++": "/usr/bin/g++",
    "libsimdjson-dev": "/usr/include/simdjson.h",
    "rapidjson-dev": "/usr/include/rapidjson/document.h",
    "libsqlite3-dev": "/usr/include/sqlite3.h",
    "sqlite3": "/usr/bin/sqlite3",
    "valgrind": "/usr/bin/valgrind",
    "time": "/usr/bin/time",
    "curl": "/usr/bin/curl",
    "apache2-utils": "/usr/bin/ab",
}
NETWORK = ["network", "locks", "upload", "soak", "cancel"]
# Sections without peers in C++ and Python.
SWIFT_ONLY = {*NETWORK, "resources", "loading", "lifecycle"}
SECTIONS = ["typed", "foundation", "seeding", "store", "import", "lifecycle", "loading", "resources", "instructions", "memory", "payload", "operators", *NETWORK]
# Third-party Swift packages: the variable that excludes one, its name, and the sections that require it.
REMOTE = [("WITHOUT_GRDB", "GRDB", {"seeding", "store", "import", "lifecycle", "loading"}), ("WITHOUT_AHC", "async-http-client", {"network", "soak"})]
NAMES = ["DATA", "ONLY", "SIZES", "ROUNDS", "TURNS", "SLOW_TURNS", "REQUESTS", "SEED", "QUICK"]


class Setup:
    """Settings as `NAME=VALUE`; `missing` has the reason for each peer that is not available."""

    def __init__(self, settings):
        unknown = set(settings) - set(NAMES)
        if unknown:
            raise Failure(f"unknown setting {', '.join(sorted(unknown))}; Benchmarks/README.md lists the settings")
        self.quick = settings.get("QUICK", "0") not in ("", "0")
        self.data = pathlib.Path(settings["DATA"]).resolve() if settings.get("DATA") else None
        self.sections = (settings.get("ONLY") or " ".join(SECTIONS)).replace(",", " ").split()
        if set(self.sections) - set(SECTIONS):
            raise Failure(f"ONLY accepts: {' '.join(SECTIONS)}")
        numbers = {"ROUNDS": (9, 3), "TURNS": (15, 3), "SLOW_TURNS": (5, 1), "REQUESTS": (4000, 400), "SEED": (1, 1)}
        try:
            self.sizes = [
                int(size) for size in (settings.get("SIZES") or ("50000" if self.quick else "50000 200000")).split()
            ]
            self.rounds, self.turns, self.slow_turns, self.requests, self.seed = (
                int(settings.get(name) or pair[self.quick]) for name, pair in numbers.items()
            )
        except ValueError as error:
            raise Failure(f"a setting is not a number: {error}") from None
        self.missing = []
        self.bench = self.generate = self.store = self.imports = self.seed_db = self.grdb = self.ahc = self.loopback = self.cpp_decode = self.cpp_limit = self.python = None

    # Peers

    def prepare(self):
        self.install()
        self.build_swift()
        if set(self.sections) - SWIFT_ONLY:
            self.cpp_decode = self.compile("decode", "-lsimdjson")
            self.cpp_limit = self.compile("seed_limit", "-lsimdjson", "-lsqlite3")
            self.python = self.environment()
        if not shutil.which("time"):
            self.lack("peak memory", "the program `time` is not installed")

    def lack(self, rows, why):
        say(f"missing: {rows}: {why}")
        self.missing.append(f"{rows}: {why}")

    def install(self):
        """Installs Debian packages, if no password is required."""
        absent = [name for name, file in PACKAGES.items() if not os.path.exists(file)]
        absent += [] if importlib.util.find_spec("ensurepip") else ["python3-venv"]
        if not absent or not shutil.which("apt-get"):
            return
        sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
        say(f"installing {' '.join(absent)}")
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *absent]):
            try:
                subprocess.run([*sudo, "apt-get", *command], env=environment, capture_output=True)
            except OSError:
                break  # without sudo; missing packages are reported where they are required

    def build_swift(self):
        say("building for release")
        if "seeding" in self.sections:
            self.swift("build", "-c", "release", "--package-path", ROOT.parent, "--product", "seed-db")
            self.seed_db = ROOT.parent / ".build/release/seed-db"
        if set(self.sections) & set(NETWORK):
            self.swift("build", "-c", "release", "--package-path", ROOT.parent, "--product", "loopback-server")
            self.loopback = ROOT.parent / ".build/release/loopback-server"
        without = self.without()
        self.swift("build", "-c", "release", "--package-path", ROOT, **without)
        self.bench, self.generate = BUILD / "release/bench", BUILD / "release/generate"
        self.store, self.imports = BUILD / "release/store", BUILD / "release/imports"
        self.grdb = None if "WITHOUT_GRDB" in without else BUILD / "release/seed-grdb"
        self.ahc = None if "WITHOUT_AHC" in without else BUILD / "release/http-async-http-client"

    def without(self):
        """Returns the variables that exclude packages: those that no section requires, and those that cannot be fetched."""
        left_out = {switch: "1" for switch, _, sections in REMOTE if not sections & set(self.sections)}
        for switch, name, _ in REMOTE:
            others = {other: "1" for other, _, _ in REMOTE if other != switch}
            resolve = ["swift", "package", "resolve", "--package-path", ROOT]
            if switch in left_out or not subprocess.run(resolve, env=os.environ | others, capture_output=True).returncode:
                continue
            self.lack(name, "the Swift package manager could not fetch it")
            left_out[switch] = "1"
        return left_out

    def swift(self, *options, **variables):
        built = subprocess.run(["swift", *options], env=os.environ | variables, capture_output=True, text=True)
        if built.returncode:
            raise Failure(f"swift {options[0]} failed:\n{built.stdout}{built.stderr}")

    def compile(self, name, *libraries):
        """Compiles a peer in C++; returns None if that fails."""
        source, output = ROOT / f"peers/{name}.cpp", BUILD / "peers" / name
        if output.exists() and output.stat().st_mtime > source.stat().st_mtime:
            return output
        output.parent.mkdir(parents=True, exist_ok=True)
        command = ["g++", "-std=c++20", "-O3", "-DNDEBUG", "-march=native", source, *libraries, "-o", output]
        try:
            built = subprocess.run(command, capture_output=True, text=True)
        except OSError:
            self.lack(f"rows of `{name}.cpp`", "g++ is not installed")
            return None
        if built.returncode:
            lines = [line for line in built.stderr.splitlines() if "error" in line] or [built.stderr]
            self.lack(f"rows of `{name}.cpp`", lines[0])
            return None
        return output

    def environment(self):
        """Returns a Python with the peers of peers/requirements.txt; None if they cannot be installed."""
        folder, wanted = BUILD / "venv", (ROOT / "peers/requirements.txt").read_text()
        stamp = folder / "requirements.txt"
        if not stamp.exists() or stamp.read_text() != wanted:
            say("installing packages for Python")
            for command in (
                ["python3", "-m", "venv", folder],
                [folder / "bin/pip", "install", "-q", "--retries", "1", "-r", ROOT / "peers/requirements.txt"],
            ):
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    lines = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
                    self.lack("rows of Python", lines[-1])
                    return None
            stamp.write_text(wanted)
        return folder / "bin/python"

    # Data

    def generated(self, kind, count):
        """The folder of generated dumps."""
        folder = BUILD / "data" / f"{kind}-{count}-{self.seed}"
        if not folder.exists():
            say(f"generating {count} {kind}")
            part = folder.with_name(f"{folder.name}.part")
            done = subprocess.run([self.generate, kind, str(count), part, str(self.seed)])
            if done.returncode:
                raise Failure(f"{kind} could not be generated")
            part.rename(folder)
        return folder

    def tasks(self, count):
        return self.generated("tasks", count)

    def feed(self, count):
        return self.generated("feed", count)

    # Where and with what

    def describe(self):
        def first_line(*command):
            try:
                return subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()[0]
            except (OSError, IndexError):
                return "none"

        model = "unknown processor"
        if os.path.exists("/proc/cpuinfo"):
            with open("/proc/cpuinfo") as file:
                model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
        system = (
            platform.freedesktop_os_release().get("PRETTY_NAME", "")
            if os.path.exists("/etc/os-release")
            else platform.system()
        )
        names, peers = [], []
        if set(self.sections) - SWIFT_ONLY:
            names += ["libsimdjson-dev", "rapidjson-dev", "libsqlite3-dev"]
            peers += (ROOT / "peers/requirements.txt").read_text().replace("==", " ").split("\n")[:-1]
            peers += ["GRDB 7.10.0"] if self.grdb else []
        if set(self.sections) & {*NETWORK, "loading"}:
            names += ["libcurl4", "curl", "nginx"]
            peers += ["async-http-client 1.37.0"] if self.ahc else []
        peers += [first_line("dpkg-query", "-W", "-f", "${Package} ${Version}", name) for name in names]
        tools = [
            first_line("swift", "--version"),
            first_line("g++", "--version"),
            f"Python {platform.python_version()}",
        ]
        self.machine = f"{model}, {os.cpu_count()} cores, {platform.machine()}, {system}. {', '.join(tools + peers)}."
        load = os.getloadavg()[0]
        if load > 0.5:
            self.machine += f" The machine was busy: load {load:.1f} at the start."
        paragraph(self.machine)
