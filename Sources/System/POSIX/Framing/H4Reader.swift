/// Reads the packets of a host, or of a controller, from a stream of bytes, which may be anything.
///
/// H4 has no mark for resynchronisation, so nothing can be read after an invalid byte.
package struct H4Reader {
    /// Who sends the packets.
    package enum Sender: Sendable {
        case host, controller

        /// The packets that only the other one sends.
        fileprivate var foreign: H4.PacketType { self == .host ? .event : .command }
    }

    /// The bytes are not H4 packets of this sender.
    package struct Malformed: Error, Sendable, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The longest data of a packet, in bytes. No controller offers its host buffers of this size.
    package static let longestData = 4096

    private let sender: Sender
    private var bytes: [UInt8] = []
    /// The index of the first byte that is not read yet.
    private var start = 0

    package init(sentBy sender: Sender = .host) { self.sender = sender }

    /// How many bytes are kept.
    package var pendingCount: Int { bytes.count - start }

    /// Adds bytes.
    package mutating func push(_ more: some Collection<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        bytes += more
    }

    /// The next whole packet, with its type; nil while it is incomplete.
    ///
    /// - Throws: ``Malformed``, again at each later call.
    package mutating func next() throws(Malformed) -> [UInt8]? {
        guard let first = bytes.dropFirst(start).first else { return nil }
        guard let type = H4.PacketType(rawValue: first), type != sender.foreign else {
            let foreign =
                sender == .host ? "an event, which only a controller sends" : "a command, which only a host sends"
            let what = first == sender.foreign.rawValue ? foreign : "no H4 packet"
            throw Malformed(description: "a packet begins with \(Self.shown(bytes[start...])), which is \(what)")
        }
        guard let (header, length) = H4.lengths(type, bytes[start...]) else { return nil }
        guard length <= Self.longestData else {
            throw Malformed(
                description:
                    "an H4 \(type) packet announces \(length) bytes, but at most \(Self.longestData) are allowed")
        }
        guard pendingCount >= header + length else { return nil }
        defer { start += header + length }
        return Array(bytes[start..<(start + header + length)])
    }

    /// The first bytes, as hexadecimal digits and, if they are text, as text.
    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        let first = bytes.prefix(16)
        let digits = first.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        let text = first.prefix { (0x20..<0x7F).contains($0) }
        return digits.joined(separator: " ")
            + (text.count > 1 ? " (“\(String(decoding: text, as: UTF8.self))”)" : "")
    }
}
