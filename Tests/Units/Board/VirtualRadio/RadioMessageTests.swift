import HILPOSIX
import RadioModel
import TestSupport
import Testing

@testable import VirtualRadio

@Suite("The messages of a radio port")
struct RadioMessageTests {
    static let address = DeviceAddress(bytes: [2, 0, 0, 0, 1, 0])!
    static let frame: [UInt8] = [0x08, 0x01] + Array(repeating: 7, count: 40)
    static let rates = [WiFiRate(index: 3, tries: 2, flags: 0x8008), WiFiRate(index: -1, tries: 0)]

    static let samples: [RadioMessage] = [
        .reset(token: 0xDEAD_BEEF), .ready(token: 0), .attach(address: address, channels: 2), .attached(name: "hci0"),
        .detach, .detached(reason: "no such module"), .packet([1, 3, 0x0C, 0]), .hears(address, true),
        .hears(address, false), .note("a line"), .channels([]), .channels([2412, 5745]),
        .of(adapter: 1, .attach(address: address, channels: 1)), .of(adapter: 7, .packet([1, 3, 0x0C, 0])),
        .transmit(WiFiTransmission(cookie: .max, flags: 1, frequency: 2437, rates: rates, frame: frame)),
        .status(WiFiStatus(cookie: 9, flags: 5, signal: -42, rates: [WiFiRate(index: 3, tries: 2)])),
        .receive(WiFiReception(frequency: 5180, signal: -90, rate: 7, frame: frame)),
    ]

    @Test("Each is decoded as it was encoded", arguments: samples)
    func roundTrip(_ message: RadioMessage) throws {
        #expect(try RadioMessage(message.frame) == message)
    }

    @Test("The layout is the documented one")
    func layout() {
        #expect(RadioMessage.reset(token: 0x0102_0304).frame == Frame(kind: 1, payload: [4, 3, 2, 1]))
        #expect(RadioMessage.channels([2437, 5180]).frame == Frame(kind: 0x24, payload: [0x85, 0x09, 0x3C, 0x14]))
        let reception = WiFiReception(frequency: 2437, signal: -2, rate: 1, frame: Self.frame)
        #expect(
            RadioMessage.receive(reception).frame == Frame(kind: 0x22, payload: [0x85, 0x09, 0xFE, 1] + Self.frame))
    }

    @Test("A wrapped message is for a further adapter, and contains no wrapped message")
    func further() throws {
        #expect(RadioMessage.of(adapter: 2, .detach).frame == Frame(kind: 0x40, payload: [2, 5]))
        for payload: [UInt8] in [[], [1], [0, 5], [1, 0x40, 1, 5], [1, 0x99], [1, 5, 0]] {
            #expect(throws: MalformedRadioMessage.self) { try RadioMessage(Frame(kind: 0x40, payload: payload)) }
        }
    }

    @Test("An incomplete message is refused", arguments: samples)
    func truncated(_ message: RadioMessage) throws {
        switch message {
        case .attached, .detached, .note, .detach: return  // text may be of any length
        case .channels(let frequencies):
            for count in stride(from: 1, to: 2 * frequencies.count, by: 2) {
                let half = Frame(kind: message.frame.kind, payload: Array(message.frame.payload.prefix(count)))
                #expect(throws: MalformedRadioMessage.self) { try RadioMessage(half) }
            }
            return
        default: break
        }
        let whole = message.frame
        for count in 0..<whole.payload.count {
            // An 802.11 frame may be shorter, but the fields before it may not.
            guard let read = try? RadioMessage(Frame(kind: whole.kind, payload: Array(whole.payload.prefix(count))))
            else { continue }
            #expect(count >= 14 && read != message)
        }
    }

    @Test("Any bytes are refused or decoded without a trap")
    func hostile() {
        var random = SeededNumbers(seed: 1)
        for kind in UInt8.min...UInt8.max {
            for _ in 0..<40 {
                let count = Int(random.next() % 60)
                let payload = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                _ = try? RadioMessage(Frame(kind: kind, payload: payload))
            }
        }
        #expect(throws: MalformedRadioMessage.self) { try RadioMessage(Frame(kind: 0x7F, payload: [])) }
        #expect(throws: MalformedRadioMessage.self) { try RadioMessage(Frame(kind: 5, payload: [0])) }
        let oversized = [UInt8](repeating: 0, count: 4 + RadioMessage.wifiFrameLimit + 1)
        #expect(throws: MalformedRadioMessage.self) { try RadioMessage(Frame(kind: 0x22, payload: oversized)) }
    }

    @Test(
        "An HCI packet must have the announced length",
        arguments: [
            [], [9], [1], [1, 3, 0x0C], [1, 3, 0x0C, 1], [1, 3, 0x0C, 0, 0], [2, 1, 0, 2, 0, 7], [4, 0x0E, 2, 1],
            [5, 1, 0, 3, 0],
        ] as [[UInt8]])
    func brokenHCI(_ packet: [UInt8]) {
        #expect(H4.problem(with: packet) != nil)
        #expect(throws: MalformedRadioMessage.self) { try RadioMessage(Frame(kind: 0x10, payload: packet)) }
    }

    @Test(
        "Complete HCI packets are accepted",
        arguments: [[1, 3, 0x0C, 0], [2, 1, 0x20, 2, 0, 7, 8], [4, 0x0E, 1, 1], [5, 1, 0, 1, 0x40, 9]] as [[UInt8]])
    func wholeHCI(_ packet: [UInt8]) {
        #expect(H4.problem(with: packet) == nil)
    }
}
