import HILPOSIX

/// A message between the agent of a host board, which has taken the board's Bluetooth controller, and the phone's own
/// host stack. It is the payload of a frame of the kind ``BoardProtocol/FrameKind/controller``.
///
/// Byte layout, little-endian:
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 4 | session, from the answer to ``ControllerCall/take(_:)`` |
/// | 4 | 1 | 1 packets, 2 taken, 3 ended |
/// | 5 | 8 | packets: how many packets the sender has sent before these; taken: how many packets it has taken so far |
/// | 13 | | packets: each packet after its length of 2 bytes |
/// | 5 | | ended: text in UTF-8 |
package struct ControllerFrame: Sendable, Equatable {
    /// What is said.
    package enum Content: Sendable, Equatable {
        /// Both ways: H4 packets in order. `first` is how many packets the sender has sent before them in this session,
        /// so that a lost frame is noticed.
        case packets(first: UInt64, [[UInt8]])
        /// Both ways: how many of the other side's packets this side has taken so far. See ``ControllerWindow``.
        case taken(UInt64)
        /// From the agent: the controller is lost, and why. Give it back all the same.
        case ended(String)
    }

    /// Distinguishes the messages from those of an earlier taking.
    package var session: UInt32
    package var content: Content

    package init(session: UInt32, _ content: Content) { (self.session, self.content) = (session, content) }

    /// The frame to send.
    package var frame: Frame {
        var bytes = session.littleEndianBytes
        switch content {
        case .packets(let first, let packets):
            bytes.append(1)
            bytes += first.littleEndianBytes
            for packet in packets { bytes += UInt16(packet.count).littleEndianBytes + packet }
        case .taken(let count):
            bytes.append(2)
            bytes += count.littleEndianBytes
        case .ended(let why):
            bytes.append(3)
            bytes += Array(why.utf8)
        }
        return Frame(kind: BoardProtocol.FrameKind.controller, payload: bytes)
    }

    /// Reads the payload of a frame; nil for bytes that are not a message with whole H4 packets.
    package init?(payload: [UInt8]) {
        func number<Number: FixedWidthInteger>(at place: Int, _: Number.Type = Number.self) -> Number? {
            let size = MemoryLayout<Number>.size
            guard payload.count >= place + size else { return nil }
            return (0..<size).reduce(0) { $0 | Number(payload[place + $1]) << Number(8 * $1) }
        }
        guard let session: UInt32 = number(at: 0), payload.count > 4 else { return nil }
        self.session = session
        switch payload[4] {
        case 1:
            guard let first: UInt64 = number(at: 5) else { return nil }
            var packets: [[UInt8]] = []
            var place = 13
            while place < payload.count {
                guard let length: UInt16 = number(at: place), payload.count >= place + 2 + Int(length) else {
                    return nil
                }
                let packet = Array(payload[(place + 2)..<(place + 2 + Int(length))])
                guard H4.problem(with: packet) == nil else { return nil }
                packets.append(packet)
                place += 2 + packet.count
            }
            content = .packets(first: first, packets)
        case 2:
            guard payload.count == 13, let count: UInt64 = number(at: 5) else { return nil }
            content = .taken(count)
        case 3: content = .ended(String(decoding: payload[5...], as: UTF8.self))
        default: return nil
        }
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
