import RadioModel
import Synchronization
import Testing

@testable import HILBluetoothHost

extension BluetoothStackTests {
    @Test("Packets are dropped, changed, held and released in another order, and nothing of it stays afterwards")
    func tap() throws {
        var air = try air()
        let device = try connect(&air)
        let handle = try #require(try discover(&air, device)[BluetoothStackTests.value])

        // Held answers come in the order of their release.
        set(PacketTap { $0.direction == .received && $0.frame.channel == .attributes ? .hold : .pass }, &air)
        let read = air.perform(0, .gatt(device, .read(handle)))
        #expect(air.result(0, read) == nil)
        let held = air.devices[0].stack.held
        #expect(held.map(\.frame.payload) == [[0x0B] + Array("on".utf8)])
        air.act(0) { $0.release(held, at: $1) }
        #expect(value(air.result(0, read)) == Array("on".utf8))

        // A changed answer.
        set(PacketTap { $0.frame.payload.first == 0x0B ? .replace([0x0B, 0x21]) : .pass }, &air)
        #expect(readValue(&air, device, handle) == [0x21])

        // A dropped request, made by hand afterwards.
        set(PacketTap { $0.direction == .sent && $0.frame.payload.first == 0x0A ? .drop : .pass }, &air)
        let lost = air.perform(0, .gatt(device, .read(handle)))
        #expect(air.result(0, lost) == nil)
        let answer = L2CAPFrame(channel: .attributes, payload: [0x0B, 0x07])
        air.act(0) { $0.release([TappedPacket(.received, device, answer)], at: $1) }
        #expect(value(air.result(0, lost)) == [0x07])

        set(nil, &air)
        #expect(readValue(&air, device, handle) == Array("on".utf8))
        #expect(air.devices[0].stack.held.isEmpty)
    }

    @Test("Not more packets are held than there is room for: the others pass")
    func heldLimit() throws {
        var tap = PacketTap { _ in .hold }
        let device = DeviceAddress.numbered(1)
        let frame = L2CAPFrame(channel: .attributes, payload: [0x0B]).bytes
        for _ in 0..<PacketTap.mostHeld { #expect(tap.pass(frame, .received, device) == nil) }
        #expect(tap.pass(frame, .received, device) == frame)
        #expect(tap.held.count == PacketTap.mostHeld)
    }

    @Test("A raw command has its status and its values; without power it fails")
    func rawCommand() throws {
        var air = try air()
        let id = air.perform(0, .command(HCICommand(HCIOpcode(rawValue: 0x1009))))
        guard case .success(.command(.success, let values))? = air.result(0, id) else {
            Issue.record("no answer: \(String(describing: air.result(0, id)))")
            return
        }
        #expect(values == air.devices[0].address.bytes.reversed())
        air.act(0) { $0.powerOff(at: $1) }
        let late = air.perform(0, .command(HCICommand(HCIOpcode(rawValue: 0x1009))))
        guard case .failure(.off)? = air.result(0, late) else {
            Issue.record("not refused")
            return
        }
    }

    private func set(_ tap: PacketTap?, _ air: inout LocalAir) {
        air.act(0) { stack, _ in
            stack.tap(tap)
            return []
        }
    }
}
