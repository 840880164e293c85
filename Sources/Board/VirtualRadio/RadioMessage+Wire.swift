import HILPOSIX
import RadioModel

/// A frame whose payload is not a valid message.
package struct MalformedRadioMessage: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem.
    package let description: String

    init(_ description: String) { self.description = description }
}

extension RadioMessage {
    private enum Kind: UInt8 {
        case reset = 0x01
        case ready = 0x02
        case attach = 0x03
        case attached = 0x04
        case detach = 0x05
        case detached = 0x06
        case packet = 0x10
        case transmit = 0x20
        case status = 0x21
        case receive = 0x22
        case hears = 0x23
        case channels = 0x24
        case note = 0x30
        case of = 0x40
    }

    /// The message as a frame.
    package var frame: Frame {
        switch self {
        case .reset(let token): Frame(kind: Kind.reset.rawValue, payload: littleEndian(token))
        case .ready(let token): Frame(kind: Kind.ready.rawValue, payload: littleEndian(token))
        case .attach(let address, let channels):
            Frame(kind: Kind.attach.rawValue, payload: address.bytes + [channels])
        case .attached(let name): Frame(kind: Kind.attached.rawValue, payload: Array(name.utf8))
        case .detach: Frame(kind: Kind.detach.rawValue, payload: [])
        case .detached(let reason): Frame(kind: Kind.detached.rawValue, payload: Array(reason.utf8))
        case .packet(let bytes): Frame(kind: Kind.packet.rawValue, payload: bytes)
        case .transmit(let transmission): Frame(kind: Kind.transmit.rawValue, payload: transmission.payload)
        case .status(let status): Frame(kind: Kind.status.rawValue, payload: status.payload)
        case .receive(let reception): Frame(kind: Kind.receive.rawValue, payload: reception.payload)
        case .hears(let address, let now):
            Frame(kind: Kind.hears.rawValue, payload: [now ? 1 : 0] + address.bytes)
        case .channels(let frequencies):
            Frame(kind: Kind.channels.rawValue, payload: frequencies.flatMap { littleEndian($0) })
        case .note(let text): Frame(kind: Kind.note.rawValue, payload: Array(text.utf8))
        case .of(let adapter, let message):
            Frame(kind: Kind.of.rawValue, payload: [adapter, message.frame.kind] + message.frame.payload)
        }
    }

    /// Parses a frame with any content.
    package init(_ frame: Frame) throws(MalformedRadioMessage) {
        guard let kind = Kind(rawValue: frame.kind) else {
            throw MalformedRadioMessage("unknown kind of message: \(frame.kind)")
        }
        var fields = FieldReader(frame.payload, of: "\(kind)")
        switch kind {
        case .reset: self = .reset(token: try fields.number())
        case .ready: self = .ready(token: try fields.number())
        case .attach: self = .attach(address: try fields.address(), channels: try fields.number())
        case .attached: self = .attached(name: fields.text())
        case .detach: self = .detach
        case .detached: self = .detached(reason: fields.text())
        case .packet:
            let packet = fields.rest()
            if let problem = H4.problem(with: packet) { throw MalformedRadioMessage(problem) }
            self = .packet(packet)
        case .transmit: self = .transmit(try WiFiTransmission(&fields))
        case .status: self = .status(try WiFiStatus(&fields))
        case .receive: self = .receive(try WiFiReception(&fields))
        case .hears:
            let now: UInt8 = try fields.number()
            self = .hears(try fields.address(), now != 0)
        case .channels: self = .channels(try fields.numbers())
        case .note: self = .note(fields.text())
        case .of: self = try RadioMessage(ofFurther: &fields)
        }
        try fields.finish()
    }
}

extension RadioMessage {
    private init(ofFurther fields: inout FieldReader) throws(MalformedRadioMessage) {
        let adapter: UInt8 = try fields.number()
        guard adapter > 0 else {
            throw MalformedRadioMessage("a wrapped message is for adapter 0, which needs no wrapping")
        }
        let inner: UInt8 = try fields.number()
        // Deeper nesting would have no limit.
        guard inner != Kind.of.rawValue else {
            throw MalformedRadioMessage("a wrapped message inside a wrapped message")
        }
        self = .of(adapter: adapter, try RadioMessage(Frame(kind: inner, payload: fields.rest())))
    }
}

/// The little-endian bytes of a number.
func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<MemoryLayout<Number>.size).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
}

extension WiFiTransmission {
    fileprivate var payload: [UInt8] {
        var bytes = littleEndian(cookie) + littleEndian(flags) + littleEndian(frequency)
        bytes.reserveCapacity(bytes.count + 16 + frame.count)
        for rate in rates { bytes += [UInt8(bitPattern: rate.index), rate.tries] + littleEndian(rate.flags) }
        return bytes + frame
    }

    fileprivate init(_ fields: inout FieldReader) throws(MalformedRadioMessage) {
        let cookie: UInt64 = try fields.number()
        let flags: UInt32 = try fields.number()
        let frequency: UInt16 = try fields.number()
        var rates: [WiFiRate] = []
        for _ in 0..<WiFiRate.seriesCount {
            rates.append(
                WiFiRate(index: try fields.number(), tries: try fields.number(), flags: try fields.number()))
        }
        self.init(
            cookie: cookie, flags: flags, frequency: frequency, rates: rates, frame: try fields.wifiFrame())
    }
}

extension WiFiStatus {
    fileprivate var payload: [UInt8] {
        var bytes = littleEndian(cookie) + littleEndian(flags) + [UInt8(bitPattern: signal)]
        for rate in rates { bytes += [UInt8(bitPattern: rate.index), rate.tries] }
        return bytes
    }

    fileprivate init(_ fields: inout FieldReader) throws(MalformedRadioMessage) {
        let cookie: UInt64 = try fields.number()
        let flags: UInt32 = try fields.number()
        let signal: Int8 = try fields.number()
        var rates: [WiFiRate] = []
        for _ in 0..<WiFiRate.seriesCount {
            rates.append(WiFiRate(index: try fields.number(), tries: try fields.number()))
        }
        self.init(cookie: cookie, flags: flags, signal: signal, rates: rates)
    }
}

extension WiFiReception {
    fileprivate var payload: [UInt8] { littleEndian(frequency) + [UInt8(bitPattern: signal), rate] + frame }

    fileprivate init(_ fields: inout FieldReader) throws(MalformedRadioMessage) {
        self.init(
            frequency: try fields.number(), signal: try fields.number(), rate: try fields.number(),
            frame: try fields.wifiFrame())
    }
}

/// Reads fields from the front of a payload.
private struct FieldReader {
    private var bytes: ArraySlice<UInt8>
    private let message: String

    init(_ payload: [UInt8], of message: String) {
        bytes = payload[...]
        self.message = message
    }

    mutating func number<Number: FixedWidthInteger>() throws(MalformedRadioMessage) -> Number {
        let field = try take(MemoryLayout<Number>.size)
        return field.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Reads numbers up to the end of the payload.
    mutating func numbers<Number: FixedWidthInteger>() throws(MalformedRadioMessage) -> [Number] {
        var numbers: [Number] = []
        while !bytes.isEmpty { numbers.append(try number()) }
        return numbers
    }

    mutating func address() throws(MalformedRadioMessage) -> DeviceAddress {
        try DeviceAddress(bytes: take(6))!  // six were taken
    }

    mutating func text() -> String { String(decoding: rest(), as: UTF8.self) }

    /// An 802.11 frame: at least frame control, duration and one address.
    mutating func wifiFrame() throws(MalformedRadioMessage) -> [UInt8] {
        guard (10...RadioMessage.wifiFrameLimit).contains(bytes.count) else {
            throw MalformedRadioMessage("\(message): an 802.11 frame of \(bytes.count) bytes")
        }
        return rest()
    }

    mutating func rest() -> [UInt8] {
        defer { bytes = [] }
        return Array(bytes)
    }

    func finish() throws(MalformedRadioMessage) {
        guard bytes.isEmpty else { throw MalformedRadioMessage("\(message): \(bytes.count) bytes too many") }
    }

    private mutating func take(_ count: Int) throws(MalformedRadioMessage) -> ArraySlice<UInt8> {
        guard bytes.count >= count else {
            throw MalformedRadioMessage("\(message): the payload is too short")
        }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
