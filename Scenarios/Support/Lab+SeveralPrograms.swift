import AccessorySetupKit
import HIL

extension Lab {
    /// Lets an app set up an accessory with the service FF00, and reads a value that needs a paired phone.
    func protectedValue(
        _ uuid: String, of address: DeviceAddress, named name: String, in app: GadgetApp
    ) async throws -> String {
        phone.person.will(.pick(.address(address)))
        let accessory = try await step("set up \(name)", within: .seconds(20)) { try await app.add() }
        let identifier = try require(accessory.bluetoothIdentifier, "\(name) has an identifier")
        return try await step("read \(name)", within: .seconds(20)) {
            let probe = CentralProbe()
            let peripheral = try await probe.connect(identifier)
            peripheral.readValue(for: try peripheral.found(uuid))
            return String(decoding: try await probe.next(.value), as: UTF8.self)
        }
    }

    /// Starts two locks. Each names its adapter when it is on.
    func twoLocks() async throws -> [(lock: RunningProgram, address: DeviceAddress)] {
        var locks: [(RunningProgram, DeviceAddress)] = []
        for adapter: AdapterID in [0, 1] {
            let lock = try await accessory.run(.lock, adapter: adapter)
            expect(try await lock.prints("knows"), equals: "knows 1 adapter", "a lock only knows its own adapter")
            let serial = String(try await lock.prints(" is on").prefix(12))
            locks.append((lock, try require(DeviceAddress(serial.separated), "the serial number is its address")))
        }
        return locks
    }
}

extension String {
    /// The digits of an address with a colon after every two.
    var separated: String {
        stride(from: 0, to: count, by: 2).map { dropFirst($0).prefix(2) }.joined(separator: ":")
    }
}
