import RadioModel

@testable import HILBluetoothHost

/// The classic half of a phone's controller, and the one accessory that it reaches.
struct ClassicAccessory {
    /// What the controller does with a command.
    enum Reply {
        case silence
        /// It answers at once with this status.
        case refusal(HCIError)
        /// It begins, and these events follow.
        case events([[UInt8]])
    }

    let address: DeviceAddress
    /// 16 bytes, least significant first; nil if the accessory has lost it.
    var linkKey: [UInt8]?
    /// In bytes.
    var keySize: UInt8 = 16
    /// Instead of the usual answers, by opcode.
    var replies: [UInt16: Reply] = [:]
    var l2cap = L2CAPLink(role: .peripheral, transport: .classic)
    /// Whether the frames of the phone are lost.
    var isDeaf = false
    /// What it does after the first packet on the channel.
    var reaction = Reaction.closes
    private(set) var isLinked = false
    private(set) var handle: UInt16 = 0x0200
    /// All commands of classic Bluetooth.
    private(set) var commands: [(opcode: UInt16, parameters: [UInt8])] = []
    /// What came on its channel.
    private(set) var received: [[UInt8]] = []
    /// What the phone said of itself.
    private(set) var information: [InformationType: UInt64] = [:]

    enum Reaction {
        case closes, answers, nothing
    }

    init(_ address: DeviceAddress, linkKey: [UInt8]?) {
        self.address = address
        self.linkKey = linkKey
        l2cap.listeners = [0x0001: L2CAPLink.Listener(mtu: 672), 0x1001: L2CAPLink.Listener(mtu: 672)]
    }

    var opcodes: [UInt16] { commands.map(\.opcode) }
    func parameters(of opcode: UInt16) -> [[UInt8]] { commands.filter { $0.opcode == opcode }.map(\.parameters) }

    /// What the controller and the accessory answer to a packet of the phone; nil if it is not about classic Bluetooth.
    mutating func answers(to packet: [UInt8], at now: Duration) -> [[UInt8]]? {
        let number = UInt16(packet[1]) | UInt16(packet[2]) << 8
        if packet[0] == 2 { return number & 0x0FFF == handle ? data(Array(packet[5...]), at: now) : nil }
        let parameters = Array(packet[4...])
        switch number {
        // Read Buffer Size, among the supported commands.
        case 0x1002:
            let commands = (0..<64).map { UInt8($0 == 14 ? 0x80 : 0) }
            return [complete(number, commands)]
        case 0x1005: return [complete(number, [0xFD, 0x03, 0xFF, 8, 0, 0, 0])]
        case 0x0406 where Array(parameters.prefix(2)) != low(handle): return nil
        case 0x0405, 0x0406, 0x0408, 0x040A, 0x040B, 0x040C, 0x0411, 0x0413, 0x0434, 0x1408: break
        default: return nil
        }
        commands.append((number, parameters))
        switch replies[number] {
        case .silence: return []
        case .refusal(let status):
            let isCompleted = [0x0408, 0x040B, 0x040C, 0x0434, 0x1408].contains(number)
            return [isCompleted ? complete(number, status: status) : self.status(number, status)]
        case .events(let events): return [status(number)] + events
        case nil: return usual(number, parameters)
        }
    }

    private mutating func usual(_ opcode: UInt16, _ parameters: [UInt8]) -> [[UInt8]] {
        switch opcode {
        case 0x0405: [status(opcode), connected()]
        case 0x0406: [status(opcode), ended(.localHostEnded)]
        case 0x0408: [complete(opcode, name), connectionFailed(.unknownConnection)]
        case 0x040A: [status(opcode), connectionFailed(HCIError(rawValue: parameters[6]))]
        case 0x0411: [status(opcode), [4, 0x17, 6] + name]
        case 0x040B: [complete(opcode, name), authenticated(with: Array(parameters[6...]))]
        // Without a key the controller tries to pair.
        case 0x040C: [complete(opcode, name), [4, 0x31, 6] + name]
        case 0x0434: [complete(opcode, name), authenticated(.authenticationFailure)]
        case 0x0413: [status(opcode), encrypted()]
        default: [complete(opcode, low(handle) + [keySize])]
        }
    }

    private mutating func data(_ frame: [UInt8], at now: Duration) -> [[UInt8]] {
        let done: [UInt8] = [4, 0x13, 5, 1] + low(handle) + [1, 0]
        guard isLinked, !isDeaf else { return [done] }
        return [done] + take(l2cap.receive(frame, at: now), at: now)
    }

    /// The packets for what the accessory's L2CAP does.
    mutating func take(_ outputs: [L2CAPLink.Output], at now: Duration) -> [[UInt8]] {
        outputs.flatMap { output -> [[UInt8]] in
            switch output {
            case .frame(let frame): return [self.packet(frame)]
            case .received(let channel, let sdu):
                received.append(sdu)
                switch reaction {
                case .closes: return take(l2cap.close(channel, at: now), at: now)
                case .answers: return take((try? l2cap.send(sdu: [3, 0, 1, 0, 0], on: channel)) ?? [], at: now)
                case .nothing: return []
                }
            case .peerInformation(let type, let value):
                information[type] = value
                return []
            default: return []
            }
        }
    }
}

// Packets of the controller.
extension ClassicAccessory {
    private var name: [UInt8] { address.bytes.reversed() }
    private func low(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

    private func status(_ opcode: UInt16, _ status: HCIError = .success) -> [UInt8] {
        [4, 0x0F, 4, status.rawValue, 1] + low(opcode)
    }

    private func complete(_ opcode: UInt16, _ values: [UInt8] = [], status: HCIError = .success) -> [UInt8] {
        [4, 0x0E, UInt8(4 + values.count), 1] + low(opcode) + [status.rawValue] + values
    }

    /// A frame of the accessory.
    func packet(_ frame: [UInt8]) -> [UInt8] { [2] + low(handle | 0x2000) + low(UInt16(frame.count)) + frame }

    /// The link is up, with a new handle.
    mutating func connected() -> [UInt8] {
        isLinked = true
        handle += 1
        var fresh = L2CAPLink(role: .peripheral, transport: .classic)
        fresh.listeners = l2cap.listeners
        l2cap = fresh
        return [4, 0x03, 11, 0] + low(handle) + name + [1, 0]
    }

    func connectionFailed(_ status: HCIError) -> [UInt8] { [4, 0x03, 11, status.rawValue, 0, 0] + name + [1, 0] }

    /// The link is over.
    mutating func ended(_ reason: HCIError) -> [UInt8] {
        isLinked = false
        return [4, 0x05, 4, 0] + low(handle) + [reason.rawValue]
    }

    func authenticated(_ status: HCIError) -> [UInt8] { [4, 0x06, 3, status.rawValue] + low(handle) }

    private func authenticated(with key: [UInt8]) -> [UInt8] {
        authenticated(key == linkKey ? .success : linkKey == nil ? .keyMissing : .authenticationFailure)
    }

    /// Encryption by AES-CCM is on, or off.
    func encrypted(_ isOn: Bool = true, _ status: HCIError = .success) -> [UInt8] {
        [4, 0x08, 4, status.rawValue] + low(handle) + [isOn ? 2 : 0]
    }
}
