import Foundation
import HILBluetoothHost
import HILRecord
import RadioModel
import Testing

@testable import HIL

struct PacketNamesTests {
    private static let lamp = DeviceAddress(bytes: [2, 0, 0, 0, 2, 0xB0])!

    private func packet(_ direction: RawPacket.Direction, _ pdu: ATTPDU) -> RawPacket {
        RawPacket(direction, Self.lamp, channel: RawPacket.attributes, Data(pdu.bytes))
    }

    @Test("A packet has the name of its characteristic, as a discovery told it, and an answer that of its request")
    func names() {
        var names = PacketNames()
        // Handle 2: properties, the value's handle 3, and the UUID FF03.
        let declaration = HandleValue(2, [0x0A, 3, 0, 0x03, 0xFF])
        #expect(names.name(packet(.received, .readByTypeResponse([declaration])))?.what == nil)
        let configuration = AttributeInformation(4, AttributeType.clientConfiguration)
        #expect(names.name(packet(.received, .findInformationResponse([configuration])))?.what == nil)
        func what(_ direction: RawPacket.Direction, _ pdu: ATTPDU) -> String? {
            names.name(packet(direction, pdu))?.what
        }
        #expect(what(.sent, .writeRequest(handle: 3, value: [1])) == "write(FF03)")
        #expect(what(.received, .writeResponse) == "answer(write(FF03))")
        #expect(what(.received, .writeResponse) == nil, "nothing is asked")
        #expect(what(.sent, .writeRequest(handle: 4, value: [1, 0])) == "subscribe(FF03)")
        #expect(what(.sent, .writeRequest(handle: 4, value: [0, 0])) == "unsubscribe(FF03)")
        #expect(what(.sent, .readRequest(handle: 3)) == "read(FF03)")
        #expect(
            what(.received, .errorResponse(request: 0x0A, handle: 3, error: ATTError(0x05)))
                == "refusal(read(FF03))")
        #expect(what(.received, .notification(HandleValue(3, [1]))) == "notify(FF03)")
        #expect(what(.sent, .writeCommand(handle: 9, value: [])) == "command(handle 0x0009)")
    }

    @Test("Only the first request of a discovery is a moment, and messages of the security manager are")
    func discoveries() {
        var names = PacketNames()
        let range = HandleRange(1, 0xFFFF)
        let request = packet(.sent, .readByTypeRequest(range, type: AttributeType.characteristic))
        #expect(names.name(request)?.what == "discover(characteristics)")
        #expect(names.name(request) == nil)
        let check = RawPacket(
            .sent, Self.lamp, channel: RawPacket.securityManager, Data([0x0D] + [UInt8](repeating: 0, count: 16)))
        let name = names.name(check)
        #expect(name?.layer == .pairing && name?.what == "smp(dhKeyCheck)")
        let data = names.name(RawPacket(.received, Self.lamp, channel: 0x41, Data([1])))
        #expect(data?.layer == .channel && data?.what == "data(received)")
    }

    @Test("Data of a channel has the name of its port, in each direction, whichever end opens it")
    func channels() {
        func signal(_ direction: RawPacket.Direction, _ bytes: [UInt8]) -> RawPacket {
            RawPacket(direction, Self.lamp, channel: RawPacket.signaling, Data(bytes))
        }
        for (opener, other) in [(RawPacket.Direction.sent, RawPacket.Direction.received), (.received, .sent)] {
            var names = PacketNames()
            func data(_ direction: RawPacket.Direction, _ channel: UInt16) -> String? {
                names.name(RawPacket(direction, Self.lamp, channel: channel, Data([1])))?.what
            }
            // Port 0x0080, source 0x0040, MTU and MPS of 512, 3 credits; destination 0x0051 in the answer.
            let asked = names.name(signal(opener, [0x14, 7, 10, 0, 0x80, 0, 0x40, 0, 0, 2, 0, 2, 3, 0]))
            #expect(asked?.layer == .channel && asked?.what == "open(0080)")
            #expect(names.name(signal(other, [0x15, 7, 10, 0, 0x51, 0, 0, 2, 0, 2, 3, 0, 0, 0])) == nil)
            #expect(data(opener, 0x51) == "data(0080 \(opener))")
            #expect(data(other, 0x40) == "data(0080 \(other))")
            #expect(data(other, 0x51) == "data(\(other))")
            // What is cut off, or answers nothing, is no moment.
            #expect(names.name(signal(other, [0x15, 8, 10, 0, 0x52, 0])) == nil)
            #expect(names.name(signal(other, [0x15, 8, 10, 0, 0x52, 0, 0, 2, 0, 2, 3, 0, 0, 0])) == nil)
        }
    }

    @Test("Bytes that are no message have no name", arguments: [[], [0x00], [0xFF, 1, 2], [0x1B], [0x12, 3]])
    func hostile(bytes: [UInt8]) {
        var names = PacketNames()
        for channel in [RawPacket.attributes, RawPacket.signaling, RawPacket.securityManager] {
            let name = names.name(RawPacket(.received, Self.lamp, channel: channel, Data(bytes)))
            #expect(name == nil || channel == RawPacket.securityManager, "\(String(describing: name))")
        }
    }
}
