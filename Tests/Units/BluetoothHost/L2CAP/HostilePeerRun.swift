import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// A link between a random user and a random peer.
struct HostilePeerRun: FuzzedMachine {
    static let mustMeet: Set<String> = ["opened", "failed", "closed", "received"]

    var numbers: SeededNumbers
    var log: FuzzLog?
    private(set) var met: Set<String> = []
    var link: L2CAPLink
    private var now = Duration.zero
    /// The first thing that was wrong.
    private var problem: String?
    /// The channels that this end wanted.
    private var wanted: Set<LocalChannel> = []
    /// The channels of which the user knows that they are open.
    private var open: Set<LocalChannel> = []

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        let transport: L2CAPLink.Transport = Bool.random(using: &numbers) ? .le : .classic
        let role: L2CAPLink.Role = Bool.random(using: &numbers) ? .central : .peripheral
        var configuration = L2CAPConfiguration()
        configuration.maxChannels = 6
        configuration.mps = 30
        configuration.mtu = 64
        configuration.waitingSDUs = 4
        configuration.initialCredits = 3
        configuration.queuedSDUs = 3
        configuration.allowsEnhancedChannels = true
        link = L2CAPLink(role: role, transport: transport, configuration: configuration)
        link.listeners = [
            0x25: L2CAPLink.Listener(mtu: 64), 0x27: L2CAPLink.Listener(mtu: 64, protection: .authenticated),
        ]
    }

    mutating func step() -> String? {
        let outputs =
            switch chance(20) {
            case 0..<2: hearFrame()
            case 2..<4: hear(bytes(0...60), on: link.signalingChannel.rawValue)
            case 4..<10: hearCommand()
            case 10..<13: hearData()
            case 13: advance()
            default: act()
            }
        check(outputs)
        return problem
    }

    private mutating func hearFrame() -> [L2CAPLink.Output] {
        let frame = bytes(0...40)
        log?.packet("frame", frame)
        return link.receive(frame, at: now)
    }

    private mutating func hear(_ payload: [UInt8], on channel: UInt16) -> [L2CAPLink.Output] {
        log?.packet("channel \(channel)", payload)
        return link.hear(payload, on: channel, at: now)
    }

    private mutating func hear(_ command: SignalingCommand, identifier: UInt8) -> [L2CAPLink.Output] {
        log?.add("command \(identifier): \(command)")
        return link.hear(command, identifier: identifier, at: now)
    }

    private mutating func hearCommand() -> [L2CAPLink.Output] {
        let open = link.pending.sorted { $0.key < $1.key }.randomElement(using: &numbers)
        if let open, Bool.random(using: &numbers), let answer = answer(to: open.value.request) {
            return hear(answer, identifier: open.key)
        }
        let identifier = Bool.random(using: &numbers) ? open?.key : nil
        let command = command()
        return hear(command, identifier: identifier ?? byte())
    }

    private mutating func hearData() -> [L2CAPLink.Output] {
        var payload = bytes(0...32)
        if payload.count > 1, Bool.random(using: &numbers) {
            payload.replaceSubrange(0..<2, with: [payload[0] & 0x3F, 0])
        }
        let channel = cid()
        return hear(payload, on: channel)
    }

    private mutating func advance() -> [L2CAPLink.Output] {
        now += .milliseconds(Int.random(in: 0...20_000, using: &numbers))
        log?.add("at \(now)")
        let outputs = link.advance(to: now)
        if let deadline = link.deadline, deadline <= now { problem = "something is still due" }
        return outputs
    }

    /// What the layers above do.
    private mutating func act() -> [L2CAPLink.Output] {
        let channel = open.union(wanted).sorted { $0.serial < $1.serial }.randomElement(using: &numbers)
        let choice = chance(8)
        log?.add("action \(choice) with \(channel.map { "\($0)" } ?? "no channel")")
        switch choice {
        case 0, 1:
            guard let (id, outputs) = try? link.open(psm: 0x25, at: now) else { return [] }
            wanted.insert(id)
            return outputs
        case 2:
            guard let (ids, outputs) = try? link.openEnhanced(psm: 0x25, count: 2, at: now) else { return [] }
            wanted.formUnion(ids)
            return outputs
        case 3: return channel.map { link.close($0, at: now) } ?? []
        case 4:
            let sdu = bytes(0...80)
            return channel.flatMap { try? link.send(sdu: sdu, on: $0) } ?? []
        case 5: return channel.map { link.consumed(Int.random(in: -1...5, using: &numbers), on: $0) } ?? []
        case 6:
            let wanted = ConnectionParameters(shortestInterval: 12, longestInterval: 24, latency: 0, timeout: 100)
            return (try? link.requestParameters(wanted, at: now)) ?? (try? link.requestInformation(.features, at: now))
                ?? []
        default: return link.answerParameters(identifier: UInt8.random(in: 0...9, using: &numbers), accepted: true)
        }
    }

    private mutating func check(_ outputs: [L2CAPLink.Output]) {
        for output in outputs { check(output) }
        let channels = link.channels.values
        let isBounded =
            channels.count <= 6 && link.pending.count <= channels.count + 2
            && channels.allSatisfy {
                ($0.sender?.queue.count ?? 0) <= 3 && ($0.sender?.credits ?? 0) <= 65535
                    && ($0.receiver?.partial.count ?? 0) <= 64
                    && ($0.receiver.map { $0.waiting + $0.credits } ?? 0) <= 4
            }
        if !isBounded { problem = "the limits are exceeded" }
        if !open.isSubset(of: channels.map(\.id)) { problem = "a channel vanished without a word" }
    }

    private mutating func check(_ output: L2CAPLink.Output) {
        switch output {
        case .frame(let bytes):
            guard let frame = try? L2CAPFrame(bytes) else { return problem = "a malformed frame was sent" }
            if frame.channel == link.signalingChannel, frame.payload.count > link.signalingMTU {
                problem = "a signalling frame of \(frame.payload.count) bytes was sent"
            }
        case .opened(let id, _, _, let byPeer):
            met.insert("opened")
            if byPeer == (wanted.remove(id) != nil) { problem = "\(id) opened for the wrong end" }
            if !open.insert(id).inserted { problem = "\(id) opened twice" }
        case .openFailed(let id, _):
            met.insert("failed")
            if wanted.remove(id) == nil { problem = "\(id) failed and was not wanted" }
        case .closed(let id, _, _):
            met.insert("closed")
            if open.remove(id) == nil { problem = "\(id) closed and was not open" }
        case .received(let id, let sdu):
            met.insert("received")
            if !open.contains(id) || sdu.count > 672 { problem = "\(id) received \(sdu.count) bytes" }
        default: break
        }
    }
}
