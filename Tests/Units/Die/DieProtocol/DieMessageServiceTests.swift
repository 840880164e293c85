import Foundation
import Testing

@testable import DieProtocol

@Suite("Messages over the die's network")
struct DieMessageServiceTests {
    private static let messages = [
        Data([1]), Data(repeating: 16, count: 300), Data(repeating: 2, count: DieMessageService.maximumMessageLength),
    ]

    @Test("Messages are received as they were sent, wherever the stream is split", arguments: [1, 5, 7, 65_536])
    func cut(piece: Int) throws {
        // The longest takes a while byte by byte.
        let messages = piece < 7 ? Array(Self.messages.prefix(2)) : Self.messages
        var rest = try messages.reduce(Data()) { try $0 + DieMessageService.frame($1) }[...]
        var reader = DieMessageService.Reader()
        var read: [Data] = []
        while !rest.isEmpty {
            read += try reader.push(Data(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        #expect(read == messages)
        #expect(reader.pendingByteCount == 0)
    }

    @Test("The layout is the documented one")
    func layout() throws {
        let bytes = try DieMessageService.frame(NotificationMessage.receipt(number: 0x0102, .repeated).encoded)
        #expect(Array(bytes) == [1, 6, 0, 0, 0, 17, 2, 1, 0, 0, 1])
    }

    @Test("Messages that the peer would refuse are not sent")
    func refused() {
        #expect(throws: DieProtocolError.self) { try DieMessageService.frame(Data()) }
        let tooLong = Data(count: DieMessageService.maximumMessageLength + 1)
        #expect(throws: DieProtocolError.self) { try DieMessageService.frame(tooLong) }
    }

    @Test(
        "A broken stream is refused at its header, and no memory is reserved for an announced length",
        arguments: [
            [0, 1, 0, 0, 0, 16], [2, 1, 0, 0, 0, 16], [1, 0, 0, 0, 0], [1, 0xFF, 0xFF, 0xFF, 0xFF],
            [1, 0x41, 0x00, 0x10, 0x00],
        ])
    func broken(bytes: [UInt8]) throws {
        var reader = DieMessageService.Reader()
        #expect(throws: DieProtocolError.self) { try reader.push(Data(bytes)) }
        var patient = DieMessageService.Reader()
        #expect(try patient.push(Data([1, 0x40, 0x00, 0x10, 0x00, 7])).isEmpty)
        #expect(patient.pendingByteCount == 6)
    }
}
