/// LE Data Length Extension of one controller: its commands, its event, and the negotiation with the other ends of its
/// links.
///
/// RootCanal 1.10.0 lacks it: it knows three of the four commands, but not the feature, LE Set Data Length and the
/// event. Its sources after version 1.11 accept LE Set Data Length, and do nothing. So all four commands are answered
/// here.
///
/// RootCanal carries packets of any length at once, and their time on the air does not count. So the lengths that two
/// ends agree on are what hosts hear, and change nothing in how packets travel.
///
/// Source: Core Specification 6.0, volume 4, part E, 7.7.65.7, 7.8.33 to 7.8.35 and 7.8.46; volume 6, part B, 4.5.10
/// and 5.1.9.
struct DataLengthExtension {
    /// What to do next.
    enum Step: Equatable {
        /// An H4 packet for the host.
        case event([UInt8])
        /// A message for the other end of the link with this handle.
        case message(DataLengthMessage.Kind, handle: UInt16, receive: PacketLength, transmit: PacketLength)
    }

    private struct Link {
        /// The peer's possible addresses on the air, least significant byte first: the one that the host was given, and
        /// the private one behind it.
        let peers: [[UInt8]]
        /// What this end wants to send.
        var transmit: PacketLength
        /// What the other end can receive and wants to send, as far as it is known.
        var remote = (receive: PacketLength.shortest, transmit: PacketLength.shortest)
        /// The lengths that the host was last told.
        var effective = (transmit: PacketLength.shortest, receive: PacketLength.shortest)
    }

    enum Opcode {
        static let reset: UInt16 = 0x0C03
        static let setEventMask: UInt16 = 0x0C01
        static let setLEEventMask: UInt16 = 0x2001
        static let setDataLength: UInt16 = 0x2022
        static let readSuggested: UInt16 = 0x2023
        static let writeSuggested: UInt16 = 0x2024
        static let readMaximum: UInt16 = 0x202F
        static let readLocalCommands: UInt16 = 0x1002
        static let readLocalLEFeatures: UInt16 = 0x2003
    }

    private enum ErrorCode {
        static let success: UInt8 = 0x00
        static let unknownCommand: UInt8 = 0x01
        static let unknownConnection: UInt8 = 0x02
        static let invalidParameters: UInt8 = 0x12
    }

    /// Whether the controller has the extension. Otherwise its commands are unknown.
    let isOffered: Bool
    /// What this end wants to send on new links.
    private var suggested = PacketLength.shortest
    private var hasLEEvents = false
    private var hasLengthEvent = false
    private var links: [UInt16: Link] = [:]

    init(isOffered: Bool = true) { self.isOffered = isOffered }

    // MARK: - Commands

    /// Handles a command of the host, which has at least the parameters that it needs.
    ///
    /// - Returns: The answer, and what follows from it; nil if the command is for RootCanal.
    mutating func command(_ packet: [UInt8]) -> [Step]? {
        guard packet.count >= 4, packet[0] == 1 else { return nil }
        let parameters = packet[4...]
        switch UInt16(packet[1]) | UInt16(packet[2]) << 8 {
        case Opcode.reset:
            self = DataLengthExtension(isOffered: isOffered)
            return nil
        case Opcode.setEventMask where parameters.count >= 8:
            // LE Meta Event.
            hasLEEvents = parameters[11] & 0x20 != 0
            return nil
        case Opcode.setLEEventMask where parameters.count >= 8:
            hasLengthEvent = parameters[4] & 0x40 != 0
            return nil
        case Opcode.setDataLength, Opcode.readSuggested, Opcode.writeSuggested, Opcode.readMaximum:
            guard isOffered else { return [answer(to: packet, [ErrorCode.unknownCommand])] }
            return ownCommand(packet)
        default: return nil
        }
    }

    private mutating func ownCommand(_ packet: [UInt8]) -> [Step] {
        switch UInt16(packet[1]) | UInt16(packet[2]) << 8 {
        case Opcode.setDataLength: return setDataLength(packet)
        case Opcode.writeSuggested:
            guard packet.count == 8, let length = PacketLength(packet[4...]), length.isValid else {
                return [answer(to: packet, [ErrorCode.invalidParameters])]
            }
            suggested = length
            return [answer(to: packet, [ErrorCode.success])]
        case Opcode.readSuggested: return [answer(to: packet, [ErrorCode.success] + suggested.bytes)]
        default:
            let longest = PacketLength.longest.bytes
            return [answer(to: packet, [ErrorCode.success] + longest + longest)]
        }
    }

    private mutating func setDataLength(_ packet: [UInt8]) -> [Step] {
        guard packet.count == 10, let length = PacketLength(packet[6...]) else {
            return [self.answer(to: packet, [ErrorCode.invalidParameters, 0, 0])]
        }
        func answer(_ code: UInt8) -> Step { self.answer(to: packet, [code] + packet[4..<6]) }
        let handle = UInt16(packet[4]) | UInt16(packet[5]) << 8
        guard let link = links[handle] else { return [answer(ErrorCode.unknownConnection)] }
        guard length.isValid else { return [answer(ErrorCode.invalidParameters)] }
        guard link.transmit != length else { return [answer(ErrorCode.success)] }
        links[handle]?.transmit = length
        return [answer(ErrorCode.success), message(.request, on: handle, transmit: length)]
    }

    /// A Command Complete event.
    private func answer(to command: [UInt8], _ values: [UInt8]) -> Step {
        .event([4, 0x0E, UInt8(3 + values.count), 1] + command[1..<3] + values)
    }

    // MARK: - Links

    /// The possible addresses of a link's other end; empty if there is no such link.
    func peers(of handle: UInt16) -> [[UInt8]] { links[handle]?.peers ?? [] }

    /// Notes a new link. The central asks for longer packets as soon as it is up: the message has what both ends need.
    mutating func linkBegan(_ handle: UInt16, isCentral: Bool, peers: [[UInt8]]) -> [Step] {
        guard isOffered else { return [] }
        links[handle] = Link(peers: peers, transmit: suggested)
        return isCentral ? [message(.request, on: handle, transmit: suggested)] : []
    }

    mutating func linkEnded(_ handle: UInt16) { links[handle] = nil }

    /// Handles a message of another controller on one of this controller's links.
    mutating func receive(_ message: DataLengthMessage) -> [Step] {
        guard let handle = links.first(where: { $0.value.peers.contains(message.source) })?.key,
            let transmit = links[handle]?.transmit
        else { return [] }
        links[handle]?.remote = (message.receive, message.transmit)
        let response = message.kind == .request ? [self.message(.response, on: handle, transmit: transmit)] : []
        return response + change(of: handle)
    }

    private func message(_ kind: DataLengthMessage.Kind, on handle: UInt16, transmit: PacketLength) -> Step {
        .message(kind, handle: handle, receive: .longest, transmit: transmit)
    }

    /// LE Data Length Change, if the lengths of a link have changed and the host wants to know.
    private mutating func change(of handle: UInt16) -> [Step] {
        guard let link = links[handle] else { return [] }
        let now = (
            transmit: link.transmit.limited(to: link.remote.receive),
            receive: PacketLength.longest.limited(to: link.remote.transmit)
        )
        guard now != link.effective else { return [] }
        links[handle]?.effective = now
        guard hasLEEvents, hasLengthEvent else { return [] }
        let number = [UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8)]
        return [.event([4, 0x3E, 11, 7] + number + now.transmit.bytes + now.receive.bytes)]
    }
}
