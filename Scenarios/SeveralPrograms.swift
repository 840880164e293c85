import AccessorySetupKit
import HIL

let twoLocksOfOneFirmware = Scenario(
    "Two locks with the same firmware are in one room, and each pairs separately, and keeps its own data",
    .tags(.pairing), .accessory(.lock), .needs(.adapters), .covers("K1", "K11"), .budget(.seconds(120))
) { lab in
    let locks = try await lab.twoLocks()
    lab.expect(locks[0].address != locks[1].address, "each has its own address")
    let app = try await lab.phone.launch(GadgetApp.self)
    for (index, (lock, address)) in locks.enumerated() {
        let other = locks[1 - index].lock
        let asked = other.lines.count { $0.text == "compares a number" }
        let serial = try await lab.protectedValue("FF01", of: address, named: "lock \(index + 1)", in: app)
        lab.expect(DeviceAddress(serial.separated) == address, "the phone reads the serial number of this lock")
        try await lock.prints("is paired")
        lab.expect(
            other.lines.count { $0.text == "compares a number" }, equals: asked, "the other one was not asked to pair")
    }
    lab.expect(app.session.accessories.count, equals: 2, "both are authorised")

    try await locks[1].lock.restart()
    let serial = try await locks[1].lock.prints(" is on")
    lab.expect(DeviceAddress(String(serial.prefix(12)).separated) == locks[1].address, "the serial number is kept")
    lab.expect(locks[0].lock.isRunning, "the first lock is still running")
}

let lampBesideLock = Scenario(
    "A lamp as data stands beside a lock's own program, and each pairs separately", .tags(.pairing), .accessory(.lock),
    .needs(.adapters), .covers("K1", "K11"), .budget(.seconds(120))
) { lab in
    let lock = try await lab.accessory.run(.lock)
    let serial = try await lock.prints(" is on").prefix(12)
    let address = try lab.require(DeviceAddress(String(serial).separated), "the serial number is its address")
    let lamp = try await lab.accessory.powerOn(.lamp(), adapter: 1)
    let app = try await lab.phone.launch(GadgetApp.self)

    let name = try await lab.protectedValue("FF02", of: lamp.address, named: "lamp", in: app)
    lab.expect(name, equals: "Lamp", "the lamp's protected name is read")
    lab.expect(try await lamp.events.next(.bonded).isAuthenticated, "the lamp's own agent compared the number")
    lab.expect(lock.lines.allSatisfy { $0.text != "compares a number" }, "the lock was not asked")
    let read = try await lab.protectedValue("FF01", of: address, named: "lock", in: app)
    lab.expect(read, equals: String(serial), "the lock's serial number is read")
    try await lock.prints("is paired")
}
