import DieProtocol
import Glibc
import POSIX
import Synchronization
import Timing
import WiFi

/// Answers ``DieProtocol/DieService`` on one address.
final class DieRollService: Sendable {
    /// How long a phone may take with its question.
    private static let patience = Duration.seconds(5)

    private let listener: Descriptor
    private let task: Task<Void, Never>

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - address: In dotted form; the board has it.
    ///   - port: 0 for any that is free.
    ///   - answer: What the die answers at the moment.
    init(
        on address: String, port: UInt16 = DieService.port, answer: @escaping @Sendable () -> DieService.Answer
    ) throws(SystemError) {
        let raw = try valueOrErrno("socket", "making a socket") {
            socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        let listener = Descriptor(adopting: raw)
        var reuse: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        let place = try internetAddress(address, port: port)
        try withUnsafePointer(to: place) { pointer throws(SystemError) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(SystemError) in
                _ = try valueOrErrno("bind", "serving on \(address), port \(port)") {
                    bind(raw, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        try valueOrErrno("listen", "listening on \(address)") { listen(raw, 16) }
        self.listener = listener
        task = Task {
            while !Task.isCancelled, (try? await waitUntilReady(listener)) != nil {
                guard let phone = try? UnixSocket.accept(on: listener) else { continue }
                Task { await DieRollService.serve(phone, answer) }
            }
        }
    }

    deinit { task.cancel() }

    /// Answers one phone and hangs up; anything but the question is not answered.
    private static func serve(_ phone: Descriptor, _ answer: @escaping @Sendable () -> DieService.Answer) async {
        try? phone.setNonBlocking()
        try? await withDeadline(patience, waitingFor: "a phone's question") {
            var line: [UInt8] = []
            while line.last != 0x0A, line.count < DieService.longestLine {
                try await waitUntilReady(phone)
                let bytes = try phone.read(upTo: DieService.longestLine - line.count)
                if bytes.isEmpty { return }
                line += bytes
            }
            guard line == Array(DieService.question.utf8) else { return }
            try phone.write(answer().line.utf8)
        }
        phone.shutDown()
    }
}
