"""The platforms of the check."""

import collections

# `files` begins the name of an interface, which is in a folder named `folder`.
Platform = collections.namedtuple("Platform", "name system triple files folder")

PLATFORMS = {
    platform.name: platform
    for platform in [
        Platform("macos", "macOS", "x86_64-apple-macosx15.0", "x86_64-apple-macos", "macosx"),
        Platform("ios", "iOS", "arm64-apple-ios18.0", "arm64-apple-ios", "iphoneos"),
        # All watches before watchOS 26, whose Int has 32 bits.
        Platform("watchos", "watchOS", "arm64_32-apple-watchos11.0", "arm64_32-apple-watchos", "watchos"),
        Platform("tvos", "tvOS", "arm64-apple-tvos18.0", "arm64-apple-tvos", "appletvos"),
        Platform("visionos", "visionOS", "arm64-apple-xros2.0", "arm64-apple-xros", "xros"),
    ]
}
# The modules of the system that a platform does not have.
MISSING = {"macos": {"UIKit"}}
