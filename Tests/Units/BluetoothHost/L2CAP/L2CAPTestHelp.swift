import Foundation
import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// Two links whose frames reach each other at once, and what each of them has told its layers above.
struct L2CAPPair {
    enum End { case central, peripheral }

    var central: L2CAPLink
    var peripheral: L2CAPLink
    private(set) var heardByCentral: [L2CAPLink.Output] = []
    private(set) var heardByPeripheral: [L2CAPLink.Output] = []
    /// The channels that are open at each end, by their order.
    private(set) var centralsChannels: [LocalChannel] = []
    private(set) var peripheralsChannels: [LocalChannel] = []
    /// How many frames have gone over the link.
    private(set) var frames = 0

    init(
        _ transport: L2CAPLink.Transport = .le, central: L2CAPConfiguration = L2CAPConfiguration(),
        peripheral: L2CAPConfiguration = L2CAPConfiguration()
    ) {
        self.central = L2CAPLink(role: .central, transport: transport, configuration: central)
        self.peripheral = L2CAPLink(role: .peripheral, transport: transport, configuration: peripheral)
    }

    /// Carries the frames of one end to the other, and the answers back, until both are silent.
    mutating func pump(_ outputs: [L2CAPLink.Output], from end: End, at now: Duration = .zero) {
        pump(outputs.map { (end, $0) }, at: now)
    }

    /// Carries the frames of both ends, which are on their way at the same time.
    mutating func pump(_ outputs: [(End, L2CAPLink.Output)], at now: Duration = .zero) {
        var waiting = outputs
        while !waiting.isEmpty {
            let (end, output) = waiting.removeFirst()
            guard case .frame(let frame) = output else {
                note(output, at: end)
                continue
            }
            frames += 1
            switch end {
            case .central: waiting += peripheral.receive(frame, at: now).map { (.peripheral, $0) }
            case .peripheral: waiting += central.receive(frame, at: now).map { (.central, $0) }
            }
        }
    }

    private mutating func note(_ output: L2CAPLink.Output, at end: End) {
        if end == .central { heardByCentral.append(output) } else { heardByPeripheral.append(output) }
        guard case .opened(let channel, _, _, _) = output else { return }
        if end == .central { centralsChannels.append(channel) } else { peripheralsChannels.append(channel) }
    }

    /// The SDUs that an end has received.
    func received(by end: End) -> [[UInt8]] {
        (end == .central ? heardByCentral : heardByPeripheral).compactMap {
            if case .received(_, let sdu) = $0 { sdu } else { nil }
        }
    }
}

extension L2CAPLink {
    /// Takes a command of the peer.
    mutating func hear(
        _ command: SignalingCommand, identifier: UInt8 = 1, at now: Duration = .zero
    ) -> [Output] {
        receive(L2CAPFrame(channel: signalingChannel, payload: command.bytes(identifier: identifier)).bytes, at: now)
    }

    /// Takes bytes of the peer on a channel.
    mutating func hear(_ payload: [UInt8], on channel: UInt16, at now: Duration = .zero) -> [Output] {
        receive(L2CAPFrame(channel: ChannelIdentifier(rawValue: channel), payload: payload).bytes, at: now)
    }
}

extension [L2CAPLink.Output] {
    /// The frames among them.
    var frames: [L2CAPFrame] {
        compactMap { if case .frame(let bytes) = $0 { try? L2CAPFrame(bytes) } else { nil } }
    }

    /// The signalling commands in the frames.
    var commands: [SignalingCommand] { packets.map(\.command) }

    /// The signalling commands with their identifiers.
    var packets: [(command: SignalingCommand, identifier: UInt8)] {
        frames.filter { $0.channel == .leSignaling || $0.channel == .classicSignaling }
            .flatMap { SignalingPacket.split($0.payload).packets }
            .compactMap { packet in
                guard let code = SignalingCode(rawValue: packet.code) else { return nil }
                return (try? SignalingCommand(code, data: packet.data)).map { ($0, packet.identifier) }
            }
    }

    /// All but the frames and the notes.
    var events: [L2CAPLink.Output] {
        filter { output in
            switch output {
            case .frame, .note: false
            default: true
            }
        }
    }

    var hasNote: Bool { contains { if case .note = $0 { true } else { false } } }
}

/// How often the fuzz tests try.
enum L2CAPFuzz {
    static let count = ProcessInfo.processInfo.environment["HIL_FUZZ_PDUS"].flatMap { Int($0) } ?? 20_000

    static func bytes(_ most: Int, _ numbers: inout SeededNumbers) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }
}
