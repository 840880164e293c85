import Foundation
import HILExecution
import HILRecord
import Testing

@testable import HILReports

/// Runs that versions of hil recorded give the same documents, byte by byte.
struct RecordedRunTests {
    @Test("A recorded run of each format gives the documents beside it", arguments: ["format-1", "format-2"])
    func documents(name: String) throws {
        let folder = "Fixtures/Runs/\(name)"
        let record = try RunRecord.read(in: folder)
        #expect(record.unreadableLines == 0)
        #expect("format-\(record.format)" == name)
        let root = record.info.map { URL(fileURLWithPath: $0.folder).deletingLastPathComponent() }?
            .deletingLastPathComponent().path
        let documents = [
            ("junit.xml", JUnit(record, root: root) { $0.result?.evidence ?? [] }.document),
            ("summary.md", Markdown(record, root: root).document()),
        ]
        for (file, document) in documents {
            let expected = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            #expect(document == expected, "\(file) of \(folder) is another one now")
        }
    }
}
