import BoardProtocol
import RigModel
import Testing

@testable import HILAir

/// A controller that sends its host's data on the air unchanged, and passes on what it hears.
private final class WireController: BluetoothController {
    func receive(hci packet: [UInt8]) -> [ControllerOutput] { [.linkLayer(bytes: Array(packet.dropFirst(5)), phy: 0)] }
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput] { [.hci(bytes)] }
    func tick() -> [ControllerOutput] { [] }
}

@Suite("Frames of several packets")
struct FrameTests {
    private let faults = FaultInjector()
    private var medium: BluetoothMedium

    init() {
        medium = BluetoothMedium(faults: faults)
        for board in [AirAdapter.host, .accessory] { medium.plugIn(WireController(), on: board) }
    }

    /// An L2CAP frame with an ATT message of 9 bytes, in packets of these lengths.
    private static func frame(opcode: UInt8, cut lengths: [Int]) -> [[UInt8]] {
        let frame: [UInt8] = [9, 0, 4, 0, opcode] + (1...8)
        var (packets, rest) = ([[UInt8]](), frame[...])
        for length in lengths {
            let header: [UInt8] = [1] + [UInt8](repeating: 2, count: 12) + [packets.isEmpty ? 0 : 1, 0]
            packets.append(header + rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return packets
    }

    private let first = frame(opcode: 0x52, cut: [6, 4, 3])
    private let second = frame(opcode: 0x12, cut: [10, 3])

    /// The packets of the host's controller that the accessory hears.
    private mutating func heard(_ packets: [[UInt8]]) -> [[UInt8]] {
        packets.flatMap { packet in
            let data = [2, 1, 0, UInt8(packet.count), 0] + packet
            return medium.receive(data, from: .host, geometry: Geometry(distance: 1))
                .compactMap { if case .hci(.accessory, let bytes) = $0 { bytes } else { nil } }
        }
    }

    private func arm(_ fault: AirFault, firings: Int = 1) { _ = faults.arm(fault, firings: firings, client: 1) }

    @Test("A frame is lost as a whole; a doubled frame is repeated after its end; the next frame passes")
    mutating func lostAndDoubled() {
        arm(.dropped(.att(opcode: 0x52)))
        #expect(heard(first) == [])
        arm(.doubled(.att(opcode: 0x52)))
        #expect(heard(first) == first + first)
        #expect(heard(first + second) == first + second)
    }

    @Test("An overtaken frame arrives after the whole next frame, and a delayed frame is not split")
    mutating func overtaken() {
        arm(.reordered(.att(opcode: 0x52)))
        #expect(heard(first + second) == second + first)
        arm(.delayed(.att(opcode: 0x52), by: .seconds(60)))
        #expect(heard(first + second) == second)
    }

    @Test("A continuation is altered alone; a continuation without a beginning counts as a frame")
    mutating func continuations() {
        arm(.altered(.acl.and(.not(.att())), at: 0, to: [99]))
        var altered = first
        altered[1][15] = 99
        #expect(heard(first) == altered)
        arm(.doubled(.acl))
        #expect(heard(Array(first.suffix(1))) == [first[2], first[2]])
        // Packets that are shorter than their header, or longer than their length field, do not trap.
        arm(.doubled(.acl), firings: 100)
        for packet in first { for count in 0...packet.count { _ = heard([Array(packet.prefix(count))]) } }
        for packet in first { _ = heard([packet + packet]) }
    }
}
