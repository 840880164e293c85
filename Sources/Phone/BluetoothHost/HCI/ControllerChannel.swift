import RadioModel

/// The one user of a controller's transport: commands with their answers, events, and frames of data.
///
/// After `Output.failed` it takes and gives nothing more.
package struct ControllerChannel: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// How long the controller may take for the answer to a command.
        package var commandLimit: Duration = .seconds(10)
        /// `Output.drained` comes when a link has this many waiting frames or fewer, after it had more.
        package var lowWater = 4
        /// How many bytes of one link may wait. A peer that takes no data cannot fill the memory.
        package var mostWaitingBytes = 1 << 20
        /// How many data packets of links that are not open yet are kept. On USB, data can overtake events.
        package var mostEarlyPackets = 16
        /// How long such packets are kept.
        package var earlyPacketLimit: Duration = .milliseconds(100)

        package init() {}
    }

    package enum LinkKind: Sendable, Hashable {
        case le, classic
    }

    package enum Output: Sendable, Equatable {
        /// An H4 packet for the controller.
        case packet([UInt8])
        /// The answer to a command: its status, and the return parameters after the status; none if the controller only
        /// told that it began.
        case completed(CommandToken, HCIError, returnParameters: [UInt8])
        case event(HCIEvent)
        /// A whole L2CAP frame with its header.
        case frame([UInt8], on: ConnectionHandle)
        /// The link takes frames again: nothing waits, or no more than `Configuration.lowWater` frames.
        case drained(ConnectionHandle)
        /// What the peer of a link did wrong. The link should be ended.
        case violation(ConnectionHandle, String)
        /// Why the controller cannot be used any more.
        case failed(String)
    }

    private let configuration: Configuration
    private var commands = CommandQueue()
    private var data = DataQueue()
    private var assemblers: [ConnectionHandle: FrameAssembler] = [:]
    /// Data packets of links that are not open yet, the oldest first.
    private var early: [(packet: DataPacket, expires: Duration)] = []
    /// Why the controller cannot be used any more.
    package private(set) var failure: String?

    package init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// When the controller has taken too long for an answer.
    package var deadline: Duration? { failure == nil ? commands.deadline(limit: configuration.commandLimit) : nil }

    /// Fails if the controller has taken too long for an answer.
    package mutating func advance(to now: Duration) -> [Output] {
        guard failure == nil, let overdue = commands.overdue(limit: configuration.commandLimit, at: now) else {
            return []
        }
        return fail("the controller \(overdue)")
    }

    /// Sends a command as soon as the controller takes it.
    package mutating func send(_ command: HCICommand, at now: Duration) -> (token: CommandToken, outputs: [Output]) {
        guard failure == nil else { return (commands.token(), []) }
        let token = commands.add(command, at: now)
        return (token, commands.packets(at: now).map { .packet($0) })
    }

    /// Takes one H4 packet of the controller, with its type byte.
    package mutating func receive(_ packet: [UInt8], at now: Duration) -> [Output] {
        guard failure == nil else { return [] }
        do throws(Malformed) {
            switch packet.first {
            case H4Type.event: return take(try HCIEvent(decoding: packet.dropFirst()), at: now)
            case H4Type.data: return take(try DataPacket(decoding: packet.dropFirst()), at: now)
            case let type?: throw Malformed("a packet of type 0x\(Hex.text([type])), neither an event nor data")
            case nil: throw Malformed("an empty packet")
            }
        } catch {
            return fail("the controller sent \(error)")
        }
    }

    private mutating func fail(_ text: String) -> [Output] {
        failure = text
        commands.removeAll()
        (data, assemblers, early) = (DataQueue(), [:], [])
        return [.failed(text)]
    }
}

/// Events.
extension ControllerChannel {
    private mutating func take(_ event: HCIEvent, at now: Duration) -> [Output] {
        switch event {
        case .commandComplete(let opcode, let allowance, let values):
            let token = commands.answer(opcode, allowance: allowance, at: now)
            guard let token else { return unmatched(event, opcode, at: now) }
            guard let status = values.first else {
                return fail("the controller completed \(opcode) without a status")
            }
            return completed(token, HCIError(rawValue: status), Array(values.dropFirst()), at: now)
        case .commandStatus(let opcode, let status, let allowance):
            let token = commands.answer(opcode, allowance: allowance, at: now)
            guard let token else { return unmatched(event, opcode, at: now) }
            return completed(token, status, [], at: now)
        case .completedPackets(let links):
            return sending { data in
                for link in links { data.complete(link.count, on: link.handle) }
            }
        case .hardwareError(let code):
            return fail("the controller reported the hardware error 0x\(Hex.text([code]))")
        case .returnLinkKeys: return []
        default: return [.event(event)]
        }
    }

    private mutating func completed(
        _ token: CommandToken, _ status: HCIError, _ values: [UInt8], at now: Duration
    ) -> [Output] {
        [.completed(token, status, returnParameters: values)] + commands.packets(at: now).map { .packet($0) }
    }

    /// An answer without a command: it may still allow more commands.
    private mutating func unmatched(_ event: HCIEvent, _ opcode: HCIOpcode, at now: Duration) -> [Output] {
        (opcode == .noOperation ? [] : [.event(event)]) + commands.packets(at: now).map { .packet($0) }
    }
}

/// Links and their data.
extension ControllerChannel {
    /// How many frames of a link wait, whole or in part.
    package func pendingFrames(on handle: ConnectionHandle) -> Int { data.pendingFrames(on: handle) }

    /// Whether a writer should wait for `Output.drained` before its next frame.
    package func isCongested(_ handle: ConnectionHandle) -> Bool {
        pendingFrames(on: handle) > configuration.lowWater
    }

    /// The controller's buffers. Without them no frame is sent.
    package mutating func use(_ buffers: BufferSizes) -> [Output] { sending { $0.use(buffers) } }

    /// Begins to take frames of a link, and gives those that came before.
    package mutating func linkOpened(_ handle: ConnectionHandle, kind: LinkKind, at now: Duration) -> [Output] {
        guard failure == nil else { return [] }
        data.open(handle, kind)
        assemblers[handle] = FrameAssembler()
        let packets = early.filter { $0.packet.handle == handle && $0.expires > now }
        early.removeAll { $0.packet.handle == handle }
        return packets.flatMap { take($0.packet, at: now) }
    }

    /// Drops what waits for a link, and gives its buffers to the others.
    package mutating func linkClosed(_ handle: ConnectionHandle) -> [Output] {
        assemblers[handle] = nil
        early.removeAll { $0.packet.handle == handle }
        return sending { $0.close(handle) }
    }

    /// Sends a whole L2CAP frame with its header. On a link that is not open nothing happens.
    ///
    /// - Parameter continues: Whether it is marked as more of the frame before: only for experiments.
    package mutating func send(frame: [UInt8], on handle: ConnectionHandle, continues: Bool = false) -> [Output] {
        guard failure == nil, data.contains(handle) else { return [] }
        let waiting = data.pendingBytes(on: handle)
        guard frame.count <= configuration.mostWaitingBytes - waiting else {
            return [.violation(handle, "it does not take its data: \(waiting) bytes wait")]
        }
        return sending { $0.append(frame, on: handle, continues: continues) }
    }

    /// Changes the queue, sends what the controller takes, and tells which links take frames again.
    private mutating func sending(_ change: (inout DataQueue) -> Void) -> [Output] {
        guard failure == nil else { return [] }
        let before = data.pending
        change(&data)
        let packets = data.packets().map { Output.packet($0) }
        let after = data.pending
        let drained = before.keys.sorted { $0.rawValue < $1.rawValue }.filter { handle in
            guard let old = before[handle], let new = after[handle] else { return false }
            return old > 0 && new == 0 || old > configuration.lowWater && new <= configuration.lowWater
        }
        return packets + drained.map { .drained($0) }
    }

    private mutating func take(_ packet: DataPacket, at now: Duration) -> [Output] {
        guard let result = assemblers[packet.handle]?.take(packet) else {
            early.removeAll { $0.expires <= now }
            early.append((packet, now + configuration.earlyPacketLimit))
            if early.count > configuration.mostEarlyPackets { early.removeFirst() }
            return []
        }
        let violation = result.violation.map { [Output.violation(packet.handle, $0)] } ?? []
        return violation + (result.frame.map { [.frame($0, on: packet.handle)] } ?? [])
    }
}
