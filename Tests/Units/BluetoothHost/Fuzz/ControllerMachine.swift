import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// The channel of a controller that sends anything, and the readers of its packets.
struct ControllerMachine: FuzzedMachine {
    static let mustMeet: Set<String> = ["failure", "frame", "violation", "answer", "event", "malformed"]

    var numbers: SeededNumbers
    var log: FuzzLog?
    private(set) var met: Set<String> = []
    private var channel = ControllerChannel()
    private var now = Duration.zero

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func step() -> String? {
        now += .milliseconds(chance(21))
        if channel.failure != nil {
            if channel.receive(ControllerPacket.complete(.leRand), at: now) != [] {
                return "a channel that failed goes on"
            }
            channel = ControllerChannel()
        }
        if chance(4) == 0 { read() }
        let outputs = act()
        if !outputs.failures.isEmpty {
            met.insert("failure")
            if outputs.count > 1 { return "a failure has other outputs beside it" }
        }
        if !outputs.frames.isEmpty { met.insert("frame") }
        if !outputs.violations.isEmpty { met.insert("violation") }
        for case .completed in outputs { met.insert("answer") }
        if outputs.count >= 200 { return "\(outputs.count) outputs at once" }
        let isFull = (0..<4).contains { channel.pendingFrames(on: ConnectionHandle($0)) >= 1 << 18 }
        return isFull ? "too many frames wait" : nil
    }

    /// Gives bytes to readers that keep nothing.
    private mutating func read() {
        let packet = chance(4) > 0 ? event() : bytes(0...80)
        log?.packet("reading", packet)
        do throws(Malformed) {
            _ = try HCIEvent(decoding: packet)
            met.insert("event")
        } catch { met.insert("malformed") }
        _ = try? DataPacket(decoding: packet)
        var information = ControllerInformation()
        // A dictionary has another order in each process.
        let opcodes = HCIOpcode.table.keys.sorted { $0.rawValue < $1.rawValue }
        if let opcode = opcodes.randomElement(using: &numbers) { _ = try? information.take(packet, of: opcode) }
    }

    private mutating func act() -> [ControllerChannel.Output] {
        let link = ConnectionHandle(chance(4))
        let choice = chance(12)
        if choice < 6 { log?.add("action \(choice) on \(link)") }
        switch choice {
        case 0: return channel.linkOpened(link, kind: Bool.random(using: &numbers) ? .le : .classic, at: now)
        case 1 where Bool.random(using: &numbers): return channel.linkClosed(link)
        case 2:
            return channel.send(
                [.leRand, .reset, .readAddress].randomElement(using: &numbers) ?? .reset, at: now
            ).outputs
        case 3: return channel.send(frame: bytes(0...200), on: link)
        case 4:
            return channel.use(
                BufferSizes(lowEnergy: .init(packetLength: .random(in: 0...50, using: &numbers), packetCount: 3)))
        case 5: return channel.advance(to: now)
        default:
            let packet = packet(link)
            log?.packet("HCI", packet)
            return channel.receive(packet, at: now)
        }
    }

    private mutating func packet(_ link: ConnectionHandle) -> [UInt8] {
        switch chance(20) {
        case 0: return bytes(0...20)
        case 1: return [4] + event()
        case 2...5:
            let opcode = [HCIOpcode.leRand, .reset, .readAddress, .noOperation].randomElement(using: &numbers)
            return ControllerPacket.complete(opcode ?? .reset, allowance: byte(0...3))
        case 6...9: return ControllerPacket.completed([(link, UInt16(byte(0...3)))])
        default:
            var data = bytes(0...12)
            if data.count > 1 { (data[0], data[1]) = (data[0] & 7, 0) }
            return ControllerPacket.data(link, UInt16(byte(0...3)), data)
        }
    }

    /// An event with a known code and a true length, and often with a small count.
    private mutating func event() -> [UInt8] {
        let code = HCIEvent.Code.allCases.randomElement(using: &numbers)?.rawValue ?? 0
        var parameters = bytes(0...60)
        if code == HCIEvent.Code.leMeta.rawValue, !parameters.isEmpty {
            parameters[0] = HCIEvent.LECode.allCases.randomElement(using: &numbers)?.rawValue ?? 0
            if parameters.count > 2, Bool.random(using: &numbers) { parameters[1] = 1 }
        }
        return [code, UInt8(parameters.count)] + parameters
    }
}
