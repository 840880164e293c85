import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILReports
import HILTiming
import RigModel
import VirtualRig

/// `--pause-on-failure`: keeps the rig of a failed scenario unchanged until the person presses Enter.
struct PauseAtTerminal: Sendable {
    private let interruption: Interruption
    private let keys = EventLog<Bool>()

    /// Reads standard input from now on. If it has ended, nothing pauses.
    init(_ interruption: Interruption) {
        self.interruption = interruption
        startThread(named: "keys") { [keys] in
            let input = Descriptor(adopting: dup(STDIN_FILENO))
            while let bytes = try? input.read(), !bytes.isEmpty {
                for byte in bytes where byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { keys.append(true) }
            }
            keys.finish(throwing: CancellationError())
        }
    }

    /// The function that a run calls with the rig of a failed scenario.
    func hook(_ reports: ReportWriter) -> Run.Pause { { await pause($0, reports) } }

    /// Waits until Enter is pressed, or a signal comes.
    private func pause(_ rig: PausedRig, _ reports: ReportWriter) async {
        let pressed = keys.events.count
        await reports.pause(PauseAtTerminal.text(of: rig)) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try? await keys.first(from: pressed, within: .seconds(1_000_000), waitingFor: "Enter")
                }
                group.addTask { try? await interruption.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// The message for the person, with the places to look at.
    static func text(of rig: PausedRig) -> String {
        let cause = rig.cause.message.prefix { !$0.isNewline }
        return """
            paused  \(rig.title)
                    \(cause)
                    both boards, the air and the app remain unchanged\(places(of: rig))
                    \(rig.folder)   has the logs so far, and the capture
            press Enter to continue

            """
    }
    /// How to look at a virtual rig from another terminal; nothing for other kinds.
    private static func places(of rig: PausedRig) -> String {
        guard let folder = VirtualRig.folder(of: rig.endpoint) else { return "" }
        let program = Command.invocation.program
        let lines = [
            "\(program) shell host, \(program) shell accessory   give a root shell on a board, from another terminal",
            "\(program) tap   shows what goes over the air", "\(folder)   has the sockets of boards and air",
        ]
        return lines.map { "\n        \($0)" }.joined()
    }
}
