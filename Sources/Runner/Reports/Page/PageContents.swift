import Foundation
import HILRecord

/// The files of a page in one file, to be sent by mail: all of the cases that did not pass, the others as far as there
/// is room.
package struct PageContents: Sendable {
    /// The most bytes of a page in one file.
    package static let limit = 10 << 20

    /// The bytes that are left for files.
    private var room: Int
    private var parts: [[UInt8]] = []
    /// How many files had no room.
    package private(set) var leftOut = 0

    /// - Parameter limit: The most bytes of the whole page.
    package init(limit: Int = PageContents.limit) { room = limit - Page.limit }

    /// Adds the files of runs: first the events of cases that did not pass, then the pictures, then cases that passed.
    ///
    /// - Parameters:
    ///   - sources: The runs, and their paths in the page.
    ///   - read: Returns the content of a file of a run, by the run's place and the file's path; nil if there is none.
    package mutating func add(
        _ sources: [Page.Source], root: String?, read: (Int, String) -> Data?,
        before: (Int, RunRecord.Entry) -> (run: ScenarioPart.Before, timeline: Data)?
    ) {
        let bad = sources.enumerated().map { place, source in
            (place, source, source.record.entries.filter { !PageContents.isFine($0) })
        }
        for (place, source, entries) in bad {
            for entry in entries {
                let earlier = before(place, entry)
                add(
                    source, entry, "scenario.js",
                    ScenarioPart(entry, of: source.record, root: root, before: earlier?.run))
                for attempt in entry.attempts {
                    let folder = PageContents.folder(attempt)
                    if let timeline = read(place, "\(entry.info.folder)/\(folder)timeline.json") {
                        add(source, entry, "\(folder)lanes.js", timeline.base64EncodedString())
                    }
                }
                if let earlier { add(source, entry, "before.js", earlier.timeline.base64EncodedString()) }
            }
        }
        // The dark drawings show the same, so that they come after all light ones.
        for look in [\ScreenPicture.light, \.dark] {
            for (place, source, entries) in bad {
                for entry in entries {
                    for attempt in entry.attempts {
                        for screen in attempt.screens {
                            guard let file = screen.value.picture?[keyPath: look] else { continue }
                            let path = PageContents.folder(attempt) + file
                            if let drawing = read(place, "\(entry.info.folder)/\(path)") {
                                add(source, entry, path, String(decoding: drawing, as: UTF8.self))
                            }
                        }
                    }
                }
            }
        }
        for source in sources {
            for entry in source.record.entries where PageContents.isFine(entry) {
                add(source, entry, "scenario.js", ScenarioPart(entry, of: source.record, root: root))
            }
        }
    }

    /// The JSON object: the contents by their addresses in the page.
    var bytes: [UInt8] { [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ","), 10]) + [UInt8(ascii: "}")] }

    private mutating func add(_ source: Page.Source, _ entry: RunRecord.Entry, _ file: String, _ value: some Encodable)
    {
        let path = [source.path, entry.info.folder, file].filter { !$0.isEmpty }.joined(separator: "/")
        let bytes = ScriptJSON.bytes(PageAddress.text(path)) + [UInt8(ascii: ":")] + ScriptJSON.bytes(value)
        guard bytes.count + 2 <= room else { return leftOut += 1 }
        room -= bytes.count + 2
        parts.append(bytes)
    }

    private static func folder(_ attempt: AttemptRecord) -> String {
        attempt.number == 1 ? "" : "attempt-\(attempt.number)/"
    }

    private static func isFine(_ entry: RunRecord.Entry) -> Bool {
        guard let verdict = entry.result?.judgement.verdict else { return !entry.isInterrupted }
        return verdict == .passed || verdict == .skipped
    }
}

/// Addresses of files as the page's script makes them.
enum PageAddress {
    /// The path with every part escaped as JavaScript's `encodeURIComponent` does.
    static func text(_ path: String) -> String {
        path.split(separator: "/").map { part in
            part == ".." ? ".." : part.addingPercentEncoding(withAllowedCharacters: plain) ?? String(part)
        }.joined(separator: "/")
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")
}
