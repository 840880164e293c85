import AccessorySetupKit
import CoreBluetooth
import DiceApp
import DieLab
import HIL

extension Room {
    /// Accessories that have no board.
    static let hostStacks = Room("host-stacks") {
        [
            NamedScenario("batteryIsPairedAndRead", file: "HostStacks.swift", batteryIsPairedAndRead),
            NamedScenario(
                "batteryIsReadOverStandardStreams", file: "HostStacks.swift", batteryIsReadOverStandardStreams),
            NamedScenario("batteryOnItsOwnIsPairedAndRead", file: "HostStacks.swift", batteryOnItsOwnIsPairedAndRead),
            NamedScenario("dieIsPairedAndRead", file: "HostStacks.swift", dieIsPairedAndRead),
            NamedScenario("boardIsUsedAllTheSame", file: "HostStacks.swift", boardIsUsedAllTheSame),
            NamedScenario("boardIsBrokenAllTheSame", file: "HostStacks.swift", boardIsBrokenAllTheSame),
            NamedScenario("batteryCrashes", file: "HostStacks.swift", batteryCrashes),
            NamedScenario("nonsenseIsCutOff", file: "HostStacks.swift", nonsenseIsCutOff),
            NamedScenario("programIsMissing", file: "HostStacks.swift", programIsMissing),
            NamedScenario("folderIsMissing", file: "HostStacks.swift", folderIsMissing),
            NamedScenario("floodIsBounded", file: "HostStacks.swift", floodIsBounded),
            NamedScenario("familyIsLeftBehind", file: "HostStacks.swift", familyIsLeftBehind),
        ]
    }
}

extension HostStack {
    /// The battery over Bumble, with H4 on a Unix socket.
    fileprivate static let battery = HostStack.battery(["--socket", "{socket}"], .unixSocket())

    fileprivate static func battery(_ arguments: [String], _ transport: Transport) -> HostStack {
        .hostStack(
            command: ["python3", "battery.py"] + arguments,
            environment: ["PYTHONPATH": "\(Files.checkout)/.build/tests-python"], workingFolder: Files.hostStacks,
            speaking: transport)
    }

    /// A program of one line for the shell, with H4 on standard input and output.
    fileprivate static func shell(_ line: String) -> HostStack { .hostStack(command: ["sh", "-c", line]) }
}

extension Lab {
    /// Lets the app set an accessory up, and reads one of its protected values.
    ///
    /// - Parameter characteristic: Only a paired phone may read it.
    fileprivate func pairAndRead<App: PickingApp & AppUnderTest>(
        _ type: App.Type, named name: String, service: String, characteristic: String
    ) async throws -> (probe: CentralProbe, peripheral: CBPeripheral, value: Data) {
        let app = try await phone.launch(type)
        phone.person.will(.pick(.named(name)), .confirmPasskey)
        let accessory = try await step("pick and pair", within: .seconds(20)) {
            try await app.add(service: service, name: String(name.prefix { $0 != " " }))
        }
        let identifier = try require(accessory?.bluetoothIdentifier, "the app has an accessory")
        let probe = CentralProbe()
        let peripheral = try await step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
        let value = try await step("read", within: .seconds(5)) {
            peripheral.readValue(for: try peripheral.found(characteristic))
            return try await probe.next(.value)
        }
        return (probe, peripheral, value)
    }

    /// Sets the battery up, and checks what phone and battery say about it.
    fileprivate func expectPairedAndRead(_ battery: HostStackHandle) async throws -> (CentralProbe, CBPeripheral) {
        let (probe, peripheral, value) = try await pairAndRead(
            BatteryApp.self, named: "Battery 7", service: "180F", characteristic: "2A19")
        expect(value, equals: Data([100]), "the phone reads a full battery")
        let bond = try await phone.log.next(.bonded)
        expect(bond.isSecureConnections, "the key was made by LE Secure Connections")
        expect(bond.isAuthenticated, "the number was compared")
        try await battery.prints("paired")
        let number = UInt32(try await battery.prints("number ").suffix(6))
        expect(phone.shownNumbers, equals: [number].compactMap(\.self), "phone and battery showed the same number")
        return (probe, peripheral)
    }
}

let batteryIsPairedAndRead = Scenario(
    "A battery without a board is found, paired with LE Secure Connections, read, and lost out of range",
    .tags(.smoke, .pairing), .covers("K1", "K11", "C4"), .attaches(.battery, named: "battery"), .withoutAccessoryBoard
) { lab in
    let battery = try await lab.air.hostStack("battery")
    let (probe, peripheral) = try await lab.expectPairedAndRead(battery)
    peripheral.setNotifyValue(true, for: try peripheral.found("2A19"))
    try await probe.next(.notifying(true, nil))
    try await battery.send("level 42")
    lab.expect(try await probe.next(.value), equals: Data([42]), "the phone hears the new level")
    let packets = try await lab.air.capturedHCI(of: .accessory, adapter: battery.adapter)
    lab.expect(packets.count > 20, "the capture has an interface for the battery")

    try await lab.air.separate()
    try await lab.step("lose it", within: .seconds(15)) { try await probe.next(.disconnected) }
    lab.expect(await battery.stop(), equals: .signalled(15), "it ends when it is told to")
}

let batteryIsReadOverStandardStreams = Scenario(
    "A battery that speaks H4 on its standard streams is paired and read; a fault of the air reaches it",
    .tags(.pairing, .faults), .needs(.hostStacks, .air)
) { lab in
    let battery = try await lab.air.attach(
        .battery([], .standardStreams), named: "battery", at: DeviceAddress("02:00:00:00:0C:01"))
    try await battery.prints("advertising as 02:00:00:00:0C:01")
    try await lab.air.withFault(
        .delayed(.smp(.pairingResponse).sent(by: .accessory, adapter: battery.adapter), by: .milliseconds(50))
    ) {
        _ = try await lab.expectPairedAndRead(battery)
    }
}

/// The same as the battery's, with the reference accessory on its board: the two are compared.
let dieIsPairedAndRead = Scenario("A die on a board is found, paired and read") { lab in
    _ = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (_, die, _) = try await lab.pairAndRead(
        DieApp.self, named: "Die 7", service: DieGATT.service, characteristic: DieGATT.owner.uuid)
    lab.expect(die.state, equals: .connected, "the link is still up")
}

let batteryOnItsOwnIsPairedAndRead = Scenario(
    "A battery is found, paired and read", .attaches(.battery, named: "battery"), .withoutAccessoryBoard
) { lab in
    let (_, _, level) = try await lab.pairAndRead(
        BatteryApp.self, named: "Battery 7", service: "180F", characteristic: "2A19")
    lab.expect(level, equals: Data([100]), "the phone reads a full battery")
}

/// The die, with the same app as the battery.
final class DieApp: PickingApp, AppUnderTest {
    nonisolated static var bundle: AppBundle { DiceApp.bundle }
}

// Scenarios and programs that are at fault: each of these scenarios fails.

let boardIsUsedAllTheSame = Scenario(
    "A scenario that uses the board which it declared not to use", .withoutAccessoryBoard
) { lab in
    _ = try await lab.accessory.powerOn(.die(named: "Die 7"))
}

let boardIsBrokenAllTheSame = Scenario(
    "A scenario that breaks the board which it declared not to use", .withoutAccessoryBoard
) { lab in
    try await lab.rig.withFault(.powerCut(on: .accessory)) {}
}

let batteryCrashes = Scenario("A battery that crashes fails its scenario", .needs(.hostStacks)) { lab in
    let battery = try await lab.air.attach(.battery, named: "battery")
    try await battery.prints("advertising")
    try await battery.send("crash")
    try await battery.prints("never printed")
}

let nonsenseIsCutOff = Scenario("A program that does not speak H4 is cut off", .needs(.hostStacks)) { lab in
    let program = try await lab.air.attach(.shell("echo Hello; sleep 60"), named: "talker")
    try await program.prints("never printed")
}

let programIsMissing = Scenario("A program that is not there cannot be started", .needs(.hostStacks)) { lab in
    _ = try await lab.air.attach(.hostStack(command: ["no-such-keyboard", "--fast"]), named: "keyboard")
}

private let folderIsMissing = Scenario(
    "A program whose folder is not there cannot be started", .needs(.hostStacks)
) { lab in
    _ = try await lab.air.attach(
        .hostStack(command: ["sleep", "60"], workingFolder: "/no/such/folder"), named: "keyboard")
}

/// It sends resets as fast as it can, and prints all that it reads. The phone works on beside it.
let floodIsBounded = Scenario("A program that floods air and output is slowed down", .needs(.hostStacks)) { lab in
    let program = try await lab.air.attach(
        .shell("yes flood >&2 & cat >/dev/null & while :; do printf '\\001\\003\\014\\000'; done"), named: "flooder")
    try await lab.phone.radio.startDiscovery()
    lab.expect(try await program.prints("flood"), equals: "flood", "its lines are read")
    try await lab.step("wait", within: .seconds(8)) { try await Task.sleep(for: .seconds(2)) }
}

/// Its children are in the background, and in sessions of their own.
let familyIsLeftBehind = Scenario("A program's children end with it", .needs(.hostStacks)) { lab in
    let program = try await lab.air.attach(
        .shell("setsid sleep 7654 & (sleep 7654 &) ; echo ready >&2; sleep 7654"), named: "parent")
    try await program.prints("ready")
    try await lab.step("wait", within: .seconds(30)) { try await Task.sleep(for: .seconds(20)) }
}
