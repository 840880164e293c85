import Glibc
import POSIX
import RadioModel
import Timing
import WiFi

/// One question and its answer over TCP.
enum TCPExchange {
    /// The longest answer: 1 MiB.
    static let limit = 1 << 20

    /// Connects, sends, and reads until the peer hangs up.
    ///
    /// - Parameter interface: The network interface to go over; nil for whichever the kernel chooses.
    /// - Throws: ``RadioModel/RadioError/noAnswer(_:)`` when nobody answers in time or the peer breaks off.
    static func run(
        _ request: [UInt8], with address: String, port: UInt16, over interface: String?, within limit: Duration
    ) async throws -> [UInt8] {
        let target = "\(address):\(port)"
        guard let peer = try? internetAddress(address, port: port) else {
            throw RadioError.invalid("\(address) is no IPv4 address")
        }
        do {
            return try await withDeadline(limit, waitingFor: "\(target) to answer") {
                let socket = try await connect(to: peer, over: interface)
                try await send(request, to: socket)
                return try await receive(from: socket, target: target)
            }
        } catch let error as TimedOut {
            throw RadioError.noAnswer("\(target): \(error)")
        } catch let error as SystemError {
            throw RadioError.noAnswer("\(target): \(error)")
        }
    }

    private static func connect(to peer: sockaddr_in, over interface: String?) async throws -> Descriptor {
        let raw = try valueOrErrno("socket", "making a socket") {
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        let socket = Descriptor(adopting: raw)
        if let interface {
            let name = Array(interface.utf8)
            try valueOrErrno("setsockopt", "binding a socket to \(interface)") {
                setsockopt(raw, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.count))
            }
        }
        do throws(SystemError) {
            try withUnsafePointer(to: peer) { pointer throws(SystemError) in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(SystemError) in
                    _ = try valueOrErrno("connect", "connecting") {
                        Glibc.connect(raw, address, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
        } catch {
            guard error.code == EINPROGRESS else { throw error }
            try await waitUntilReady(socket, for: POLLOUT)
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &size)
            if code != 0 { throw SystemError(code: code, action: "connecting") }
        }
        return socket
    }

    private static func send(_ bytes: [UInt8], to socket: Descriptor) async throws {
        var done = 0
        while done < bytes.count {
            do throws(SystemError) {
                done += try valueOrErrno("send", "sending") {
                    bytes.withUnsafeBytes {
                        Glibc.send(socket.raw, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
                    }
                }
            } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(socket, for: POLLOUT)
            }
        }
    }

    private static func receive(from socket: Descriptor, target: String) async throws -> [UInt8] {
        var answer: [UInt8] = []
        while true {
            do throws(SystemError) {
                let bytes = try socket.read()
                if bytes.isEmpty { return answer }
                answer += bytes
            } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(socket)
            }
            guard answer.count <= limit else {
                throw RadioError.noAnswer("\(target): the answer is longer than \(limit) bytes")
            }
        }
    }
}
