// swift-tools-version: 6.2
import PackageDescription

/// Settings of all Swift targets: Swift 6 mode comes with the tools version.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Settings of libraries and tools: unsafe code is marked as such, and is in folders named `Memory`, `SQLite` or `System`.
let safeSettings = settings + [.strictMemorySafety()]

let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

let package = Package(
    name: "MappingKit",
    // Synchronization's Mutex requires these versions. watchOS 11 also runs on watches whose Int has 32 bits.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ObjectMapping", targets: ["ObjectMapping"]),
        .library(name: "RequestQueue", targets: ["RequestQueue"]),
        .library(name: "MappedRequests", targets: ["MappedRequests"]),
        .library(name: "ActiveResource", targets: ["ActiveResource"]),
        .library(name: "ObjectStore", targets: ["ObjectStore"]),
        .library(name: "ObjectLoading", targets: ["ObjectLoading"]),
        .library(name: "Seeder", targets: ["Seeder"]),
        .library(name: "MappingTestSupport", targets: ["MappingTestSupport"]),
        .executable(name: "seed-db", targets: ["seed-db"]),
        // For copies of the examples: what they print with, and the local server that they send requests to.
        .library(name: "ExampleSupport", targets: ["ExampleSupport", "LoopbackServer"]),
    ],
    targets: [
        // Without pkgConfig, which would replace the SDK's libraries by Homebrew's on a Mac.
        .systemLibrary(name: "CMappingSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
        .systemLibrary(name: "CMappingZlib", providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"])]),
        .systemLibrary(
            name: "CMappingCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .yum(["libcurl-devel"])]),
        .target(name: "CMappingSHA256"),
        .target(name: "CMappingRuntime"),
        .target(name: "MappingLog", swiftSettings: safeSettings),
        .target(name: "MappingPrivacyManifest", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(
            name: "MappingSystemCalls",
            dependencies: [
                .target(name: "MappingPrivacyManifest", condition: .when(platforms: applePlatforms))
            ],
            swiftSettings: safeSettings),
        .target(name: "MappingInflation", dependencies: ["CMappingZlib"], swiftSettings: safeSettings),
        .target(
            name: "MappingDigests", dependencies: ["CMappingSHA256", "MappingSystemCalls"], swiftSettings: safeSettings),
        .target(name: "ObjectMapping", dependencies: ["MappingLog"], swiftSettings: safeSettings),
        .target(
            name: "RequestQueue",
            dependencies: [
                "MappingLog", "MappingDigests", "MappingInflation", "MappingSystemCalls", "CMappingZlib",
                .target(name: "CMappingCurl", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: safeSettings + [
                .define("CURL", .when(platforms: [.linux])), .define("URLSESSION", .when(platforms: applePlatforms)),
            ]),
        // Foundation's networking doubles the memory of a process on Linux. There, RequestQueue does not contain its
        // transport over URLSession; this target, which is no product, compiles the same files for tests.
        .target(
            name: "URLSessionTransport", dependencies: ["RequestQueue", "MappingSystemCalls"],
            swiftSettings: safeSettings + [.define("URLSESSION", .when(platforms: [.linux]))]),
        .target(
            name: "MappedRequests", dependencies: ["ObjectMapping", "RequestQueue"], swiftSettings: safeSettings),
        .target(name: "ActiveResource", dependencies: ["MappedRequests", "MappingLog"], swiftSettings: safeSettings),
        .target(
            name: "MappingTestSupport",
            dependencies: ["ObjectMapping", "RequestQueue", "ActiveResource", "MappingDigests", "MappingSystemCalls"],
            swiftSettings: safeSettings),
        .target(
            name: "ObjectStore",
            dependencies: [
                "MappingLog", "ObjectMapping", "MappingDigests", "MappingInflation", "MappingSystemCalls",
                "CMappingRuntime", "CMappingSQLite", "CMappingZlib",
            ],
            swiftSettings: safeSettings),
        .target(
            name: "ObjectLoading", dependencies: ["MappedRequests", "ObjectStore", "MappingLog", "MappingDigests"],
            swiftSettings: safeSettings),
        .target(
            name: "Seeder",
            dependencies: [
                "MappingLog", "ObjectMapping", "ObjectStore", "MappingDigests", "MappingInflation",
                "MappingSystemCalls", "CMappingZlib",
            ],
            swiftSettings: safeSettings),
        .executableTarget(
            name: "seed-db", dependencies: ["Seeder", "ObjectStore", "ObjectMapping", "MappingSystemCalls"],
            swiftSettings: safeSettings),
        .executableTarget(
            name: "catalog",
            dependencies: [
                "ObjectMapping", "ObjectStore", "Seeder", "RequestQueue", "MappedRequests", "ObjectLoading",
                "ActiveResource", "MappingTestSupport", "ExampleSupport", "LoopbackServer",
            ],
            path: "Examples/Catalog", swiftSettings: settings),
        .target(
            name: "ExampleSupport", dependencies: ["MappingDigests"], path: "Examples/Support", swiftSettings: settings),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "LoopbackServer", dependencies: ["MappingDigests", "CMappingZlib"], path: "Tests/LoopbackServer",
            swiftSettings: settings),
        .executableTarget(
            name: "loopback-server", dependencies: ["LoopbackServer"], path: "Tests/LoopbackServerTool",
            swiftSettings: settings),
        .executableTarget(
            name: "network-faults", dependencies: ["RequestQueue", "LoopbackServer", "MappingDigests", "TestSupport"],
            path: "Tests/NetworkFaults", swiftSettings: settings),
        .testTarget(
            name: "LoopbackServerTests",
            dependencies: ["LoopbackServer", "loopback-server", "MappingDigests", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "MappingLogTests",
            dependencies: [
                "ObjectMapping", "RequestQueue", "MappedRequests", "ActiveResource", "ObjectStore", "Seeder",
                "MappingTestSupport", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ObjectMappingTests", dependencies: ["ObjectMapping", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "MappingDigestsTests", dependencies: ["MappingDigests"], swiftSettings: settings),
        .testTarget(
            name: "RequestQueueTests",
            dependencies: [
                "RequestQueue", "MappingTestSupport", "MappingDigests", "MappingSystemCalls", "CMappingZlib",
                "TestSupport", "LoopbackServer", "network-faults",
                .target(name: "URLSessionTransport", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MappingTestSupportTests",
            dependencies: [
                "MappingTestSupport", "ActiveResource", "ObjectMapping", "RequestQueue", "MappingSystemCalls",
                "LoopbackServer", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "MappedRequestsTests",
            dependencies: ["MappedRequests", "MappingTestSupport", "LoopbackServer", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ActiveResourceTests", dependencies: ["ActiveResource", "LoopbackServer", "TestSupport"],
            exclude: ["Rails", "Gem"], swiftSettings: settings),
        .testTarget(
            name: "ObjectStoreTests", dependencies: ["ObjectStore", "ObjectMapping", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "ObjectDatabaseTests", dependencies: ["ObjectMapping", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ObjectLoadingTests",
            dependencies: ["ObjectLoading", "MappingTestSupport", "LoopbackServer", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SeederTests",
            dependencies: [
                "Seeder", "ObjectStore", "ObjectMapping", "MappingDigests", "MappingSystemCalls", "TestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "SeedDBTests", dependencies: ["seed-db", "Seeder", "TestSupport"], exclude: ["Snapshots"],
            swiftSettings: settings),
        .testTarget(
            name: "CatalogTests", dependencies: ["TestSupport"], exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(name: "HouseTests", dependencies: ["LoopbackServer", "TestSupport"], swiftSettings: settings),
    ]
)

// `make fuzz` only: it is linked with libFuzzer, which not every toolchain has.
if Context.environment["MAPPINGKIT_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["ObjectMapping", "Seeder", "RequestQueue", "LoopbackServer", "MappingDigests"],
            path: "Tests/Fuzzing", exclude: ["Corpus"], swiftSettings: settings))
}

// `make sanitize` only: the thread sanitizer does not see the locks of Swift's own `Mutex` on Linux.
if Context.environment["SANITIZER"] == "thread" {
    package.targets.append(.target(name: "VisibleMutex", path: "Tests/VisibleMutex", swiftSettings: settings))
    let users = [
        "RequestQueue", "URLSessionTransport", "MappingTestSupport", "RequestQueueTests", "MappingTestSupportTests",
        "network-faults", "ObjectMapping", "ObjectMappingTests", "ObjectStore", "ObjectStoreTests",
        "MappedRequests", "ActiveResource", "MappingLog",
    ]
    for target in package.targets where users.contains(target.name) { target.dependencies.append("VisibleMutex") }
}

// SwiftPM builds all test targets as one product. MAPPINGKIT_TESTS=ObjectStoreTests builds only that one, which saves
// most of the time of `swift test --filter`; several names are separated by commas.
if let names = Context.environment["MAPPINGKIT_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
