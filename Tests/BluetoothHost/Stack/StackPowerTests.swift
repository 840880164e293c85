import RadioModel
import Testing

@testable import HILBluetoothHost

// Bluetooth switched off while links are up.
extension BluetoothStackTests {
    @Test("Off waits until the link has ended in order, and refuses requests in the meantime")
    func powerOffInOrder() throws {
        var air = try air()
        let device = try connect(&air)
        _ = air.takeEvents(1)
        var outputs: [BluetoothStack.Output] = []
        air.act(0) { stack, now in
            outputs = stack.powerOff(at: now)
            return []
        }
        // The controller has not answered yet: a disconnection, and no end.
        #expect(outputs.contains { if case .packet(let packet) = $0 { packet[1...2] == [0x06, 0x04] } else { false } })
        #expect(!outputs.contains { if case .event(.poweredOff) = $0 { true } else { false } })
        let refused = air.perform(0, .connect(device))
        guard case .failure(.off)? = air.result(0, refused) else {
            Issue.record("not refused: \(String(describing: air.result(0, refused)))")
            return
        }
        air.act(0) { _, _ in outputs }
        let events = air.takeEvents(0)
        #expect(events.contains { if case .poweredOff = $0 { true } else { false } })
        #expect(air.takeEvents(1).contains { if case .disconnected = $0 { true } else { false } })
    }

    @Test("Off does not wait longer than a second for a controller that says nothing")
    func powerOffLimit() throws {
        var air = try air()
        _ = try connect(&air)
        _ = air.takeEvents(0)
        air.act(0) { stack, now in
            _ = stack.powerOff(at: now)
            return []
        }
        air.advance(by: BluetoothStack.powerOffTime - .milliseconds(1))
        #expect(air.takeEvents(0).isEmpty)
        air.advance(by: .milliseconds(1))
        #expect(air.takeEvents(0).contains { if case .poweredOff = $0 { true } else { false } })
    }
}
