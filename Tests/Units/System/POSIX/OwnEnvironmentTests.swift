import Glibc
import Testing

@testable import HILPOSIX

@Suite("A variable that only this process sees")
struct OwnEnvironmentTests {
    /// What a program gets as the value of a variable; empty if it has none.
    private func heard(_ name: String, environment: [String]? = nil) async throws -> String {
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            ["sh", "-c", "printf %s \"$\(name)\""], environment: environment, streams: [.null, .descriptor(write)])
        write.close()
        var bytes: [UInt8] = []
        while case let more = try read.read(), !more.isEmpty { bytes += more }
        _ = await child.wait()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("is for a program what it was before, whoever makes the program's environment")
    func inherited() async throws {
        let (old, new) = ("HIL_TEST_OLD_\(getpid())", "HIL_TEST_NEW_\(getpid())")
        setenv(old, "before", 1)
        OwnEnvironment.set(old, to: "between")
        OwnEnvironment.set(old, to: "own")
        OwnEnvironment.set(new, to: "own")
        #expect(getenv(old).map { String(cString: $0) } == "own")
        #expect(try await heard(old) == "before")
        #expect(try await heard(new) == "")
        let path = getenv("PATH").map { "PATH=\(String(cString: $0))" } ?? "PATH=/bin"
        #expect(try await heard(old, environment: [path, "\(old)=own"]) == "before")
        #expect(try await heard(new, environment: [path, "\(new)=own"]) == "")
        #expect(try await heard(new, environment: [path, "\(new)=the program's"]) == "the program's")
    }

    @Test("may be there from the process's start; its programs get the value from before, or none")
    func fromTheStart() async throws {
        let (old, new) = ("HIL_TEST_OLDER_\(getpid())", "HIL_TEST_NEWER_\(getpid())")
        setenv(old, "before", 1)
        for entry in OwnEnvironment.entries(old, "own") + OwnEnvironment.entries(new, "own") {
            let parts = entry.split(separator: "=")
            setenv(String(parts[0]), String(parts[1]), 1)
        }
        for name in [old, new] { OwnEnvironment.adopt(name) }
        #expect(getenv(old).map { String(cString: $0) } == "own" && getenv("HIL_BEFORE_\(old)") == nil)
        #expect(try await heard(old) == "before")
        #expect(try await heard(new) == "")
    }
}

@Suite("A socket without a name")
struct NamelessSocketTests {
    @Test("is reached by this process, tells who has connected, and leaves no file behind")
    func connected() throws {
        let socket = try UnixSocket.listenNameless()
        let client = try UnixSocket.connect(to: socket.path)
        let server = try UnixSocket.accept(on: socket.listener)
        try client.write([1, 2, 3])
        #expect(try server.read() == [1, 2, 3])
        #expect(UnixSocket.peerProcess(of: server) == getpid())
        var path = [CChar](repeating: 0, count: 256)
        let count = readlink(socket.path, &path, 255)
        let name = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(name.hasSuffix("/socket (deleted)"))
        #expect(access(String(name.dropLast("/socket (deleted)".count)), F_OK) != 0)
    }
}
