"""Errors in each branch of #if, which the check has to report."""

import os
import re

from common import ROOT, WORK, files_of, hash_of, read, write

MISTAKES = os.path.join(ROOT, "scripts/apple/mistakes")
MISTAKE_OPTIONS = ["-parse-as-library", "-strict-memory-safety"]
PLANTED = "let planted: Planted"
# The modules in conditions that Apple's systems do not have; those that they have are declared for the check.
NOT_APPLE = {"FoundationEssentials", "FoundationNetworking", "FoundationXML", "Glibc", "Musl", "VisibleMutex"}
# The arguments of conditions that Swift has; it ignores others, such as os(ios), without a warning.
KNOWN = {
    "os": {"macOS", "iOS", "tvOS", "watchOS", "visionOS", "Linux", "Windows", "Android", "FreeBSD", "OpenBSD", "WASI"},
    "arch": {"arm64", "arm64_32", "x86_64", "arm", "i386", "wasm32"},
    "targetEnvironment": {"simulator", "macCatalyst"},
}
COMPARISON = re.compile(r"(>=|<)\s*(\d+)(?:\.(\d+))?")


class UnknownCondition(Exception):
    """A condition of #if that cannot be evaluated here."""


def value(function, argument, check):
    """Returns whether a condition such as os(Linux) is true."""
    platform = check.platform
    if argument not in KNOWN.get(function, {argument}):
        raise UnknownCondition(f"{function}({argument})")
    if function == "os":
        return argument == platform.system
    if function == "arch":
        return argument == platform.triple.split("-")[0]
    if function == "targetEnvironment":
        return False
    if function == "canImport" and argument in NOT_APPLE | check.system_modules:
        return argument in check.system_modules
    if function == "canImport" and argument in check.missing_modules:
        return False
    if function == "hasAttribute":
        return True
    if function in ("compiler", "swift") and (match := COMPARISON.fullmatch(argument)):
        isNew = check.version >= (int(match[2]), int(match[3] or 0))
        return isNew == (match[1] == ">=")
    raise UnknownCondition(f"{function}({argument})")


def is_active(condition, check, defined):
    """Whether a condition of #if is true on a platform."""

    def replaced(match):
        if match[3] and match[3] not in check.flags:
            raise UnknownCondition(match[3])
        return str(value(match[1], match[2].strip(), check) if match[1] else match[3] in defined)

    text = re.sub(r"\b([A-Za-z_]\w*)\(([^()]*)\)|\b(?!true\b|false\b)([A-Za-z_]\w*)", replaced, condition)
    text = text.replace("true", "True").replace("false", "False")
    return eval(text.replace("!", " not ").replace("&&", " and ").replace("||", " or "))


def branches(text, check, defined):
    """Returns the branches of #if: the index of the line that starts it, this line, and whether it is active; and the
    conditions that are unknown."""
    levels, found, unknown = [], [], []
    for index, line in enumerate(text.splitlines()):
        match = re.match(r"\s*#(if|elseif|else|endif)\b(.*?)(//.*)?$", line)
        if not match:
            continue
        kind, condition = match[1], match[2]
        if kind == "if":
            isReachable = all(level["isReachable"] and level["isActive"] for level in levels)
            levels.append({"isReachable": isReachable, "isDecided": False})
        level = levels[-1]
        if kind == "endif":
            levels.pop()
            continue
        try:
            level["isActive"] = not level["isDecided"] and (kind == "else" or is_active(condition, check, defined))
        except UnknownCondition as error:
            level["isActive"] = False
            unknown.append(f"{index + 1}: unknown condition {error} of #if")
        level["isDecided"] = level["isDecided"] or level["isActive"]
        found.append((index, line.strip(), level["isReachable"] and level["isActive"]))
    return found, unknown


class Plants:
    """The errors that are planted in copies of the files of a target, for a release only in those that it changes."""

    def __init__(self, check, target, isRelease):
        self.check, self.target, self.isRelease = check, target, isRelease
        self.folder = os.path.join(WORK, check.platform.name, "planted-release" if isRelease else "planted")
        self.copies, self.expected, self.unexpected, self.unknown = [], {}, {}, []
        defined = set(check.options(target, isRelease))
        planted = target.files_for_debugging() if isRelease else target.files
        self.files = [file for file in target.files if file not in planted]
        for file in [] if target.isC else planted:
            text, copy = read(file), os.path.join(self.folder, os.path.relpath(file, ROOT))
            places, unknown = branches(text, check, defined)
            self.unknown += [
                f"{os.path.relpath(file, ROOT)}:{line}: correct it, or add it to scripts/apple/plants.py" for line in unknown
            ]
            if unknown or not places:
                self.files.append(file)
                continue
            lines = text.splitlines()
            for index, _, _ in reversed(places):
                lines.insert(index + 1, PLANTED)
            write(copy, "\n".join(lines) + "\n")
            self.copies.append(copy)
            for number, (index, line, isActive) in enumerate(places):
                place = f"{os.path.relpath(file, ROOT)}:{index + 1}: {line}"
                (self.expected if isActive else self.unexpected)[f"{copy}:{index + 2 + number}:"] = place

    def missing(self):
        """Returns what is wrong: a branch without the planted error, or with one that is not for the platform."""
        stamp = os.path.join(self.check.modules, f"{self.target.name}.{os.path.basename(self.folder)}")
        key = hash_of(self.check.key(self.target.name), read(__file__))
        if os.path.exists(stamp) and read(stamp) == key:
            return []
        # The compiler checks the copies, and only reads the other files.
        copies = [word for copy in self.copies for word in ["-primary-file", copy]]
        options = self.check.options(self.target, self.isRelease)
        output = self.check.frontend("-typecheck", *copies, *self.files, *options).stdout
        name = self.check.platform.system
        missing = [f"{name}: the check does not report an error after {self.expected[p]}" for p in self.expected if p not in output]
        missing += [f"{name}: unexpectedly compiled, although the condition is false: {self.unexpected[p]}" for p in self.unexpected if p in output]
        if not missing:
            write(stamp, key)
        return missing


def unlike(check, file):
    """Returns the mistakes in a file that are not reported, and correct lines that are reported."""
    text, name = read(file), os.path.basename(file)
    stamp = os.path.join(check.modules, f"{name}.planted")
    key = hash_of(check.key(""), read(__file__), text)
    if os.path.exists(stamp) and read(stamp) == key:
        return []
    output = check.frontend("-emit-module", "-o", f"{stamp}.swiftmodule", file, "-module-name", "Mistakes", *MISTAKE_OPTIONS).stdout
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        match = re.search(r"// error(?:: (.*))?$", line)
        isExpected = match and (not match[1] or check.platform.system in match[1].split(", "))
        isReported = re.search(rf"^{re.escape(file)}:{number}:\d+: (error|warning): ", output, re.M)
        if bool(isExpected) != bool(isReported):
            problem = "does not report a mistake" if isExpected else "reports a mistake in a correct line"
            lines.append(f"{check.platform.system}: the check {problem}: {os.path.relpath(file, ROOT)}:{number}: {line.strip()}")
    if not lines:
        write(stamp, key)
    return lines


def run_planted(checks, pool):
    """Plants an error in each branch of #if; returns whether all of them are reported where the branch is active.

    Also checks files of mistakes.
    """
    targets = [(check, target) for check in checks for target in check.targets.values()]
    plants = [Plants(*target, isRelease) for target in targets for isRelease in [False, True]]
    unknown = dict.fromkeys(line for p in plants for line in p.unknown)
    plants = sorted((p for p in plants if p.copies), key=lambda p: -p.check.size(p.target.name))
    missing = [*unknown, *(line for lines in pool.map(Plants.missing, plants) for line in lines)]
    for check in checks:
        missing += [line for file in files_of(MISTAKES, "*.swift") for line in unlike(check, file)]
        count = sum(len(p.expected) for p in plants if p.check is check)
        print(f"{check.platform.system}: {count} errors planted in branches of #if", flush=True)
    print(*missing, sep="\n", end="\n" if missing else "")
    return not missing
