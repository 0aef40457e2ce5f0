import Seeder
import Testing

@testable import seed_db

@Suite struct ProgressLineTests {
    private func line(
        _ progress: SeedProgress, elapsed: Double, phaseElapsed: Double? = nil, width: Int = 80, isColored: Bool = false
    ) -> String {
        ProgressLine(
            progress: progress, elapsed: elapsed, phaseElapsed: phaseElapsed ?? elapsed, width: width,
            isColored: isColored
        ).text
    }

    private static let half = SeedProgress(file: "tasks.json", bytesRead: 22_000_000, totalBytes: 44_000_000)

    @Test(arguments: [
        (
            200,
            "tasks.json  [==================>                   ]   50 %  22.0 MB of 44.0 MB  11.0 MB/s  0:02 elapsed  0:02 left"
        ),
        (100, "tasks.json  [==========>           ]   50 %  22.0 MB of 44.0 MB  11.0 MB/s  0:02 elapsed  0:02 left"),
        (80, "tasks.json  [========>         ]   50 %  11.0 MB/s  0:02 elapsed  0:02 left"),
        (60, "tasks.json  [=====>       ]   50 %  11.0 MB/s  0:02 left"),
        (44, "tasks.json  [====>     ]   50 %  0:02 left"), (30, "tasks.json   50 %  0:02 left"),
        (20, "tasks.json   50 %"), (12, " 50 %"), (6, " 50 %"), (3, ".."), (1, ""), (0, ""),
    ])
    func `a narrow terminal shows less`(width: Int, text: String) {
        let line = line(Self.half, elapsed: 2, width: width)
        #expect(line == text)
        #expect(line.count < max(width, 1))
    }

    @Test(arguments: [
        (
            SeedProgress(file: "a", bytesRead: 0, totalBytes: 5), 0.0,
            "a  [                  ]    0 %  0:00 elapsed"
        ),
        (
            SeedProgress(file: "a", bytesRead: 4, totalBytes: 5), 0.4,
            "a  [=============>    ]   80 %  0:00 elapsed"
        ),
        (
            SeedProgress(file: "a", bytesRead: 5, totalBytes: 5), 5,
            "a  [============]  100 %  5 bytes of 5 bytes  1 byte/s  0:05 elapsed  0:00 left"
        ),
        // A dump may have grown since it was measured.
        (
            SeedProgress(file: "a", bytesRead: 7, totalBytes: 5), 5,
            "a  [============]  100 %  7 bytes of 5 bytes  1 byte/s  0:05 elapsed  0:00 left"
        ),
        (SeedProgress(file: "a", bytesRead: 0, totalBytes: 0), 5, "a  0:05 elapsed"),
        (
            SeedProgress(file: "a", bytesRead: 1_000_000, totalBytes: 9_000_000_000), 1,
            "a  [           ]    0 %  1.0 MB of 9.0 GB  1.0 MB/s  0:01 elapsed  2:29:59 left"
        ),
        (
            SeedProgress(file: "a", bytesRead: 1, totalBytes: .max), 1,
            "a  [                  ]    0 %  1 byte/s  0:01 elapsed  277777:46:40 left"
        ),
        (
            SeedProgress(file: "a\u{1B}[31m\nb", bytesRead: 1, totalBytes: 2), 1,
            "a [31m b  [========>         ]   50 %  1 byte/s  0:01 elapsed  0:01 left"
        ),
        (
            SeedProgress(file: "a/very/long/path/to/some/dump.json", bytesRead: 1, totalBytes: 2), 3725,
            "...to/some/dump.json  [========>         ]   50 %  0 bytes/s  1:02:06 left"
        ),
        (
            SeedProgress(file: "資料/使用者資料/二〇二六年/資料資料資料.json", bytesRead: 1, totalBytes: 2), 1,
            "...資料資料資料.json  [=====>       ]   50 %  1 byte/s  0:01 elapsed  0:01 left"
        ),
        (SeedProgress(phase: .copying, file: "standard input"), 0, "copying standard input  0:00 elapsed"),
        (
            SeedProgress(phase: .copying, file: "standard input", bytesRead: 18_900_000), 2,
            "copying standard input  18.9 MB  9.5 MB/s  0:02 elapsed"
        ),
        (SeedProgress(phase: .connecting), 61, "connecting relationships  1:01 elapsed"),
        (SeedProgress(phase: .indexing), 61, "building indexes  1:01 elapsed"),
        (SeedProgress(phase: .checksum), 3661, "writing checksum  1:01:01 elapsed"),
    ])
    func `each state has its line`(progress: SeedProgress, elapsed: Double, text: String) {
        #expect(line(progress, elapsed: elapsed) == text)
    }

    @Test func `the rate is that of the phase`() {
        let line = line(Self.half, elapsed: 62, phaseElapsed: 2, width: 80)
        #expect(line.hasSuffix("11.0 MB/s  1:02 elapsed  0:02 left"))
    }

    @Test func `only the bar is coloured`() {
        let plain = line(Self.half, elapsed: 2)
        let colored = line(Self.half, elapsed: 2, isColored: true)
        #expect(colored.replacing("\u{1B}[32m", with: "").replacing("\u{1B}[0m", with: "") == plain)
        #expect(colored.contains("[\u{1B}[32m========>\u{1B}[0m         ]"))
    }
}
