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
        air.advance(by: .seconds(30))
        #expect(air.takeEvents(0).isEmpty, "nobody waits for its answers any more")
    }

    @Test("The phone tells each private address that it has in the air, one every 15 minutes")
    func ownAddresses() throws {
        var air = try air()
        _ = air.takeEvents(0)
        var told: [PeerAddress] = []
        for _ in 1...2 {
            air.advance(by: .seconds(15 * 60))
            told += air.takeEvents(0).compactMap { if case .addressChanged(let own) = $0 { own } else { nil } }
        }
        #expect(told.count == 2 && Set(told).count == 2 && told.allSatisfy(\.isRandom), "\(told)")
    }

    /// A phone that connects to a lamp which no longer advertises, and what it says when it is switched off.
    private func switchedOffWhileConnecting() throws -> (LocalAir, StackRequestID, [BluetoothStack.Output]) {
        var air = try air()
        let device = try connect(&air)
        _ = air.perform(0, .disconnect(device))
        air.act(1) { $0.advertise(nil, at: $1) }
        let id = air.perform(0, .connect(device))
        #expect(air.result(0, id) == nil, "it is being connected")
        _ = (air.takeEvents(0), air.takeEvents(1))
        var outputs: [BluetoothStack.Output] = []
        air.act(0) { stack, now in
            outputs = stack.powerOff(at: now)
            return []
        }
        return (air, id, outputs)
    }

    @Test("Off gives up an attempt to connect, and waits until the controller has done so")
    func powerOffWhileConnecting() throws {
        var (air, id, outputs) = try switchedOffWhileConnecting()
        #expect(outputs.contains { if case .packet(let packet) = $0 { packet[1...2] == [0x0E, 0x20] } else { false } })
        #expect(!outputs.contains { if case .event(.poweredOff) = $0 { true } else { false } })
        air.act(0) { _, _ in outputs }
        guard case .failure(.off)? = air.result(0, id) else {
            Issue.record("not failed: \(String(describing: air.result(0, id)))")
            return
        }
        #expect(air.takeEvents(0).contains { if case .poweredOff = $0 { true } else { false } })
    }

    @Test("A phone that gives up an attempt to connect makes no link when it hears the device again")
    func disconnectedWhileConnecting() throws {
        var air = try air()
        let device = try connect(&air)
        _ = air.perform(0, .disconnect(device))
        air.act(1) { $0.advertise(nil, at: $1) }
        let attempt = air.perform(0, .connect(device))
        let end = air.perform(0, .disconnect(device))
        guard case .success? = air.result(0, end), case .failure(.notEstablished(.cancelled))? = air.result(0, attempt)
        else {
            Issue.record("\(String(describing: air.result(0, end))), \(String(describing: air.result(0, attempt)))")
            return
        }
        _ = air.takeEvents(1)
        air.act(1) { $0.advertise(AdvertisingContent(name: "Lamp", services: [Self.service]), at: $1) }
        air.advance(by: .seconds(10))
        #expect(!air.takeEvents(1).contains { if case .connected = $0 { true } else { false } })
        let next = air.perform(0, .connect(device))
        guard case .success? = air.result(0, next) else {
            Issue.record("the next attempt: \(String(describing: air.result(0, next)))")
            return
        }
        let nothing = air.perform(0, .disconnect(DeviceAddress("02:00:00:00:00:99")!))
        guard case .failure(.notConnected)? = air.result(0, nothing) else {
            Issue.record("there was nothing to end")
            return
        }
    }

    @Test("A link that comes up while Bluetooth is switched off is ended in order")
    func powerOffMeetsLink() throws {
        var (air, _, outputs) = try switchedOffWhileConnecting()
        air.act(1) { $0.advertise(AdvertisingContent(name: "Lamp", services: [Self.service]), at: $1) }
        // Only now the controller gets the commands that were on their way.
        air.act(0) { _, _ in outputs }
        let heard = air.takeEvents(1)
        #expect(heard.contains { if case .connected = $0 { true } else { false } })
        #expect(heard.contains { if case .disconnected = $0 { true } else { false } })
        let told = air.takeEvents(0)
        #expect(!told.contains { if case .connected = $0 { true } else { false } }, "nobody hears of the late link")
        #expect(told.count { if case .poweredOff = $0 { true } else { false } } == 1)
    }

    @Test("A phone that loses power resets its controller, and says nothing to its peers")
    func powerCut() throws {
        for isAnswered in [true, false] {
            var air = try air()
            let device = try connect(&air)
            _ = air.takeEvents(0)
            var outputs: [BluetoothStack.Output] = []
            air.act(0) { stack, now in
                outputs = stack.cutPower(at: now)
                return []
            }
            let commands = outputs.compactMap { if case .packet(let packet) = $0 { Array(packet[1...2]) } else { nil } }
            #expect(commands == [[0x03, 0x0C]], "Reset, and no Disconnect")
            let refused = air.perform(0, .connect(device))
            guard case .failure(.off)? = air.result(0, refused) else {
                Issue.record("not refused: \(String(describing: air.result(0, refused)))")
                return
            }
            #expect(air.takeEvents(0).isEmpty, "the controller has not answered yet")
            if isAnswered { air.act(0) { _, _ in outputs } } else { air.advance(by: BluetoothStack.powerOffTime) }
            let events = air.takeEvents(0)
            #expect(events.count { if case .poweredOff = $0 { true } else { false } } == 1)
        }
    }
}
