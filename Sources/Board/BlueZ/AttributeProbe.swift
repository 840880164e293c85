import RadioModel

/// Asks an attribute server what it lets an unpaired phone do. It speaks the attribute protocol itself, because
/// bluetoothd pairs as soon as a server asks for that, and then the other attributes show nothing.
///
/// A read is a Read Request. A write is a Prepare Write Request without a value, which is cancelled at once: a server
/// checks what the link needs, and changes nothing.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.1, 3.4.4 and 3.4.6.
package struct AttributeProbe {
    private enum Opcode {
        static let error: UInt8 = 0x01
        static let mtuRequest: UInt8 = 0x02
        static let readRequest: UInt8 = 0x0A
        static let prepareWrite: UInt8 = 0x16
        static let executeWrite: UInt8 = 0x18
    }

    /// Request Not Supported.
    private static let notSupported: UInt8 = 0x06

    /// Sends one packet.
    private let send: (_ packet: [UInt8]) async throws -> Void
    /// Waits for a packet; an empty one is the end of the link.
    private let receive: () async throws -> [UInt8]

    package init(
        send: @escaping (_ packet: [UInt8]) async throws -> Void, receive: @escaping () async throws -> [UInt8]
    ) {
        self.send = send
        self.receive = receive
    }

    /// Tries every attribute.
    ///
    /// - Parameter attributes: The attributes to try: an answer other than `.unknown` is requested.
    /// - Returns: The same attributes with the server's answers.
    /// - Throws: ``RadioModel/RadioError/notConnected`` if the link is lost.
    package func ask(_ attributes: [AttributeAccess]) async throws -> [AttributeAccess] {
        var answers: [AttributeAccess] = []
        for attribute in attributes {
            var answer = AttributeAccess(handle: attribute.handle)
            let handle = [UInt8(attribute.handle & 0xFF), UInt8(attribute.handle >> 8)]
            if attribute.reading != .unknown {
                answer.reading = try await request([Opcode.readRequest] + handle)
            }
            if attribute.writing != .unknown {
                let prepared = try await request([Opcode.prepareWrite] + handle + [0, 0])
                _ = try await request([Opcode.executeWrite, 0])
                answer.writing = prepared == .refused(Self.notSupported) ? .unknown : prepared
            }
            answers.append(answer)
        }
        return answers
    }

    private func request(_ packet: [UInt8]) async throws -> AttributeAccess.Answer {
        try await send(packet)
        while true {
            let reply = try await receive()
            guard let opcode = reply.first else { throw RadioError.notConnected }
            switch opcode {
            case packet[0] + 1: return .allowed
            case Opcode.error where reply.count == 5 && reply[1] == packet[0]: return .refused(reply[4])
            case Opcode.mtuRequest: try await send([Opcode.error, opcode, 0, 0, Self.notSupported])
            // The server sends this end a request, as a client: this end has no attributes. Bit 6 is a command, which
            // has no answer.
            case _ where opcode & 0x41 == 0 && opcode != 0x1E:
                let handle = reply.count >= 3 ? Array(reply[1...2]) : [0, 0]
                try await send([Opcode.error, opcode] + handle + [Self.notSupported])
            default: break  // A notification, or an answer without a request.
            }
        }
    }
}
