import Foundation
import HILBluetoothHost
import RadioModel

/// The bytes of a capture that anybody near could read.
///
/// The capture has Bluetooth between host and controller, before the encryption of a link. So data counts only while its link is
/// not encrypted; advertisements count always. Frames of Wi-Fi are as they were sent. The values of an attribute count also
/// one after the other: a long text takes several packets.
struct ClearText {
    private var packets: [ArraySlice<UInt8>] = []

    /// - Parameter file: A pcapng file, as the air writes it.
    init(_ file: [UInt8]) {
        let names = PcapNGPackets.interfaces(in: file)
        var encrypted: Set<Link> = []
        var values = AttributeValues()
        for packet in PcapNGPackets(file) {
            let isHCI = names.indices.contains(Int(packet.interface)) && names[Int(packet.interface)].contains("hci")
            guard isHCI else {
                packets.append(packet.bytes)
                continue
            }
            // Four bytes of direction, then H4.
            let h4 = packet.bytes.dropFirst(4)
            ClearText.note(h4, of: packet.interface, in: &encrypted)
            guard ClearText.isReadable(h4, of: packet.interface, encrypted) else { continue }
            packets.append(h4)
            if h4.first == Code.data {
                values.take(h4.dropFirst(), on: packet.interface, direction: packet.bytes.prefix(4))
            }
        }
        packets += values.streams
    }

    private struct Link: Hashable {
        let interface: UInt32
        let handle: UInt16
    }

    /// The types of H4, and the codes of events and commands (Core Specification, volume 4, parts A and E).
    private enum Code {
        static let (command, data, event): (UInt8, UInt8, UInt8) = (1, 2, 4)
        static let (disconnected, encryption, encryptionV2): (UInt8, UInt8, UInt8) = (0x05, 0x08, 0x59)
        static let lowEnergy: UInt8 = 0x3E
        static let reports: Set<UInt8> = [0x02, 0x0D]
        static let advertising: Set<UInt16> = [0x2008, 0x2009, 0x2037, 0x2038, 0x0C13, 0x0C52]
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt16? {
        guard bytes.count >= offset + 2 else { return nil }
        let start = bytes.startIndex + offset
        return UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
    }

    /// Notes when encryption begins and ends.
    private static func note(_ h4: ArraySlice<UInt8>, of interface: UInt32, in encrypted: inout Set<Link>) {
        guard h4.first == Code.event, h4.count >= 6, let handle = number(h4, 4) else { return }
        let link = Link(interface: interface, handle: handle & 0x0FFF)
        let (code, status) = (h4[h4.startIndex + 1], h4[h4.startIndex + 3])
        switch code {
        case Code.disconnected: encrypted.remove(link)
        case Code.encryption, Code.encryptionV2:
            guard status == 0, h4.count >= 7 else { return }
            if h4[h4.startIndex + 6] == 0 { encrypted.remove(link) } else { encrypted.insert(link) }
        default: break
        }
    }

    private static func isReadable(
        _ h4: ArraySlice<UInt8>, of interface: UInt32, _ encrypted: Set<Link>
    ) -> Bool {
        switch h4.first {
        case Code.data:
            guard let handle = number(h4, 1) else { return false }
            return !encrypted.contains(Link(interface: interface, handle: handle & 0x0FFF))
        case Code.command: return number(h4, 1).map(Code.advertising.contains) ?? false
        case Code.event:
            guard h4.count >= 4, h4[h4.startIndex + 1] == Code.lowEnergy else { return false }
            return Code.reports.contains(h4[h4.startIndex + 3])
        default: return false
        }
    }

    /// Whether one packet, or the values of one attribute, contain the whole text, in UTF-8 or UTF-16.
    func contains(_ text: String) -> Bool {
        let needles = [
            Array(text.utf8), text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] },
        ]
        return needles.contains { needle in packets.contains { ClearText.finds(needle, in: $0) } }
    }

    /// Whether they contain the whole text, also as hexadecimal digits or in Base64.
    func reveals(_ secret: String) -> Bool {
        let bytes = Array(secret.utf8)
        let hex = Hex.text(bytes)
        return [secret, hex.lowercased(), hex.uppercased(), Data(bytes).base64EncodedString()].contains(where: contains)
    }

    private static func finds(_ needle: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = needle.first, bytes.count >= needle.count else { return false }
        return bytes.indices.dropLast(needle.count - 1).contains { start in
            bytes[start] == first && bytes[start..<(start + needle.count)].elementsEqual(needle)
        }
    }
}

/// The values of attributes as they passed on links that are not encrypted, one after the other.
private struct AttributeValues {
    /// The most bytes that are kept of one attribute.
    private static let limit = 1 << 20

    private struct Path: Hashable {
        let interface: UInt32
        let link: ConnectionHandle
        let direction: [UInt8]
        /// 0 for what was read.
        var attribute: UInt16 = 0
    }

    private var frames: [Path: FrameAssembler] = [:]
    private var values: [Path: [UInt8]] = [:]

    var streams: [ArraySlice<UInt8>] { values.values.map { $0[...] } }

    /// Takes a data packet without the type byte of H4.
    mutating func take(_ bytes: ArraySlice<UInt8>, on interface: UInt32, direction: ArraySlice<UInt8>) {
        guard let packet = try? DataPacket(decoding: bytes) else { return }
        var path = Path(interface: interface, link: packet.handle, direction: Array(direction))
        // Length and channel come first.
        guard let frame = frames[path, default: FrameAssembler()].take(packet).frame, frame.count > 4,
            ChannelIdentifier(rawValue: UInt16(frame[2]) | UInt16(frame[3]) << 8) == .attributes,
            let pdu = try? ATTPDU.decode(Array(frame[4...])), let (attribute, value) = pdu.carriedValue
        else { return }
        path.attribute = attribute
        guard values[path, default: []].count + value.count <= AttributeValues.limit else { return }
        values[path, default: []] += value
    }
}

extension ATTPDU {
    /// The attribute's handle, 0 for an answer, and the part of its value that a PDU carries; nil for others.
    fileprivate var carriedValue: (handle: UInt16, value: [UInt8])? {
        switch self {
        case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
            .signedWriteCommand(let handle, let value, _):
            (handle, value)
        case .prepareWriteRequest(let write): (write.handle, write.value)
        case .notification(let one), .indication(let one): (one.handle, one.value)
        case .readResponse(let value), .readBlobResponse(let value): (0, value)
        default: nil
        }
    }
}

extension Lab {
    /// Where a secret became readable to others: on the air, and in what the accessory's programs printed.
    ///
    /// - Parameter name: What the secret is, at the start of a sentence.
    func leaks(of secret: String, named name: String, on air: ClearText) -> [String] {
        let printing = accessory.startedPrograms.filter { program in
            program.lines.contains { $0.text.contains(secret) }
        }
        return (air.reveals(secret) ? ["\(name) was in the clear on the air"] : [])
            + printing.map { "\(name) is in the output of “\($0.name)”" }
    }
}
