import HILPOSIX
import Synchronization

/// Reads lines from a descriptor, for one reader that blocks. Empty lines are left out.
final class LineInput: Sendable {
    private struct State {
        var splitter = LineSplitter()
        var lines: ArraySlice<[UInt8]> = []
    }

    private let descriptor: Descriptor
    private let state = Mutex(State())

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// The next line; nil at the end.
    func next() -> [UInt8]? {
        while true {
            if let line = state.withLock({ $0.lines.popFirst() }) { return line }
            guard let more = try? descriptor.read(), !more.isEmpty else { return nil }
            state.withLock { state in state.lines += state.splitter.push(more) }
        }
    }
}
