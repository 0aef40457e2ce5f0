"""Type-checking of the package for one platform."""

import concurrent.futures
import graphlib
import os
import re
import shutil

from common import ROOT, STUBS, WORK, WORKERS, files_of, hash_of, read, run, write
from headers import INCLUDE, PACKAGE, SDK
from interfaces import for_platform
from platforms import MISSING

# Tools for a command line, which are not built for other platforms than macOS.
MACOS_ONLY = {"TestSupport", "seed-db", "catalog", "loopback-server", "network-faults"}
# Errors that a declaration of Apple's can cause that is missing here.
UNDECLARED = re.compile("error: (no such module|cannot find|.* has no member|Objective-C interop|failed to produce)")


class Check:
    """The check for a platform."""

    def __init__(self, platform, targets, library, texts, version):
        self.platform, self.version = platform, version
        folder = os.path.join(WORK, platform.name)
        self.system, self.modules, self.cache = (os.path.join(folder, name) for name in ["system", "modules", "cache"])
        os.makedirs(self.modules, exist_ok=True)
        texts = {n: for_platform(text, platform) for n, text in texts.items() if n not in MISSING.get(platform.name, ())}
        self.system_modules, self.missing_modules = set(texts), MISSING.get(platform.name, set())
        for name, text in texts.items():
            write(os.path.join(self.system, f"{platform.folder}/{name}.swiftmodule/{platform.files}.swiftinterface"), text)
        for name in ["clang", "shims", "host"]:
            link = os.path.join(self.system, name)
            if not os.path.lexists(link):
                os.symlink(os.path.join(library, name), link)
        # The names that a target can define for conditions of #if, on any platform.
        self.flags = {"DEBUG", *(name for target in targets for name in target.defines())}
        isMac = platform.name == "macos"
        self.targets = {t.name: t for t in targets if t.files and (isMac or t.name not in MACOS_ONLY)}
        # Tests of tools are for macOS, too.
        names = {t.name for t in targets} if isMac else {t.name for t in targets} - MACOS_ONLY
        self.targets = {n: t for n, t in self.targets.items() if names.issuperset(t.needs(platform))}
        folders = [self.system + "/shims", self.modules]
        folders += [os.path.join(ROOT, "Sources", name) for name in ["CMappingSHA256/include", "CMappingRuntime/include", "CMappingZlib", "CMappingSQLite"]]
        self.arguments = ["-target", platform.triple, "-swift-version", "6", "-resource-dir", self.system, "-sdk", SDK]
        self.arguments += ["-module-cache-path", self.cache, "-plugin-path", os.path.join(library, "host/plugins")]
        self.arguments += ["-disable-objc-interop", *(word for folder in folders for word in ["-I", folder])]
        self.clang = os.path.join(library, "../../bin/clang")
        headers = [os.path.join(INCLUDE, "sqlite3.h")]
        for folder in [STUBS, *folders[2:]]:
            headers += files_of(folder, "*.h") + files_of(folder, "*.modulemap")
        self.keys = {"": hash_of(PACKAGE, *texts.values(), *map(read, headers), *self.arguments)}

    def limit(self, names):
        """Limits the check to some targets, and those that they import."""
        needed, waiting = set(), [name for name in names if name in self.targets]
        while waiting:
            name = waiting.pop()
            if name and name not in needed:
                needed.add(name)
                waiting += self.imports(name)
        self.targets = {name: target for name, target in self.targets.items() if name in needed}

    def check_files(self, files, options):
        """Checks files of another package or an app, with options of the compiler; returns whether they have no problem."""
        library = [] if any(os.path.basename(file) == "main.swift" for file in files) else ["-parse-as-library"]
        output = os.path.join(os.path.dirname(self.modules), "App.swiftmodule")
        result = self.frontend("-emit-module", "-o", output, *files, "-module-name", "App", *library, *options)
        found = problems(result.stdout) or [result.stdout] * (result.returncode != 0)
        if found:
            report(f"{self.platform.system}, files:", found)
        else:
            print(f"{self.platform.system}: no errors or warnings in the files", flush=True)
        return not found

    def frontend(self, *options):
        return run(["swiftc", "-frontend", *self.arguments, *options])

    def imports(self, name):
        """The names of the targets that a target imports; the system's modules have the name ""."""
        if not name:
            return []
        return ["", *(needed for needed in self.targets[name].needs(self.platform) if needed in self.targets)]

    def key(self, name):
        """A text that changes with all that the result of a check depends on."""
        if name not in self.keys:
            target = self.targets[name]
            self.keys[name] = hash_of(
                *map(self.key, self.imports(name)), *self.options(target), *target.files, *map(read, target.files)
            )
        return self.keys[name]

    def size(self, name):
        return sum(map(os.path.getsize, self.targets[name].files)) if name else 0

    def run(self, name):
        """Checks a target, unless nothing has changed since it had no problem; returns whether it was checked, and problems."""
        stamp = os.path.join(self.modules, f"{name or 'system'}.checked")
        if os.path.exists(stamp) and read(stamp) == self.key(name):
            return False, []
        # A check that finds problems may still write its module, for which an earlier stamp must not hold.
        if os.path.exists(stamp):
            os.remove(stamp)
        result = self.compile(self.targets[name]) if name else self.compile_system()
        found = problems(result.stdout)
        if result.returncode != 0 and not found:
            found = [result.stdout]
        if not found:
            write(stamp, self.key(name))
        return True, found

    def compile_system(self):
        """Compiles the interfaces of the system into the compiler's cache, which does not notice all changes of them."""
        shutil.rmtree(self.cache, ignore_errors=True)
        source = os.path.join(self.system, "system.swift")
        write(source, "import Foundation\nimport Observation\nimport Synchronization\nimport Testing\n")
        return self.frontend("-typecheck", source)

    def compile(self, target):
        """Compiles a target without code generation, and writes its module for the targets that import it."""
        if target.isC:
            options = ["-target", self.platform.triple, "-isysroot", SDK, "-Wall", "-Wextra", "-fsyntax-only"]
            return run([self.clang, *options, "-I", os.path.join(ROOT, target.path, "include"), *target.files])
        output = os.path.join(self.modules, f"{target.module}.swiftmodule")
        result = self.frontend("-emit-module", "-o", output, *target.files, *self.options(target))
        for file in target.files_for_debugging():
            others = [other for other in target.files if other != file]
            options = self.options(target, isRelease=True)
            release = self.frontend("-emit-sil", "-o", os.devnull, "-primary-file", file, *others, *options)
            result.stdout += release.stdout
            result.returncode = result.returncode or release.returncode
        return result

    def options(self, target, isRelease=False):
        library = [] if any(os.path.basename(f) == "main.swift" for f in target.files) else ["-parse-as-library"]
        options = ["-module-name", target.module, "-package-name", "mappingkit", "-enable-testing", *library]
        return options + ([] if isRelease else ["-D", "DEBUG"]) + list(target.options(self.platform))


def problems(output):
    """The errors and warnings in the compiler's output."""
    lines = re.findall(r"^(?:/|<unknown>|macro expansion).*(?:error|warning): .*$", output, re.M)
    return [line.replace(ROOT + "/", "") for line in dict.fromkeys(lines)]


def report(title, found):
    """Prints problems."""
    print(title, *found, sep="\n", flush=True)
    if any(map(UNDECLARED.search, found)):
        print("An error about a declaration of Apple's can be a false alarm: see scripts/apple/README.md", flush=True)


def run_all(checks, pool):
    """Checks all targets for all platforms, each after those that it imports; returns whether they have no problem."""
    sorter, users = graphlib.TopologicalSorter(), {}
    for check in checks:
        for name in ["", *check.targets]:
            imports = [(check, needed) for needed in check.imports(name)]
            sorter.add((check, name), *imports)
            for needed in imports:
                users.setdefault(needed, []).append((check, name))
    sorter.prepare()

    def length(task):
        """How much there is to check from a task to the end."""
        if task not in lengths:
            lengths[task] = task[0].size(task[1]) + max(map(length, users.get(task, [])), default=0)
        return lengths[task]

    lengths, running, ready = {}, {}, list(sorter.get_ready())
    counts = {check: dict.fromkeys(["checked", "unchanged", "with errors or warnings"], 0) for check in checks}
    while ready or running:
        ready.sort(key=length)
        while ready and len(running) < WORKERS:
            check, name = ready.pop()
            running[pool.submit(check.run, name)] = (check, name)
        for future in concurrent.futures.wait(running, return_when="FIRST_COMPLETED").done:
            check, name = task = running.pop(future)
            isNew, found = future.result()
            if found:
                report(f"{check.platform.system}, {name or 'declarations of the system'}:", found)
            else:
                sorter.done(task)
                ready += sorter.get_ready()
            if name:
                counts[check]["with errors or warnings" if found else "checked" if isNew else "unchanged"] += 1
    for check, count in counts.items():
        count["waiting for these"] = len(check.targets) - sum(count.values())
        parts = [f"{len(check.targets)} modules", *(f"{number} {what}" for what, number in count.items() if number)]
        print(f"{check.platform.system}: {', '.join(parts)}", flush=True)
    return not sorter.is_active()
