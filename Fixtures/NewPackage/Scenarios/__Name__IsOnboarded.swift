import AccessorySetupKit
import HIL
import __Name__App

extension AccessoryProgram {
    /// What runs on the accessory board. Scenarios see its output, type into its input, crash it and start it again.
    static let __variable__ = AccessoryProgram(
        named: "__name__", files: "Accessory", command: ["./accessory.sh", "__Name__", "Hello"], owns: [.bluetoothd],
        ready: .advertisement)
}

let __variable__IsOnboarded = Scenario(
    "A __Name__ is found, set up, and greets its app", .tags(.smoke, .discovery, .play),
    .accessory(.__variable__, startsWithBoard: true)
) { lab in
    try await lab.accessory.run(.__variable__)
    let app = try await lab.phone.launch(__Name__App.self)
    lab.phone.person.will(.pick("__Name__"))
    let accessory = try await lab.step("set up", within: .seconds(20)) { try await app.add() }
    let greeting = try await lab.step("read", within: .seconds(10)) { try await app.readGreeting(of: accessory) }
    lab.expect(greeting, equals: "Hello", "the app reads the greeting of the accessory")
}

let personCancels = Scenario("A person who cancels the picker adds nothing", .tags(.discovery)) { lab in
    let app = try await lab.phone.launch(__Name__App.self)
    lab.phone.person.will(.cancel)
    try await lab.expect(throwing: ASError.self, "the app hears that the person cancelled") {
        _ = try await app.add()
    }
}
