import Foundation
import RequestQueue
import Testing

@Suite("MIME types")
struct MIMETypesTests {
    @Test(arguments: [
        ("a.png", "image/png"), ("A.PNG", "image/png"), ("a.jpeg", "image/jpeg"), ("archive.v2.zip", "application/zip"),
        ("a.json", "application/json"), ("a.html", "text/html"), ("a.txt", "text/plain"), ("a.mp4", "video/mp4"),
        ("a.svg", "image/svg+xml"), ("a.ts", "video/mp2t"), (".png", "image/png"), ("a", "application/octet-stream"),
        ("", "application/octet-stream"), ("a.", "application/octet-stream"), ("a.nope", "application/octet-stream"),
        ("ä.日本", "application/octet-stream"), ("png", "application/octet-stream"),
    ])
    func `A file's type is determined by its name, with the system's database and without`(name: String, type: String) {
        #expect(MIMETypes(globs: nil)[fileName: name] == type)
        #expect(MIMETypes.shared[fileName: name] == type)
    }

    @Test func `The system's database is used by weight, length and case`() {
        let types = MIMETypes(
            globs: Data(
                """
                # a comment
                50:text/x-light:*.abc
                80:text/x-heavy:*.abc
                60:text/x-middle:*.ABC
                50:text/x-csrc:*.c
                50:text/x-c++src:*.C:cs
                50:application/gzip:*.gz
                50:application/x-compressed-tar:*.tar.gz
                50:text/vnd.trolltech.linguist:*.ts
                50:video/mp2t:*.ts
                50:application/x-other:*.ts
                50:text/x-makefile:makefile
                50:text/x-readme:README*
                50:text/x-pattern:*.[0-9]
                nonsense
                x:text/plain:*.png
                50:text/x-empty:*.

                """.utf8))
        let table = [
            ("a.abc", "text/x-heavy"), ("a.c", "text/x-csrc"), ("a.C", "text/x-c++src"),
            ("a.b.tar.gz", "application/x-compressed-tar"),
            ("a.TAR.GZ", "application/x-compressed-tar"), ("a.gz", "application/gzip"), ("a.ts", "video/mp2t"),
            ("a.png", "image/png"), ("a.1", "application/octet-stream"), ("makefile", "application/octet-stream"),
        ]
        for (name, type) in table { #expect(types[fileName: name] == type) }
    }
}
