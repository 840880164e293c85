import Foundation
import Glibc
import HILPOSIX
import HILTiming
import Testing

@testable import HILWiFi

/// The daemon's end of a control socket.
final class ControlPeer: Sendable {
    let path: String
    let descriptor: Descriptor

    init() throws {
        path = "/tmp/hil-control-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        descriptor = try ControlSocket.makeSocket()
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        try withUnsafeSocketAddress(of: &address) { pointer throws(SystemError) in
            try valueOrErrno("bind", "binding") {
                bind(descriptor.raw, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    deinit { unlink(path) }

    /// Receives one command, and sends these messages to its sender.
    func answer(_ messages: [String]) async throws -> String {
        try await waitUntilReady(descriptor)
        var buffer = [UInt8](repeating: 0, count: 4096)
        var from = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        var count = 0
        try withUnsafeSocketAddress(of: &from) { pointer throws(SystemError) in
            count = try valueOrErrno("recvfrom", "receiving") {
                recvfrom(descriptor.raw, &buffer, buffer.count, 0, pointer, &length)
            }
            for message in messages {
                let bytes = Array(message.utf8)
                try valueOrErrno("sendto", "answering") {
                    sendto(descriptor.raw, bytes, bytes.count, 0, pointer, length)
                }
            }
        }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}

@Suite struct ControlSocketTests {
    @Test func answersAndEventsAreDistinguished() async throws {
        let peer = try ControlPeer()
        let socket = try ControlSocket(path: peer.path)
        async let answer = socket.ask("STATUS")
        #expect(
            try await peer.answer(["<3>AP-ENABLED ", "state=ENABLED\n", "<3>AP-STA-CONNECTED 02:00:00:00:00:01"])
                == "STATUS")
        #expect(try await answer == "state=ENABLED")
        _ = try await socket.events.first(within: .seconds(300), waitingFor: "the second event") {
            $0.name == "AP-STA-CONNECTED"
        }
        #expect(socket.events.events.map(\.name) == ["AP-ENABLED", "AP-STA-CONNECTED"])
    }

    /// Such a thread makes others, which would run tasks of this process in the wrong network.
    @Test(
        "The thread of a socket whose daemon is in a network of its own is in that of the process",
        .enabled(if: geteuid() == 0, "only root may make networks"))
    func thread() async throws {
        let (peer, network) = (try ControlPeer(), try NetworkNamespace())
        let socket = try ControlSocket(path: peer.path, in: network)
        let path = "/proc/self/fd/\(network.descriptor.raw)"
        let name = try FileManager.default.destinationOfSymbolicLink(atPath: path)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { thread in
            // A thread may have ended.
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/task/\(thread)/ns/net")) == name
        }
        #expect(name.hasPrefix("net:[") && threads.isEmpty, "\(threads)")
        socket.close()
    }

    /// Before it ends a network, hostapd tells of the stations that it disconnects.
    @Test func eventsBeforeTheEndAreKept() async throws {
        for _ in 0..<200 {
            let peer = try ControlPeer()
            let socket = try ControlSocket(path: peer.path)
            let asking = Task { try await socket.ask("REMOVE") }
            _ = try await peer.answer((0..<8).map { "<3>AP-STA-DISCONNECTED 02:00:00:00:00:0\($0)" })
            socket.close()
            var count = 0
            await #expect(throws: ControlError.self) { for try await _ in socket.events.events() { count += 1 } }
            #expect(count == 8)
            await #expect(throws: ControlError.self) { try await asking.value }
        }
    }

    /// The answer to an abandoned command must not be taken for the answer to the next one.
    @Test func aLateAnswerIsNotGivenToTheNextCommand() async throws {
        let peer = try ControlPeer()
        let socket = try ControlSocket(path: peer.path)
        let first = Task { try await socket.ask("SLOW") }
        try await waitUntilReady(peer.descriptor)
        first.cancel()
        await #expect(throws: (any Error).self) { try await first.value }
        async let second = socket.ask("QUICK")
        _ = try await peer.answer(["late"])
        _ = try await peer.answer(["quick"])
        #expect(try await second == "quick")
    }

    @Test func closingEndsEveryWait() async throws {
        let peer = try ControlPeer()
        let socket = try ControlSocket(path: peer.path)
        let waiting = Task { try await socket.ask("STATUS") }
        _ = try await peer.answer([])
        socket.close()
        await #expect(throws: ControlError.closed(socket: peer.path)) { try await waiting.value }
        await #expect(throws: ControlError.closed(socket: peer.path)) { try await socket.ask("STATUS") }
    }

    @Test func aRefusalNamesTheCommandWithoutItsKey() async throws {
        let peer = try ControlPeer()
        let socket = try ControlSocket(path: peer.path)
        let order = Task { try await socket.order(#"SET_NETWORK 0 psk "swordfish""#) }
        _ = try await peer.answer(["FAIL\n"])
        do {
            try await order.value
            Issue.record("a refusal is an error")
        } catch {
            #expect("\(error)".contains("SET_NETWORK 0 psk"))
            #expect(!"\(error)".contains("swordfish"))
        }
    }

    /// A daemon that reads nothing fills its socket. Then commands fail, and no thread waits in the kernel.
    @Test(.timeLimit(.minutes(1))) func aDaemonThatReadsNothingBlocksNoCaller() async throws {
        let peer = try ControlPeer()
        let socket = try ControlSocket(path: peer.path)
        let long = "PING " + String(repeating: "x", count: 60_000)
        var isFull = false
        for _ in 0..<1000 where !isFull {
            do { _ = try await socket.ask(long, within: .milliseconds(5)) } catch let error as SystemError {
                isFull = error.code == EAGAIN
            } catch is TimedOut {}
        }
        #expect(isFull)
    }
}
