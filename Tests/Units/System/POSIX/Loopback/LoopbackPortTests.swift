import Foundation
import HILTiming
import Testing

@testable import HILPOSIX

@Suite("A port of this machine")
struct LoopbackPortTests {
    /// From `/proc/net/tcp` and `/proc/net/tcp6`: the owner of a connection's end is the user of its own line.
    private let list = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:3861 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0 100 0 0 10 0
           1: 0100007F:3861 0100007F:B0C2 01 00000000:00000000 00:00000000 00000000  1000        0 42 1 0 20 4 30 10 -1
           2: 0100007F:B0C2 0100007F:3861 01 00000000:00000000 00:00000000 00000000  1001        0 43 1 0 20 4 30 10 -1
           3: short
           4: 0000000000000000FFFF00000100007F:00C3 0000000000000000FFFF00000100007F:3861 01 00:00 00:00 00 1002 0 44
        """

    @Test("The user at the other end is read from the kernel's list, and from no broken line")
    func owner() {
        #expect(LoopbackPort.owner(of: 0xB0C2, connectedTo: 0x3861, in: list) == 1001)
        #expect(LoopbackPort.owner(of: 0xC3, connectedTo: 0x3861, in: list) == 1002)
        #expect(LoopbackPort.owner(of: 0x3861, connectedTo: 0xB0C2, in: list) == 1000)
        #expect(LoopbackPort.owner(of: 0xB0C3, connectedTo: 0x3861, in: list) == nil)
        #expect(LoopbackPort.owner(of: 0xB0C2, connectedTo: 0x3861, in: "") == nil)
    }

    /// Lets a program connect, and says whether the port takes it for this user's.
    ///
    /// - Parameter prefix: A program that starts others, and its arguments.
    private func isOwn(_ port: LoopbackPort, through prefix: [String] = []) async throws -> Bool {
        // Without a program the wait below ends by its limit.
        let client = try ChildProcess.spawn(
            prefix + ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port.number); cat <&3"], atParentDeath: .kill)
        defer { client.signal(SIGKILL) }
        let answers = EventLog<Bool>()
        startThread(named: "port") {
            guard let connection = try? port.accept() else { return }
            answers.append(port.isOwn(connection))
        }
        return try await answers.first(within: .seconds(60), waitingFor: "a connection") { _ in true }.event
    }

    @Test("A program of this user is let in")
    func own() async throws { #expect(try await isOwn(LoopbackPort())) }

    @Test(
        "A program of another user is not let in",
        .enabled(if: getuid() == 0, "only root can start a program of another user"))
    func others() async throws {
        let nobody = ["setpriv", "--reuid", "65534", "--clear-groups", "--"]
        #expect(try await !isOwn(LoopbackPort(), through: nobody))
    }

    @Test("No two ports have one number, and a closed port ends the wait for a connection")
    func closes() throws {
        let (port, other) = (try LoopbackPort(), try LoopbackPort())
        #expect(port.number != other.number && port.number != 0)
        #expect(throws: SystemError.self, "another program has it") { try LoopbackPort(port.number) }
        port.close()
        #expect(throws: SystemError.self) { try port.accept() }
    }
}
