import Foundation
import HILRecord
import Testing

@testable import HILReports

/// The code of the page: its files, and how they become one document.
struct PageCodeTests {
    /// The files of the sources.
    private static let sources = PageCode(builtWith: "/nowhere/hil")

    /// A folder with files, which is gone when the test ends.
    private final class Folder {
        let path = NSTemporaryDirectory() + "hil-page-code-\(UUID().uuidString)"

        init(_ files: [String: String]) throws {
            for (file, text) in files {
                let url = URL(fileURLWithPath: "\(path)/\(file)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test("The page finds the course of a trial by what the story says")
    func course() throws {
        let code = try String(contentsOfFile: "\(Self.sources.folder)/run/exploration.js", encoding: .utf8)
        #expect(code.contains("startsWith(\"\(TrialNote.faultLine)\")"))
        #expect(code.contains("/^(\(TrialNote.faultLine)|attempt"))
    }

    @Test("Style sheets and scripts come into the document, neighbours in one element, and other lines stay")
    func document() throws {
        let folder = try Folder([
            "page.html": """
            <html>
              <link rel="stylesheet" href="a/one.css">
              <link rel="stylesheet" href="a/two.css">
              <link rel="icon" href="icon.svg">
              <script type="application/json" id="data"></script>
              <script src="one.js"></script>
            </html>

            """,
            "a/one.css": "a { color: red; }\n", "a/two.css": "b { color: red; }\n", "one.js": "\"use strict\";\n",
        ])
        let document = try PageCode(folder: folder.path).document("page.html")
        #expect(
            document == """
                <html>
                <style>
                a { color: red; }
                b { color: red; }
                </style>
                  <link rel="icon" href="icon.svg">
                  <script type="application/json" id="data"></script>
                <script>
                "use strict";
                </script>
                </html>

                """)
    }

    @Test("A missing file, and a page without a place for its data, are named, with what to do")
    func unreadable() throws {
        let folder = try Folder([
            "page.html": "<script src=\"run/core.js\"></script>\n", "run.html": "<p>no data</p>\n",
        ])
        let code = PageCode(folder: folder.path)
        let missing = #expect(throws: PageCode.Unreadable.self) { try code.document("page.html") }
        #expect(
            missing?.description == """
                reading the code of the page, \(folder.path)/run/core.js: the file is missing; build the \
                program again, or, if it was moved, copy the folder hil_HILReports.resources along with it
                """)
        let foreign = #expect(throws: PageCode.Unreadable.self) { try PageFrame(code, "run.html") }
        #expect(foreign?.description.contains("run.html: there is no <script type=") == true)
    }

    @Test("The code is beside the program, also if a build replaced it; a program that was moved uses the sources")
    func places() throws {
        let folder = try Folder(["hil": "", "hil_HILReports.resources/Web/run.html": "", "Page/Web/run.html": ""])
        let (built, source) = ("\(folder.path)/hil_HILReports.resources/Web", "\(folder.path)/Page/Code/PageCode.swift")
        #expect(PageCode(builtWith: "\(folder.path)/hil", from: source).folder == built)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/Page/exe", withDestinationPath: "\(folder.path)/hil")
        #expect(PageCode(builtWith: "\(folder.path)/Page/exe", from: source).folder == built)
        #expect(PageCode(builtWith: "\(folder.path)/hil (deleted)", from: source).folder == built)
        #expect(PageCode(builtWith: "/nowhere/hil", from: source).folder == "\(folder.path)/Page/Web")
        #expect(PageCode(builtWith: "/nowhere/hil", from: "/gone").folder == "/nowhere/hil_HILReports.resources/Web")
    }

    @Test("The files beside this program are those of the sources")
    func copies() throws {
        let (built, sources) = (PageCode(), PageCodeTests.sources)
        #expect(
            built.folder.hasSuffix("/hil_HILReports.resources/Web")
                && sources.folder.hasSuffix("/Sources/Runner/Reports/Page/Web")
        )
        for file in try PageCodeTests.files() { #expect(try built.text(file) == sources.text(file), "\(file)") }
    }

    @Test("Every file is in a document, and none can end the element around it")
    func files() throws {
        var named: Set<String> = []
        for document in ["run.html", "play.html", "hand.html"] {
            let html = try PageCodeTests.sources.text(document)
            named.formUnion(html.matches(of: #/(?:href|src)="([^"]+)"/#).map { String($0.1) })
        }
        let files = try PageCodeTests.files().filter { $0.hasSuffix(".css") || $0.hasSuffix(".js") }
        #expect(Set(files) == named && files.count > 20)
        for file in files {
            let text = try PageCodeTests.sources.text(file).lowercased()
            for mark in ["</style", "</script", "<script", "<!--"] {
                #expect(!text.contains(mark), "\(mark) in \(file) would end or change the element")
            }
            #expect(text.hasSuffix("\n"), "\(file): the next file would continue its last line")
        }
    }

    /// The paths of all files in the folder of the sources.
    private static func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: sources.folder).filter {
            !($0 as NSString).pathExtension.isEmpty
        }
    }
}
