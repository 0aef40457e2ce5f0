// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target: Swift 6 mode comes with the tools version.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// WITHOUT_GRDB builds what needs nothing from the network.
let hasGRDB = Context.environment["WITHOUT_GRDB"] == nil

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "MappingKit", path: "..")]
        + (hasGRDB ? [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")] : []),
    targets: [
        .executableTarget(name: "generate", swiftSettings: settings),
        .executableTarget(
            name: "bench", dependencies: [.product(name: "ObjectMapping", package: "MappingKit")],
            swiftSettings: settings),
    ]
        + (hasGRDB
            ? [
                .executableTarget(
                    name: "seed-grdb", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
                    swiftSettings: settings)
            ] : [])
)
