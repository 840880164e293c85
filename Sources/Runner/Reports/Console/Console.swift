import Dispatch
import HILRecord
import Synchronization

/// Draws a run on standard output: lines that stay, and below them, on a terminal, the live lines.
///
/// The cursor is always at the start of the line below the live lines, so that text of other programs, or of the
/// person, begins on an empty line.
final class Console: Sendable {
    private struct State {
        var live = LiveLines()
        /// The widths of the live lines on the screen, in columns.
        var drawn: [Int] = []
        /// Whether a message is shown until a key is pressed; no live lines meanwhile.
        var isHeld = false
    }

    private let text: ConsoleText
    private let terminal: Terminal
    private let now: @Sendable () -> UInt64
    private let print: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// - Parameters:
    ///   - now: Nanoseconds since 1970.
    ///   - print: Writes to standard output.
    init(
        _ terminal: Terminal, root: String?, now: @escaping @Sendable () -> UInt64,
        print: @escaping @Sendable (String) -> Void
    ) {
        text = ConsoleText(hasColours: terminal.hasColours, root: root)
        self.terminal = terminal
        self.now = now
        self.print = print
    }

    deinit { stop() }

    /// Redraws the live lines five times a second from now on, until the run has ended.
    func start() {
        guard terminal.isLive else { return }
        timer.withLock { timer in
            let source = DispatchSource.makeTimerSource()
            source.schedule(deadline: .now(), repeating: .milliseconds(200))
            source.setEventHandler { [weak self] in self?.tick() }
            source.activate()
            timer = source
        }
    }

    /// Handles the next line of the run.
    func take(_ line: RunLine, _ record: RunRecord) {
        state.withLock { state in
            let hasChanged = state.live.take(line, record)
            let lasting = text.text(for: line, record)
            if hasChanged || !lasting.isEmpty { draw(lasting, &state) }
        }
        if case .runEnded? = line.runner { stop() }
    }

    private func stop() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }

    /// Redraws the live lines.
    func tick() { state.withLock { draw("", &$0) } }

    /// Shows a message to a person, and no live lines until ``release()``.
    func hold(_ message: String) {
        state.withLock { state in
            state.isHeld = true
            draw(message, &state)
        }
    }

    /// Ends ``hold(_:)``: the key was pressed.
    func release() {
        state.withLock { state in
            state.isHeld = false
            draw("", &state)
        }
    }

    private func draw(_ lasting: String, _ state: inout State) {
        guard terminal.isLive else {
            if !lasting.isEmpty { print(lasting) }
            return
        }
        let (columns, rows) = terminal.size()
        let lines = state.isHeld ? [] : state.live.lines(at: now(), columns: columns, rows: rows)
        if lasting.isEmpty && lines.isEmpty && state.drawn.isEmpty { return }
        // A terminal that became narrower has wrapped the lines.
        let up = state.drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
        state.drawn = lines.map(TextWidth.columns)
        let erased = up > 0 ? "\u{1B}[\(up)A\r\u{1B}[J" : ""
        print(erased + lasting + lines.map { text.dim($0) + "\n" }.joined())
    }
}
