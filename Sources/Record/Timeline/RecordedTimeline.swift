import Foundation

/// Reads a `timeline.json`. The file may come from another machine, and may be anything.
package enum RecordedTimeline {
    /// The largest file in bytes. The timeline of the longest scenario of the die has 2 MB.
    static let sizeLimit = 256 << 20

    /// Why a timeline cannot be read.
    package struct Unreadable: Error, Hashable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private struct Content: Decodable {
        var format: Int
        var events: [TimelineEvent]
    }

    /// The events of the timeline in a folder, in order of time.
    package static func read(in folder: String) throws(Unreadable) -> [TimelineEvent] {
        let path = "\(folder)/timeline.json"
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
        guard let size else { throw Unreadable(description: "there is no \(path)") }
        guard size <= sizeLimit else {
            throw Unreadable(description: "\(path) has \(size >> 20) MiB, and at most \(sizeLimit >> 20) are read")
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Unreadable(description: "\(path) cannot be read")
        }
        struct Head: Decodable { var format: Int }
        if let head = try? JSONDecoder().decode(Head.self, from: bytes), head.format > TimelineEvent.format {
            throw Unreadable(
                description:
                    "\(path) has format \(head.format), and this version reads up to \(TimelineEvent.format): use the "
                    + "version of hil that wrote it")
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: bytes) else {
            throw Unreadable(description: "\(path) is not a timeline")
        }
        return content.events.enumerated().sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }
            .map(\.element)
    }
}
