"""The declarations of Apple's system, as textual interfaces: derived from the toolchain's modules, and from stubs."""

import json
import os
import re

from common import STUBS, WORK, files_of, hash_of, read, run, stop, write

# Modules of the toolchain that have a textual interface, which contains the availability on Apple platforms.
TEXTUAL = """Swift SwiftOnoneSupport Synchronization Observation RegexBuilder Testing _Builtin_float _Concurrency
    _RegexParser _StringProcessing""".split()
# Modules whose interface is derived from the binary module. Apple has one Foundation, so the parts get other names.
DERIVED = {
    "Dispatch": "Dispatch",
    "FoundationEssentials": "_FoundationEssentials",
    "FoundationInternationalization": "_FoundationInternationalization",
    "Foundation": "Foundation",
}
LIFETIMES = " ".join(
    f"-enable-experimental-feature {name}" for name in """AddressableParameters AddressableTypes InoutLifetimeDependence
    LifetimeDependence LifetimeDependenceMutableAccessors Lifetimes""".split()
)
# The toolchain's Foundation has one availability for all that is newer than macOS 14: that of macOS 15. These declarations
# are of macOS 26 or newer: those that https://github.com/swiftlang/swift-foundation marks with `FoundationPreview 6.2`.
OLD = re.compile(r"@available\((?=[^)]*\bmacOS 15,)[^)]*\biOS 18,[^)]*\)(?=(\n.*\n.*))")
NEW = "@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)"
NEWER = re.compile(
    r"""\b(struct\ Template|URL\.Template|extension\ \S+\.NotificationCenter|ObservationToken|extension\ \S+\.DateComponents
    |DateComponents\.ISO8601FormatStyle|preferredLocales|ianaName|base64URLAlphabet|omitPaddingCharacter|random|recurrences
    |DiscontiguousAttributedSubstring|UTF(8|16)View|transform<|isValid
    |case\ (bangla|gujarati|kannada|malayalam|marathi|odia|tamil|telugu|vikram|dangi|vietnamese))\b""",
    re.X,
)
NOT_ON_DEVICES = "".join(f"@available({system}, unavailable)\n" for system in ["iOS", "tvOS", "watchOS", "visionOS"])


def toolchain():
    """Returns the folder lib/swift of the toolchain, and the name of its platform in the names of modules."""
    info = json.loads(run(["swiftc", "-print-target-info"]).stdout)
    return info["paths"]["runtimeResourcePath"], info["target"]["moduleTriple"]


def interfaces(library, host):
    """Returns the textual interfaces of all modules of the system, by their names."""
    texts = {}
    for module in TEXTUAL:
        file = os.path.join(library, f"linux/{module}.swiftmodule/{host}.swiftinterface")
        texts[module] = without_bodies(read(file))
    version = run(["swiftc", "--version"]).stdout.splitlines()[0]
    for module, name in DERIVED.items():
        cached = os.path.join(WORK, "derived", f"{name}.text")
        # This file changes what is derived.
        origin = f"// {version}, {hash_of(read(__file__))}\n"
        if not os.path.exists(cached) or not read(cached).startswith(origin):
            write(cached, origin + derived_interface(library, host, module))
        texts[name] = read(cached).split("\n", 1)[1]
    for file in files_of(STUBS, "*.swiftinterface"):
        name = os.path.splitext(os.path.basename(file))[0]
        flags = f"// swift-interface-format-version: 1.0\n// swift-module-flags: -module-name {name} -swift-version 6\n"
        texts[name] = texts.get(name, flags) + read(file)
    return texts


def derived_interface(library, host, module):
    """Returns the textual interface of a binary module, without declarations that depend on Linux."""
    binary = os.path.join(library, f"linux/{module}.swiftmodule/{host}.swiftmodule")
    output = os.path.join(WORK, "derived", module)
    empty = os.path.join(WORK, "derived/modules/module.modulemap")
    write(empty, "module _DispatchOverlayShims {}\nmodule _CFXMLInterface {}\n")
    result = run(
        ["swiftc", "-frontend", "-merge-modules", binary, "-module-name", module, "-o", f"{output}.swiftmodule"]
        + ["-emit-module-interface-path", f"{output}.swiftinterface", "-enable-library-evolution", "-swift-version", "5"]
        + ["-I", os.path.dirname(empty), "-I", library, "-Xcc", "-fblocks"]
    )
    if result.returncode != 0:
        stop(f"the interface of {module} cannot be derived\n{result.stdout}")
    text = read(f"{output}.swiftinterface").replace("CDispatch.dispatch_time_t", "Swift.UInt64")
    text = without_hidden(without_bodies(text))
    text = re.sub(rf"^(@_exported )?import (CDispatch|{module})$\n|@_transparent ", "", text, flags=re.M)
    for old, new in DERIVED.items():
        text = re.sub(rf"\b{old}\.(?=\w)", f"{new}.", text)
        text = re.sub(rf"^(@_exported )?import {old}$", rf"\1import {new}", text, flags=re.M)
    # Its type is in another module here.
    text = re.sub(r"^    case iso8601$(?=\n    @preconcurrency)", r"\g<0>\n    case formatted(any _DateFormatter)", text, flags=re.M)
    # Constants of the module are written as variables.
    text = re.sub(r"^@_hasInitialValue public var ", "@_hasInitialValue public let ", text, flags=re.M)
    text = OLD.sub(lambda match: NEW if NEWER.search(match[1]) else match[0], text)
    # Programs are not started elsewhere: https://developer.apple.com/documentation/foundation/process
    text = re.sub(r"^(@\w+ )*(open class |extension Foundation\.)(Process|Host)\b", rf"{NOT_ON_DEVICES}\g<0>", text, flags=re.M)
    flags = f"// swift-module-flags: -module-name {DERIVED[module]} -swift-version 5 {LIFETIMES}"
    return re.sub(r"^// swift-module-flags: .*$", flags, text, flags=re.M)


def without_hidden(text):
    """Removes stored properties that are not public, and declarations of the C libraries, with their attributes."""
    kept, attributes = [], []
    for line in text.splitlines():
        if re.fullmatch(r" *@\w+(\(.*\))?( @\w+)*", line):
            attributes.append(line)
            continue
        isUsed = any("usableFromInline" in a or "inlinable" in a for a in attributes + [line])
        isHidden = re.match(r" *(@\w+ )*(final )?(private|internal|fileprivate) [^{]*$", line) and not isUsed
        isElsewhere = any("has moved to" in a for a in attributes) or re.search(r"\b(CDispatch|CoreFoundation)\.", line)
        if not isHidden and not isElsewhere:
            kept += attributes + [line]
        attributes = []
    return "\n".join(kept) + "\n"


# Functions that the compiler evaluates to find overflows: literals, and operators of integers.
LITERAL = re.compile(r"init\(_builtin(?:Integer|Boolean)Literal|init\(_ _v(?:alue)?: Builtin\.Int\d+")
OPERATOR = re.compile(r"static func \S+ \(lhs: (?:inout )?Swift\.U?Int(?:8|16|32|64)?, ")
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}]', re.S)
KIND = re.compile(
    r"\b(?:(struct|class(?! func)|enum|protocol|extension|actor|var|let|subscript|precedencegroup)"
    r"|func|init|deinit|get|set|_read|_modify|unsafeAddress|unsafeMutableAddress)\b"
)


def without_bodies(text):
    """Removes the bodies of functions, which no check of another module depends on, except those of LITERAL and OPERATOR."""
    kept, end, start, depth = [], 0, None, 0
    for token in TOKEN.finditer(text):
        if token[0] not in "{}":
            continue
        if start is not None:
            depth += 1 if token[0] == "{" else -1
            if depth == 0:
                kept.append(text[end:start])
                start, end = None, token.end()
        elif token[0] == "{":
            line = text[text.rfind("\n", 0, token.start()) + 1 : token.start()]
            kind = KIND.search(re.sub(r'"[^"]*"', "", line))
            # A brace within parentheses is that of a default argument.
            isBody = kind and not kind[1] and line.count("(") == line.count(")")
            isEvaluated = LITERAL.search(line) or OPERATOR.search(line)
            if isBody and not isEvaluated:
                start, depth = token.start(), 1
    return "".join(kept) + text[end:]


def for_platform(text, platform):
    """Adapts a textual interface to a platform."""
    text = re.sub(r"-target \S+-linux-gnu|-target-min-inlining-version \w+|-library-level api", "", text)
    text = re.sub(r"-module-link-name \w+|-autolink-force-load| -O ", " ", text)
    text = re.sub(r"^// swift-module-flags:", rf"\g<0> -target {platform.triple} -disable-objc-interop", text, flags=re.M)
    text = re.sub(r"@backDeployed\([^)]*\)", "", text)
    if platform.triple.startswith("arm64_32"):
        text = re.sub(r"^@frozen public struct U?Int :.*?^}\n", narrowed, text, flags=re.M | re.S)
    if platform.name == "visionos":
        text = re.sub(r"@available\((?![^)]*visionOS)([^)]*\biOS (\d+)\b[^)]*)\*\)", with_visionos, text)
    return re.sub(r"\b(Glibc|SwiftGlibc)\b", "Darwin", text)


def with_visionos(availability):
    """Adds the version of visionOS that belongs to one of iOS, for which the compiler would use a table of the SDK."""
    version = int(availability[2])
    return f"@available({availability[1]}visionOS {version if version >= 26 else version // 18 + 1}, *)"


def narrowed(integer):
    """Returns the declaration of Int or UInt with 32 bits."""
    return re.sub(r"(?<=Builtin\.)Int64\b|(?<=_)Int64\b", "Int32", integer[0]).replace("rhs & 63", "rhs & 31")
