import Foundation
import Testing

@testable import DieProtocol

@Suite("Messages to and from the die's relay")
struct DieRelayTests {
    private static let mailbox = UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F")!
    private static let identifier: [UInt8] = Array(0...15)

    private static let layouts: [(DieRelay.Message, [UInt8])] = [
        (.attend(mailbox: mailbox), [32] + identifier), (.attended(mailbox: mailbox), [33] + identifier),
        (.post(mailbox: mailbox, token: Data([7, 8]), Data([16])), [34] + identifier + [2, 7, 8, 16]),
        (.posted(app: 0x0102, token: Data([7]), Data([16])), [35, 2, 1, 0, 0, 1, 7, 16]),
        (.answer(app: 3, Data([17])), [36, 3, 0, 0, 0, 17]), (.answered(Data([17])), [37, 17]), (.absent, [38]),
        (.push(token: Data([7]), session: mailbox, sealed: Data([9])), [39, 1, 7] + identifier + [9]),
    ]

    @Test("The layout is the documented one", arguments: layouts)
    func layout(message: DieRelay.Message, bytes: [UInt8]) throws {
        #expect(Array(try message.encoded()) == bytes)
        #expect(try DieRelay.Message(decoding: Data(bytes)) == message)
        for count in 0..<bytes.count {
            #expect(throws: DieProtocolError.self) { try DieRelay.Message(decoding: Data(bytes.prefix(count))) }
        }
    }

    @Test("The largest delivery is accepted, and nothing larger")
    func largest() throws {
        let largest = Data(count: DieMessageService.maximumMessageLength)
        let token = Data(repeating: 7, count: 255)
        let message = DieRelay.Message.post(mailbox: Self.mailbox, token: token, largest)
        var reader = DieRelay.Reader()
        #expect(try reader.push(DieRelay.frame(message)) == [message])
        #expect(throws: DieProtocolError.self) { try DieRelay.frame(.answered(Data(count: (1 << 20) + 1024))) }
        #expect(throws: DieProtocolError.self) {
            try DieRelay.frame(.push(token: Data(), session: UUID(), sealed: token))
        }
    }
}
