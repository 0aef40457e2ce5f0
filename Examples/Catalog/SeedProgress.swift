import ExampleSupport
import Foundation
import Seeder
import Synchronization

let seedProgress = Example(
    "seed-progress", group: "Seeding", "The progress of a build, in bytes and by the name of the current step"
) { story in
    let data = exampleData("tracker")
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    story.say("A build of large dumps takes a while. It reports its progress after each piece that it reads:")
    story.showCode("progress")

    story.say("These dumps are small, with one piece each. The progress after each step:")
    for step in try steps(of: data.appending(path: "seed.json"), folder.appending(path: "seed.sqlite")) {
        story.show(step)
    }

    story.say("On a terminal `seed-db build` shows these values as a bar, with rate, elapsed and remaining time.")
}

// snippet.progress
func steps(of manifest: URL, _ output: URL) throws -> [String] {
    let steps = Mutex<[String]>([])
    var options = SeedOptions()
    options.progress = { progress in
        let share = progress.fraction.map { " \(progress.file): \(Int($0 * 100)) %" } ?? ""
        let step = "\(progress.phase)\(share)"
        steps.withLock { if $0.last != step { $0.append(step) } }
    }
    _ = try ObjectSeeder(manifest: manifest, output: output, options: options).finish()
    return steps.withLock { $0 }
}
// snippet.end
