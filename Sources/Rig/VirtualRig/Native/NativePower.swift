import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// Switches the power of a virtual board, over a separate connection.
protocol PowerSwitch: Sendable {
    /// Switches the power off: the board stops, and the content of its memory is lost.
    func cut() async throws

    /// Switches the power on again. Returns when the board has begun to boot.
    func restore() async throws
}

/// The power switch of a native board for other processes: a socket. Each line is a word, `cut` or `restore`, and each
/// answer is a line, `done` or the reason of a failure.
final class NativePower: PowerSwitch {
    private enum Word {
        static let cut = "cut"
        static let restore = "restore"
        static let done = "done"
    }

    private let socket: Descriptor
    private let name: String
    private let answers = EventLog<String>()

    /// Connects to the switch.
    ///
    /// - Parameter name: The board's name, for errors.
    init(socket path: String, name: String) throws {
        socket = try UnixSocket.connect(to: path)
        self.name = name
        startThread(named: "power-\(name)") { [socket, answers, name] in
            NativePower.lines(of: socket) { answers.append($0) }
            answers.finish(throwing: RigFailure("switching the \(name) board's power", "its switch is gone"))
        }
    }

    deinit { socket.shutDown() }

    func cut() async throws { try await ask(Word.cut) }

    func restore() async throws { try await ask(Word.restore) }

    private func ask(_ word: String) async throws {
        let start = answers.count
        try socket.write(Array("\(word)\n".utf8))
        let (answer, _) = try await answers.first(
            from: start, within: .seconds(20), waitingFor: "the \(name) board's power switch")
        guard answer == Word.done else { throw RigFailure("switching the \(name) board's power", answer) }
    }

    /// Serves the switch of a board until this process ends.
    ///
    /// - Parameter switched: Called after the board was switched on or off.
    static func serve(_ board: NativeBoard, at path: String, switched: @escaping @Sendable () -> Void) throws {
        let listener = try UnixSocket.listen(at: path)
        startThread(named: "power") {
            while let client = try? UnixSocket.accept(on: listener) {
                startThread(named: "power-client") {
                    NativePower.lines(of: client) { line in
                        Task {
                            let answer = await answer(line, board)
                            switched()
                            try client.write(Array("\(answer)\n".utf8))
                        }
                    }
                }
            }
        }
    }

    private static func answer(_ line: String, _ board: NativeBoard) async -> String {
        do {
            switch line {
            case Word.cut: try await board.switchOff()
            case Word.restore: try board.switchOn()
            default: return "unknown word: \(line)"
            }
            return Word.done
        } catch { return RigFailure.words(of: error) }
    }

    /// Calls `take` with each line until the socket ends.
    private static func lines(of socket: Descriptor, _ take: (String) -> Void) {
        var splitter = LineSplitter(limit: 256)
        while let bytes = try? socket.read(), !bytes.isEmpty {
            for line in splitter.push(bytes) { take(String(decoding: line, as: UTF8.self)) }
        }
    }
}
