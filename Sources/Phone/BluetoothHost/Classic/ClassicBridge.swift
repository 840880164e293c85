import RadioModel

/// Connects a device that is paired by LE by classic Bluetooth as well: calls it, authenticates it with the link key of the
/// bond, encrypts, opens one channel, and ends the link.
///
/// Answers of the controller, frames and times go in; ``Output`` comes out, in the order in which it must be done. Requests
/// for the link key are the owner's.
///
/// Source: Core Specification 6.0, Vol 3, Part C, 5.2.2 and 14.1; Vol 4, Part E, 7.1.
struct ClassicBridge: Sendable {
    enum Output: Sendable, Equatable {
        case command(HCICommand, Command)
        case frame([UInt8], on: ConnectionHandle)
        case opened(ConnectionHandle)
        case closed(ConnectionHandle)
        /// The result comes once.
        case completed(Result<ClassicLink, BridgingFailure>)
        /// Neither an attempt nor a link is left: the controller is free for the next device.
        case finished
        /// Something odd that does no harm, in words.
        case note(String)
    }

    /// Names a command, for its answer.
    enum Command: Sendable, Equatable {
        case connect, cancel, authenticate, encrypt, readKeySize, disconnect
    }

    enum Phase: Sendable, Equatable {
        case idle
        case step(BridgingStep)
        /// The attempt to connect has failed already, and the controller has not confirmed its end.
        case cancelling
        /// The channel is open, and the device has not answered the first packet.
        case greeting
        /// The device has not confirmed the end of the channel.
        case closing
        /// The controller has not confirmed the end of the link.
        case ending
        case over
    }

    /// Who is bridged: the public identity address of the bond.
    let address: DeviceAddress
    let psm: UInt16
    let strength: Bond
    let configuration: ClassicProcedures
    let endReason: HCIError
    var l2cap: L2CAPLink
    var phase = Phase.idle
    /// The link; nil before it is up, and after its end.
    var handle: ConnectionHandle?
    var isEncrypted = false
    /// In bytes.
    var keySize = 0
    var channel: LocalChannel?
    /// What will be told when the link is over.
    var result: Result<ClassicLink, BridgingFailure>?
    var isTold = false
    /// When the phase has taken too long.
    var limit: Duration?

    /// - Parameters:
    ///   - psm: Of the channel (PSM).
    ///   - strength: How strong the bond's key is; the link key is as strong.
    ///   - endReason: With which this phone ends the link.
    init(
        to address: DeviceAddress, psm: UInt16, strength: Bond, configuration: ClassicProcedures = ClassicProcedures(),
        channels: L2CAPConfiguration = L2CAPConfiguration(), endReason: HCIError = .remoteUserEnded
    ) {
        self.address = address
        self.psm = psm
        self.strength = strength
        self.configuration = configuration
        self.endReason = endReason
        var own = channels
        // Signalling only: keys for LE are not derived from classic ones here.
        own.fixedChannels = 0x02
        l2cap = L2CAPLink(role: .central, transport: .classic, configuration: own)
        l2cap.hasKey = true
    }

    /// When something is due.
    var deadline: Duration? { phase == .over ? nil : [limit, l2cap.deadline].compactMap { $0 }.min() }

    /// Calls the device.
    mutating func start(at now: Duration) -> [Output] {
        guard phase == .idle else { return [] }
        phase = .step(.connection)
        limit = now + configuration.connectLimit
        return [.command(.createConnection(ClassicConnectionRequest(to: address)), .connect)]
    }

    /// Does what is due.
    mutating func advance(to now: Duration) -> [Output] {
        guard phase != .over else { return [] }
        let outputs = take(l2cap.advance(to: now), at: now)
        guard let limit, limit <= now else { return outputs }
        return outputs + expire(at: now)
    }

    private mutating func expire(at now: Duration) -> [Output] {
        limit = nil
        switch phase {
        case .step(let step): return fail(.timeout(step, configuration.connectLimit), at: now)
        // The channel was open, which is what was asked for.
        case .greeting: return closeChannel(at: now)
        case .closing: return hangUp(at: now)
        // A controller notices a silent device only after its supervision timeout.
        case .ending: return tell()
        case .idle, .cancelling, .over: return []
        }
    }
}

// The end.
extension ClassicBridge {
    /// Ends the attempt or the link because of a failure.
    mutating func fail(_ failure: BridgingFailure, at now: Duration) -> [Output] {
        switch phase {
        case .idle, .step: break
        case .greeting, .closing, .cancelling, .ending, .over: return failLate(failure, at: now)
        }
        result = .failure(failure)
        if handle != nil { return hangUp(at: now) }
        guard phase == .step(.connection) else { return finish() }
        phase = .cancelling
        limit = nil
        return [.command(.createConnectionCancel(address), .cancel)] + tell()
    }

    /// After the channel was open, the result is known already.
    private mutating func failLate(_ failure: BridgingFailure, at now: Duration) -> [Output] {
        guard phase == .greeting || phase == .closing else { return [] }
        return [.note("\(failure)")] + hangUp(at: now)
    }

    /// Closes the channel, then the link.
    mutating func closeChannel(at now: Duration) -> [Output] {
        guard phase == .greeting, let channel else { return [] }
        phase = .closing
        limit = now + configuration.endLimit
        return take(l2cap.close(channel, at: now), at: now)
    }

    /// Ends the link.
    mutating func hangUp(at now: Duration) -> [Output] {
        guard let handle, phase != .ending, phase != .over else { return [] }
        phase = .ending
        limit = now + configuration.endLimit
        return [.command(.disconnect(handle, reason: endReason), .disconnect)]
    }

    /// Neither an attempt nor a link is left.
    mutating func finish() -> [Output] {
        guard phase != .over else { return [] }
        phase = .over
        limit = nil
        let ended = handle.map { [Output.closed($0)] } ?? []
        handle = nil
        // Its channel is over with the link, and the result has it.
        _ = l2cap.end()
        return ended + tell() + [.finished]
    }

    private mutating func tell() -> [Output] {
        guard !isTold, let result else { return [] }
        isTold = true
        return [.completed(result)]
    }
}
