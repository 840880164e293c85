import HILPOSIX
import RadioModel
import Testing

@testable import HILPhoneRadio

@Suite("The socket of the phone's controller", .timeLimit(.minutes(1)))
struct SocketTransportTests {
    @Test("Packets come whole in both directions, until the transport is closed")
    func packets() async throws {
        let (near, far) = try UnixSocket.pair()
        let transport = SocketTransport(near)
        try transport.send([1, 3, 0x0C, 0])
        #expect(try far.read() == [1, 3, 0x0C, 0])
        try far.write([4, 0x0E, 4, 1, 3])
        try far.write([0x0C, 0, 2, 1, 0x20, 0, 0])
        var packets = transport.packets.makeAsyncIterator()
        #expect(try await packets.next() == [4, 0x0E, 4, 1, 3, 0x0C, 0])
        #expect(try await packets.next() == [2, 1, 0x20, 0, 0])
        transport.close()
        #expect(try await packets.next() == nil)
        #expect(try far.read().isEmpty)
    }

    @Test("Bytes that are not HCI end the transport with an error of the rig")
    func broken() async throws {
        let (near, far) = try UnixSocket.pair()
        let transport = SocketTransport(near)
        try far.write([9, 9])
        var packets = transport.packets.makeAsyncIterator()
        let error = await #expect(throws: RadioError.self) { try await packets.next() }
        #expect(error.map { "\($0)".contains("not HCI") } == true)
        #expect(try far.read().isEmpty)
    }

    @Test("A socket that nobody serves is an error with its path")
    func absent() {
        let error = #expect(throws: RadioError.self) { try SocketTransport(path: "/nowhere/phone.sock") }
        #expect(error.map { "\($0)".contains("/nowhere/phone.sock") } == true)
    }
}
