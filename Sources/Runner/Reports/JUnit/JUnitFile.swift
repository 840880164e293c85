import Foundation
import HILPOSIX
import HILRecord
import Synchronization

/// Keeps `junit.xml` up to date during a run.
///
/// The element of a scenario is made once and kept in a file without a name, so that the finished scenarios of a long
/// run take no more memory. In a run of more than ``largeRun`` scenarios writing the document takes a twentieth of the
/// time, and it is written again at the end.
final class JUnitFile: Sendable {
    /// From this many scenarios on, not every result is written at once.
    static let largeRun = 1000
    private static let share = 20
    /// In bytes.
    private static let pieceSize = 1 << 18

    private struct State {
        /// Where the element of a scenario is in the file.
        var places: [String: Range<Int>] = [:]
        /// The elements that did not fit there.
        var inMemory: [String: String] = [:]
        var size = 0
        /// When the document may be written again.
        var next = ContinuousClock.now
        /// Whether the last results are not in the document.
        var isBehind = false
    }

    private let path: String
    private let elements: Descriptor?
    private let state = Mutex(State())

    /// - Parameter path: The path of the document. Its folder exists.
    init(_ path: String) {
        self.path = path
        elements = try? Descriptor.open("\(path).elements", O_RDWR | O_CREAT | O_TRUNC)
        unlink("\(path).elements")
    }

    /// Writes the document, or notes that it is behind.
    ///
    /// - Parameters:
    ///   - ended: The scenario that has just ended; nil for another event.
    ///   - isLast: Whether the run has ended.
    func write(_ junit: JUnit, of record: RunRecord, ended: RunRecord.Entry?, isLast: Bool) throws(SystemError) {
        let began = ContinuousClock.now
        let isDue = state.withLock { state in
            if let ended { keep(junit.testcase(ended), of: ended.info.identifier, in: &state) }
            state.isBehind = !(isLast || record.entries.count <= JUnitFile.largeRun || began >= state.next)
            return !state.isBehind
        }
        guard isDue else { return }
        defer { state.withLock { $0.next = .now + (.now - began) * JUnitFile.share } }
        // In pieces, because the whole document of a run of thousands has megabytes.
        try replaceFile(path) { file throws(SystemError) in
            var piece = Array(junit.head.utf8)
            for entry in record.entries {
                piece += state.withLock { element(of: entry, junit, record, &$0) }
                guard piece.count >= JUnitFile.pieceSize else { continue }
                try file.write(piece)
                piece.removeAll(keepingCapacity: true)
            }
            try file.write(piece + Array(junit.tail.utf8))
        }
    }

    /// Whether results wait for the document to be written, and it may be.
    var isDue: Bool { state.withLock { $0.isBehind && ContinuousClock.now >= $0.next } }

    private func element(
        of entry: RunRecord.Entry, _ junit: JUnit, _ record: RunRecord, _ state: inout State
    ) -> [UInt8] {
        let name = entry.info.identifier
        // A scenario that has ended does not change any more; one that has not begun changes only at the end of the
        // run.
        let isWaiting = entry.result == nil && entry.began == nil && !entry.isInterrupted && record.end == nil
        if entry.result != nil || isWaiting {
            if let place = state.places[name], let bytes = read(place) { return bytes }
            if let text = state.inMemory[name] { return Array(text.utf8) }
        }
        let text = junit.testcase(entry)
        if entry.result != nil || isWaiting { keep(text, of: name, in: &state) }
        return Array(text.utf8)
    }

    private func keep(_ text: String, of name: String, in state: inout State) {
        let bytes = Array(text.utf8)
        let start = off_t(state.size)
        let written = elements.map { file in bytes.withUnsafeBytes { pwrite(file.raw, $0.baseAddress, $0.count, start) }
        }
        guard written == bytes.count else {
            state.places[name] = nil
            state.inMemory[name] = text
            return
        }
        state.places[name] = state.size..<state.size + bytes.count
        state.inMemory[name] = nil
        state.size += bytes.count
    }

    /// A kept element; nil if it cannot be read.
    private func read(_ place: Range<Int>) -> [UInt8]? {
        guard let elements else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: place.count) { buffer, count in
            count = max(0, pread(elements.raw, buffer.baseAddress, place.count, off_t(place.lowerBound)))
        }
        return bytes.count == place.count ? bytes : nil
    }
}
