import BoardAgent
import DieProtocol
import HILPOSIX
import HILTiming

/// Serves ``DieProtocol/DieService`` on one address.
final class DieRollService: Sendable {
    /// How long a phone may take to send its question.
    private static let connectionTimeout = Duration.seconds(5)

    private let listener: TCPListener

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: An IPv4 address of the board, in dotted form.
    ///   - port: 0 for any free port.
    ///   - answer: Returns the current answer; nil if the die no longer exists.
    init(
        on address: String, port: UInt16 = DieService.port, answer: @escaping @Sendable () -> DieService.Answer?
    ) throws(SystemError) {
        listener = try TCPListener(on: address, port: port) { phone in
            Task { await DieRollService.serve(phone, answer) }
        }
    }

    /// Answers one phone and closes the connection. Other requests are not answered.
    private static func serve(_ phone: TCPSocket, _ answer: @escaping @Sendable () -> DieService.Answer?) async {
        try? await withDeadline(connectionTimeout, waitingFor: "a phone's question") {
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
