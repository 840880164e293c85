import Glibc
import Testing

@testable import HILPOSIX

@Suite("A network namespace", .enabled(if: geteuid() == 0, "making one needs root"))
struct NetworkNamespaceTests {
    private func interfaces() -> [String] {
        var names: [String] = []
        guard let list = if_nameindex() else { return names }
        defer { if_freenameindex(list) }
        var next = list
        while let name = next.pointee.if_name {
            names.append(String(cString: name))
            next += 1
        }
        return names
    }

    @Test("Code in it sees only its own interfaces, and code after it those of the machine")
    func inside() throws {
        let before = interfaces()
        let namespace = try NetworkNamespace()
        #expect(interfaces() == before)
        #expect(try namespace.run { interfaces() } == ["lo"])
        #expect(interfaces() == before)
        struct Broken: Error {}
        #expect(throws: Broken.self) { try namespace.run { throw Broken() } }
        #expect(interfaces() == before, "an error leaves it, too")
    }

    @Test("A program runs in it")
    func program() async throws {
        let namespace = try NetworkNamespace()
        let pipe = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            namespace.command(["ls", "/proc/self/net/dev_snmp6"]), streams: [.null, .descriptor(pipe.write), .null])
        pipe.write.close()
        var printed: [UInt8] = []
        while case let bytes = try pipe.read.read(), !bytes.isEmpty { printed += bytes }
        _ = await child.wait()
        #expect(String(decoding: printed, as: UTF8.self) == "lo\n")
    }
}
