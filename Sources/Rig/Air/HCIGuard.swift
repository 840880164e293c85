import RadioModel

/// Checks a host's HCI packets before RootCanal's controller gets them, because RootCanal aborts where a real
/// controller answers with an error.
///
/// The guard refuses the same packets as a real controller, with the same answer (Core Specification, volume 4, part E,
/// 7.7.14 and 7.7.15; error codes in volume 1, part F).
struct HCIGuard {
    /// What to do with a packet from the host.
    enum Verdict: Equatable {
        case pass
        /// A valid command that RootCanal cannot do: the host gets this event instead, and the reason is logged.
        case answer([UInt8], reason: String)
        /// A malformed command: the host gets this event, and all clients get the reason.
        case refuse(answer: [UInt8], reason: String)
        /// Malformed data: the host gets no answer, and all clients get the reason.
        case drop(reason: String)
    }

    private enum Opcode {
        static let inquiry: UInt16 = 0x0401
        static let inquiryCancel: UInt16 = 0x0402
        static let reset: UInt16 = 0x0C03
        static let writeAuthenticatedPayloadTimeout: UInt16 = 0x0C7C
        static let readBufferSize: [UInt16] = [0x2002, 0x2060]
        static let readLocalLEFeatures: UInt16 = 0x2003
        static let startLEEncryption: UInt16 = 0x2019
    }

    private enum ErrorCode {
        static let success: UInt8 = 0x00
        static let unknownCommand: UInt8 = 0x01
        static let authenticationFailure: UInt8 = 0x05
        static let keyMissing: UInt8 = 0x06
        static let commandDisallowed: UInt8 = 0x0C
        static let invalidParameters: UInt8 = 0x12
    }

    /// The most bytes of a host's data in one LE packet.
    static let dataLength = 251

    /// The bit of private addresses that the controller makes and resolves itself, in the first byte of LE features
    /// (volume 6, part B, 4.6).
    private static let controllerPrivacy: UInt8 = 0x40

    /// The packet that resets a controller.
    static let reset: [UInt8] = [1, 0x03, 0x0C, 0]

    private var isInquiring = false
    /// The handles of the LE links that the host has begun to encrypt.
    private var encrypting: Set<[UInt8]> = []

    /// Decides what to do with a packet from the host. The packet is complete by its own length field.
    mutating func judge(_ packet: [UInt8]) -> Verdict {
        // No controller here has an isochronous channel, and RootCanal aborts on some of these packets.
        if packet.first == 5 { return .drop(reason: "an isochronous packet without an isochronous channel") }
        guard packet.first == 1, packet.count >= 4 else { return .pass }
        let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
        let text = "HCI command 0x" + Hex.text([packet[2], packet[1]])
        if let problem = HCIGuard.problem(with: packet[4...], of: opcode) {
            return .refuse(answer: status(of: packet, ErrorCode.invalidParameters), reason: "\(text) \(problem)")
        }
        if HCIGuard.unimplemented.contains(opcode) {
            return .answer(status(of: packet, ErrorCode.unknownCommand), reason: "\(text) is unknown to RootCanal")
        }
        switch opcode {
        case Opcode.inquiry: isInquiring = true
        case Opcode.reset: (isInquiring, encrypting) = (false, [])
        case Opcode.startLEEncryption: encrypting.insert(Array(packet[4..<6]))
        case Opcode.inquiryCancel:
            guard isInquiring else {
                return .answer(
                    completion(of: packet, [ErrorCode.commandDisallowed]),
                    reason: "\(text) cancels an inquiry that is over")
            }
            isInquiring = false
        case Opcode.writeAuthenticatedPayloadTimeout:
            // Linux sets it on every encrypted link. The air need not apply it: without interference every ping is
            // answered.
            return .answer(
                completion(of: packet, [ErrorCode.success] + packet[4..<6]), reason: "\(text) is answered by the air")
        default: break
        }
        return .pass
    }

    /// The packet that the host gets for a controller's packet; only the answers to three commands are changed.
    ///
    /// - LE Read Buffer Size: RootCanal carries data of any length, but tells its host to send at most 27 bytes at
    ///   once, as in Bluetooth 4.0. A current controller takes ``dataLength`` (volume 6, part B, 4.5.10). The host then
    ///   sends a tenth of the packets, and is faster.
    /// - LE Read Local Supported Features: hosts make and resolve private addresses themselves, as Debian's kernels do.
    ///   A newer kernel leaves that to a controller that offers it, and then a board's commands in a scenario would
    ///   depend on the kernel.
    /// - LE Enable Encryption: if the peer has no key, RootCanal reports an authentication failure. A controller
    ///   reports a missing key (volume 6, part B, 5.1.3.1), and Linux calls that a lost bond.
    mutating func adjust(_ packet: [UInt8]) -> [UInt8] {
        // Inquiry Complete.
        if packet.starts(with: [4, 0x01]) { isInquiring = false }
        // Encryption Change.
        if packet.count >= 7, packet.starts(with: [4, 0x08]), encrypting.remove(Array(packet[4..<6])) != nil,
            packet[3] == ErrorCode.authenticationFailure
        {
            return [4, 0x08, packet[2], ErrorCode.keyMissing] + packet[4...]
        }
        guard packet.count >= 9, packet.starts(with: [4, 0x0E]), packet[6] == ErrorCode.success else { return packet }
        let opcode = UInt16(packet[4]) | UInt16(packet[5]) << 8
        var adjusted = packet
        if Opcode.readBufferSize.contains(opcode) {
            // The length comes first in either version.
            (adjusted[7], adjusted[8]) = (UInt8(HCIGuard.dataLength & 0xFF), UInt8(HCIGuard.dataLength >> 8))
        } else if opcode == Opcode.readLocalLEFeatures {
            adjusted[7] &= ~HCIGuard.controllerPrivacy
        }
        return adjusted
    }

    /// The problem in a command's parameters that would make RootCanal abort; nil if there is none.
    private static func problem(with parameters: ArraySlice<UInt8>, of opcode: UInt16) -> String? {
        let start = parameters.startIndex
        var least = leastParameters[opcode] ?? 0
        if let list = lists[opcode], parameters.count > list.count {
            least += Int(parameters[start + list.count]) * list.size
        }
        guard parameters.count >= least else {
            return "has \(parameters.count) bytes of parameters but needs \(least)"
        }
        if exactLengths.contains(opcode), parameters.count > least {
            return "has \(parameters.count) bytes of parameters but takes \(least)"
        }
        for (offset, most) in greatestValues[opcode] ?? [] where parameters[start + offset] > most {
            return "has the value \(parameters[start + offset]) where at most \(most) is allowed"
        }
        // The general and limited inquiry's access codes (Assigned Numbers, 2.2).
        let codes: [UInt8] = [0x8B, 0x9E]
        guard
            opcode != Opcode.inquiry
                || (parameters[start] < 0x40 && Array(parameters[(start + 1)...].prefix(2)) == codes)
        else { return "inquires with an invalid access code" }
        return nil
    }

    /// A Command Status event.
    private func status(of command: [UInt8], _ code: UInt8) -> [UInt8] { [4, 0x0F, 4, code, 1] + command[1..<3] }

    /// A Command Complete event.
    private func completion(of command: [UInt8], _ values: [UInt8]) -> [UInt8] {
        [4, 0x0E, UInt8(3 + values.count), 1] + command[1..<3] + values
    }
}
