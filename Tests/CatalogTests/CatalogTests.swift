import Foundation
import TestSupport
import Testing

/// The catalog from the view of a user: the executable, its texts and its exit statuses.
@Suite struct Catalog {
    /// The examples that have a fixture of their output.
    static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: resource("Tests/CatalogTests/Fixtures").path)
        return (files ?? []).filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
    }()

    private func catalog(_ arguments: String...) throws -> ProcessResult {
        try runExecutable(named: "catalog", arguments: arguments)
    }

    @Test func `without arguments it lists every example on a line, in groups`() throws {
        let result = try catalog()
        #expect(
            result.output == """
                Mapping
                  key-value-mapping        A bank account: counts, averages and distinct values by key paths
                  relationship-mapping     Projects with their owner and tasks, and comments with replies
                  dynamic-mapping          A feed of articles, photos and polls becomes an enum; each case has its own mapping
                  immutable-structs        Models with constant properties, created by their initializer
                  codable                  Existing Codable types, decoded faster and with better errors, and replaced by mappings one by one
                  primary-key-wiring       Tasks, users and labels from three responses, connected by their keys in any order
                  serialization            The mapping that reads a model also writes it: as JSON, as a form, and as a PATCH of the changes
                  streaming                A dump larger than the memory of the process, read element by element
                  parallel-mapping         A large array is read on all cores, with the same result as on one core
                  diagnosis                All issues of a payload together, the effect of each rule, and rejected elements that are kept

                Seeding
                  seed-database            A database is built from three dumps, and queried
                  seed-progress            The progress of a build, in bytes and by the name of the current step
                  seed-check               All mistakes of dumps in one report, without writing a file
                  manifest-draft           A draft of a manifest, inferred from dumps, with the reasons
                  seed-models              Swift models with their mappings, generated from a manifest
                  iso-codes                The world's countries, regions, currencies and languages, and three questions

                Objects
                  object-store             Managed objects: created, found, changed, and saved in a file
                  relationships            Both sides of a relationship are kept consistent, and deletion follows a rule
                  queries                  Conditions, sorts, counts and sums, checked by the compiler and answered by SQLite
                  seeded-app               An app that starts with a seed database, edits it, and resets it
                  automagic-relationships  Tasks with the number of their user, connected in any order of the payloads
                  import                   A dump is imported into an app's store, twice: with progress, in batches, without objects
                  sync                     Changes from a server, with timestamps and tombstones, that can arrive late, twice or out of order
                  contexts                 A screen that shows and edits objects follows an import, and a report that runs meanwhile stays consistent
                  conflicts                Two people edit one booking: what is merged, what is a conflict, and who wins
                  observation              A live list in the terminal, with sections and differences, that follows imports and background saves
                  migration                A file of an earlier release: renamed, widened and added attributes, a step by hand, and the plan before
                  search                   Notes found by the words of a search field, ranked, with highlighted snippets
                  seed-upgrade             A new version of a seed is merged with the changes of the user, and conflicts are listed
                  untyped                  A database that a program knows nothing about: its objects are printed, queried, changed and related by names
                  active-record            Objects that find, insert, update and delete their own rows: a managed class, and one with SQL by hand
                  custom-store             A folder with a JSON file for each object is the remote of a store

                Requests
                  http-to-models           A tracker's API as typed models: read, created, streamed, and each way it can fail
                  params                   A form with two pictures and a film, sent from disk, with a progress bar
                  download                 A downloaded file is complete, or it does not exist and the error has the reason
                  streaming-response       Bodies that are read while they arrive: bytes, lines, server-sent events
                  http-cache               Cached responses: fresh, confirmed by 304, offline, and damaged
                  authentication           Passwords, digests, and bearer tokens that are refreshed once
                  adapters                 Requests that are signed immediately before they are sent, again for each attempt
                  retries                  Servers that fail for a moment: which requests are sent again, when, and how often
                  request-queue            A request queue: a limit, events, counters, and requests with an owner
                  background-requests      The app enters the background: four policies for requests in progress
                  reachability             Requests without a network: they fail immediately, or wait for the network
                  stub-transport           Tests without a network: stubbed responses, failures, and the requests that were sent
                  tls-pinning              A server with a self-signed certificate: trusted, pinned by its key, and refused with another key

                Loading
                  object-manager           A project tracker in a store: pages, one object, edits that are sent, a search, and what went wrong
                  routes                   The paths of a service by class, method, relationship and name, checked by the compiler, and read back from URLs
                  error-mapping            Errors of a service become typed models: a form's problems by attribute, a code, and a list of messages
                  rails-crud               Posts of a Rails application are created with their comments, read, changed, refused and deleted
                  pagination               A long list in pages: by links, by number and by a cursor, continued after an error, and leafed through
                  list-model               A list in the terminal: loaded in pages, searched, filtered, and current after each change
                  offline                  The same call with and without a network: stored lists first, fresh lists without a request, and what is shown offline
                  pruning                  Objects that a list no longer has: nothing is deleted unless asked, and never because of an error or too many at once
                  incremental-store        Objects of a web service are fetched, created, changed and deleted as if they were local

                Resources
                  active-resource          Records of a service, found and saved by the conventions of Rails
                  associations             Associated records, requested when they are needed, or loaded before
                  resource-errors          Validation problems by attribute; any other failure is an error with its cause
                  dynamic-resource         Records without a Swift type: attributes by name, for scripts and consoles
                  rails-blog               A blog in Ruby on Rails: posts with comments and authors, validations, patches, nested attributes

                Run one with `swift run catalog NAME`, see its code with `swift run catalog NAME --source`.

                """)
        #expect(result.errors == "")
        #expect(result.status == 0)
        for name in Self.names { #expect(result.output.contains("  \(name) "), "\(name) is not listed") }
    }

    private static let hasOpenSSL: Bool = {
        let found: ProcessResult? = try? runShell("command -v openssl")
        return isAvailable(found?.status == 0, otherwise: "openssl is missing: the output of tls-pinning is not tested")
    }()

    /// Except for the one that ends when it uses too much memory, under a sanitizer.
    @Test(arguments: names.filter { (!isSanitized || $0 != "streaming") && (hasOpenSSL || $0 != "tls-pinning") })
    func `an example prints the text of its fixture`(_ name: String) throws {
        let result = try catalog(name)
        let pinned = try resourceText("Tests/CatalogTests/Fixtures/\(name).txt")
        // The service of rails-crud depends on the machine; its responses do not.
        let output = result.output.replacing(
            "a Ruby on Rails application", with: "a local server with the same responses")
        #expect(output == pinned)
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test func `Without openssl, tls-pinning names the command, and is no failure`() throws {
        let result = try runShell("PATH= $(command -v catalog) tls-pinning", environment: [:])
        #expect(result.output.contains("This example needs the command `openssl`."))
        #expect(result.status == 0)
    }

    @Test(.enabled(if: NetworkNamespace.problem == nil))
    func `reachability prints the same in its own network namespace`() throws {
        let result = try catalog("reachability", "--network-namespace")
        #expect(result.errors == "")
        #expect(try result.output == resourceText("Tests/CatalogTests/Fixtures/reachability.txt"))
    }

    @Test(arguments: [("", "", 0), ("--network-namespace", "netns\n", 1)] as [(String, String, Int32)])
    func `reachability touches the system's network on request only`(_ option: String, _ calls: String, _ status: Int32)
        throws
    {
        let folder = try TemporaryDirectory()
        try folder.write("#!/bin/sh\necho $1 >>\"$CALLS\"; exit 1\n", to: "ip")
        try folder.write("", to: "calls")
        let result = try runShell(
            "mkdir path && cp ip path && chmod +x path/ip && PATH=$PWD/path:$PATH && catalog reachability $OPTION",
            environment: ["OPTION": option, "CALLS": folder.file("calls").path], directory: folder.url)
        #expect(result.status == status)
        #expect(result.errors.contains("requires Linux, root and iproute2") == (status == 1))
        #expect(try folder.text(of: "calls") == calls)
    }

    @Test(arguments: names) func `the source of an example is its file`(_ name: String) throws {
        let result = try catalog(name, "--source")
        let file = name.split(separator: "-").map(\.capitalized).joined()
        let pinned = try resourceText("Examples/Catalog/\(file).swift")
        #expect(result.output == pinned)
        #expect(result.status == 0)
    }

    @Test(.enabled(if: !isSanitized)) func `all runs every example in the order of the list`() throws {
        let result = try catalog("all")
        var rest = Substring(result.output)
        for name in ["key-value-mapping", "relationship-mapping", "seed-database", "iso-codes", "request-queue"] {
            let range = try #require(rest.range(of: "\(name): "))
            rest = rest[range.upperBound...]
        }
        #expect(result.status == 0)
    }

    @Test(arguments: ["params", "download"]) func `on a terminal a bar grows in one line`(_ name: String) throws {
        let terminal = try PseudoTerminal(columns: 100)
        let result = try runShell("catalog \(name) >\(terminal.path)")
        #expect(result.status == 0)
        #expect(result.errors == "")
        let written = terminal.written
        #expect(written.contains("\r    \(String(repeating: "█", count: 40)) 100 %\r\n"))
        #expect(!written.contains("    25 %\r\n"))
    }

    static let mistakes: [(arguments: [String], errors: String)] = [
        (["key-valu-mapping"], "catalog: no example 'key-valu-mapping'; did you mean 'key-value-mapping'?\n"),
        (["SeedDatabase"], "catalog: no example 'SeedDatabase'; did you mean 'seed-database'?\n"),
        (["zebra", "--source"], "catalog: no example 'zebra'; `catalog` lists them\n"),
        (
            ["all", "again"],
            """
            catalog: 'all again' is not understood
            usage: catalog                   list the examples
                   catalog NAME              run one
                   catalog NAME --source     show its code
                   catalog all               run all of them

            """
        ),
    ]

    @Test(arguments: mistakes) func `a mistake is named, with the status 64`(_ arguments: [String], _ errors: String)
        throws
    {
        let result = try runExecutable(named: "catalog", arguments: arguments)
        #expect(result.output == "")
        #expect(result.errors == errors)
        #expect(result.status == 64)
    }
}
