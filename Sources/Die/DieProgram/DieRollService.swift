import BoardAgent
import DieProtocol
import POSIX
import Timing

/// Answers ``DieProtocol/DieService`` on one address.
final class DieRollService: Sendable {
    /// How long a phone may take with its question.
    private static let patience = Duration.seconds(5)

    private let listener: TCPListener

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - address: In dotted form; the board has it.
    ///   - port: 0 for any that is free.
    ///   - answer: What the die answers at the moment; nil for a die that is gone.
    init(
        on address: String, port: UInt16 = DieService.port, answer: @escaping @Sendable () -> DieService.Answer?
    ) throws(SystemError) {
        listener = try TCPListener(on: address, port: port) { phone in
            Task { await DieRollService.serve(phone, answer) }
        }
    }

    /// Answers one phone and hangs up; anything but the question is not answered.
    private static func serve(_ phone: TCPSocket, _ answer: @escaping @Sendable () -> DieService.Answer?) async {
        try? await withDeadline(patience, waitingFor: "a phone's question") {
            var line: [UInt8] = []
            while line.last != 0x0A, line.count < DieService.longestLine {
                let bytes = try await phone.receive(upTo: DieService.longestLine - line.count)
                if bytes.isEmpty { return }
                line += bytes
            }
            guard line == Array(DieService.question.utf8), let answer = answer() else { return }
            try await phone.send(Array(answer.line.utf8))
        }
        phone.shutDown()
    }
}
