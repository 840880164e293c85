import BoardProtocol
import HILPOSIX
import HILRecord
import HILTiming
import Synchronization

/// The lines that a host stack's program prints: in the handle's log, and in the record.
///
/// A program may print without end. The record has its first lines, the log its latest ones, and both say so.
final class HostStackOutput: Sendable {
    typealias Line = HostStackHandle.Line

    private enum Limit {
        /// The longest line in bytes. The rest of a longer one is left out.
        static let line = 2000
        /// The most lines in the record, and the most bytes of them.
        static let recorded = (lines: 2000, bytes: 256 << 10)
        /// How many lines are in the message about an exit.
        static let last = 5
    }

    private struct State {
        var recorded = (lines: 0, bytes: 0)
        var left = 0
        var last: [String] = []
        var unfinished = 0
    }

    let lines = EventLog<Line>(keepingAtMost: 10_000)
    private let name: String
    private let adapter: AdapterID
    private let recorder: ScenarioRecorder
    private let state = Mutex(State())
    private let ends = EventLog<Bool>()

    init(of name: String, on adapter: AdapterID, recorder: ScenarioRecorder) {
        self.name = name
        self.adapter = adapter
        self.recorder = recorder
    }

    /// Reads a stream until its end, in a separate thread.
    func read(_ descriptor: Descriptor, as stream: Line.Stream) {
        state.withLock { $0.unfinished += 1 }
        startThread(named: "stack-lines") { [self] in
            var splitter = LineSplitter(limit: Limit.line)
            while let bytes = try? descriptor.read(), !bytes.isEmpty {
                for line in splitter.push(bytes) { take(line, stream) }
            }
            if let line = splitter.finish() { take(line, stream) }
            ends.append(
                state.withLock { state in
                    state.unfinished -= 1
                    return state.unfinished == 0
                })
        }
    }

    /// Adds a sentence about the program to the record.
    func note(_ text: String) { recorder.record(.note(text: "\(name): \(text)")) }

    /// Waits until all streams are read.
    func finish() async {
        // All writers have ended. What a stream still holds is read at once.
        _ = try? await ends.first(within: .seconds(2), waitingFor: "the last lines of \(name)") { $0 }
        let left = state.withLock { $0.left }
        if left > 0 { recorder.record(.note(text: "\(left) more lines of \(name) are not recorded")) }
    }

    /// The last lines, to append to a sentence.
    var lastWords: String {
        let last = state.withLock { $0.last }
        return last.isEmpty ? "; it printed nothing" : "; its last lines: " + last.joined(separator: " / ")
    }

    private func take(_ bytes: [UInt8], _ stream: Line.Stream) {
        let line = Line(stream: stream, text: String(decoding: bytes, as: UTF8.self))
        let (isRecorded, isFirstLeft) = state.withLock { state in
            state.last = state.last.suffix(Limit.last - 1) + [line.text]
            let hasRoom =
                state.left == 0 && state.recorded.lines < Limit.recorded.lines
                && state.recorded.bytes + bytes.count <= Limit.recorded.bytes
            if hasRoom {
                state.recorded = (state.recorded.lines + 1, state.recorded.bytes + bytes.count)
            } else {
                state.left += 1
            }
            return (hasRoom, state.left == 1)
        }
        lines.append(line)
        if isRecorded {
            let note = AccessoryLine(line.text, kind: stream.rawValue)
            recorder.record(.accessory(AccessoryNote(accessory: name, adapter: adapter, note)))
        } else if isFirstLeft {
            recorder.record(.note(text: "\(name) prints too much: its further lines are not recorded"))
        }
    }
}
