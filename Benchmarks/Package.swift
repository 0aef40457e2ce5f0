// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target: Swift 6 mode comes with the tools version.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// WITHOUT_GRDB and WITHOUT_AHC build what needs nothing from the network.
let hasGRDB = Context.environment["WITHOUT_GRDB"] == nil
/// A module of an earlier build can remain, so `canImport` would not tell whether GRDB is used.
let grdbSettings = settings + (hasGRDB ? [.define("GRDB")] : [])
let hasAHC = Context.environment["WITHOUT_AHC"] == nil

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "MappingKit", path: "..")]
        + (hasGRDB ? [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")] : [])
        + (hasAHC
            ? [
                .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
                .package(url: "https://github.com/apple/swift-nio.git", from: "2.81.0"),
            ] : []),
    targets: [
        .executableTarget(name: "generate", swiftSettings: settings),
        .executableTarget(
            name: "bench", dependencies: [.product(name: "ObjectMapping", package: "MappingKit")],
            swiftSettings: settings),
        .target(name: "SQLiteLoop", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "store",
            dependencies: ["SQLiteLoop", .product(name: "ObjectStore", package: "MappingKit")]
                + (hasGRDB ? [.product(name: "GRDB", package: "GRDB.swift")] : []),
            swiftSettings: grdbSettings),
        .executableTarget(
            name: "imports",
            dependencies: ["SQLiteLoop", .product(name: "ObjectStore", package: "MappingKit")]
                + [.product(name: "ObjectLoading", package: "MappingKit")]
                + [.product(name: "ObjectMapping", package: "MappingKit")]
                + (hasGRDB ? ["GRDBRecords", .product(name: "GRDB", package: "GRDB.swift")] : []),
            swiftSettings: grdbSettings),
        .executableTarget(
            name: "resources",
            dependencies: [
                .product(name: "ActiveResource", package: "MappingKit"),
                .product(name: "ExampleSupport", package: "MappingKit"),
            ], swiftSettings: settings),
        .target(name: "HTTPPeer", swiftSettings: settings),
        .executableTarget(
            name: "http-mappingkit",
            dependencies: ["HTTPPeer", .product(name: "RequestQueue", package: "MappingKit")], swiftSettings: settings),
        .executableTarget(name: "http-urlsession", dependencies: ["HTTPPeer"], swiftSettings: settings),
    ]
        + (hasGRDB
            ? [
                .target(
                    name: "GRDBRecords", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
                    swiftSettings: settings),
                .executableTarget(
                    name: "seed-grdb",
                    dependencies: ["GRDBRecords", .product(name: "GRDB", package: "GRDB.swift")],
                    swiftSettings: settings),
            ] : [])
        + (hasAHC
            ? [
                .executableTarget(
                    name: "http-async-http-client",
                    dependencies: [
                        "HTTPPeer", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                        .product(name: "NIOCore", package: "swift-nio"),
                        .product(name: "NIOHTTP1", package: "swift-nio"),
                    ],
                    swiftSettings: settings)
            ] : [])
)
