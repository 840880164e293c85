import CoreBluetooth
import Foundation
import HILPhone
import HILRecord
import HILTiming
import RadioModel

/// The journey of an accessory's owner with an app of the harness: find it in a picker, pair if something of it asks for it,
/// connect, discover everything, and read what can be read.
@MainActor
struct OwnersJourney {
    private let lab: Lab
    private let target: AuditTarget
    private let name: String
    /// The accessory's declaration, for failures.
    private let location: SourceLocation

    /// - Parameter name: The accessory's name in Swift: `.latch`.
    init(_ lab: Lab, _ target: AuditTarget, named name: String, at location: SourceLocation) {
        (self.lab, self.target, self.name, self.location) = (lab, target, name, location)
    }

    func run() async throws {
        let peripheral = try await switchOn()
        let look = try await step("first look", within: .seconds(40)) { try await FirstLook.take(in: lab) }
        let declaration = OwnersApp.Declaration(
            service: look.advertisement.serviceUUID, company: look.advertisement.company)
        lab.note(look.words(of: declaration))
        try OwnersApp.install(declaration)
        let app = try await lab.phone.launch(
            OwnersApp.self, fileID: location.file, filePath: location.path, line: location.line)
        let answers = Task { try await answerNumbers(of: peripheral) }
        defer { answers.cancel() }
        lab.phone.person.will(.pick(.number(1)))
        let shown = String(name.split(separator: ".").last ?? "accessory")
        let identifier = try await step("set up", within: .seconds(40)) {
            try await app.add(declaration, named: shown, pairs: look.reasonToPair != nil)
        }
        guard let identifier else { throw OwnerFailed("the picker added nothing") }
        try await use(identifier)
    }

    private func step<Value>(
        _ name: String, within budget: Duration, _ body: @escaping @MainActor () async throws -> Value
    ) async throws -> Value {
        try await lab.step(
            name, within: budget, fileID: location.file, filePath: location.path, line: location.line, body)
    }

    /// Switches the accessory on, or takes it as it is if it is on already.
    ///
    /// - Returns: An accessory as data.
    private func switchOn() async throws -> RunningPeripheral? {
        let (file, path, line) = (location.file, location.path, location.line)
        switch target {
        case .program(let program):
            try await lab.accessory.run(program, fileID: file, filePath: path, line: line)
            return nil
        case .peripheral(let peripheral):
            return try await lab.accessory.powerOn(peripheral, fileID: file, filePath: path, line: line)
        case .hostStack:
            _ = try await lab.air.hostStack(AuditTarget.stackName, fileID: file, filePath: path, line: line)
            return nil
        }
    }

    // MARK: Numbers of a pairing

    /// Enters the number that the accessory shows, and on the accessory the number that the phone shows, until it is
    /// cancelled.
    private func answerNumbers(of peripheral: RunningPeripheral?) async throws {
        for try await event in lab.phone.log.events(since: lab.phone.log.mark) {
            switch event.kind {
            // What it showed to strangers does not count.
            case .told(_, let text) where text.hasPrefix("pickerSetupPairing"): lab.recorder.forgetShownPasskey()
            case .radio(.enterPasskey): await enterShownNumber()
            case .radio(.showPasskey(_, let number)):
                if let peripheral {
                    try await peripheral.enterPasskey(number)
                } else {
                    lab.phone.person.will(.cancel, at: .passkeyDisplay)
                    record(
                        "the number that the phone shows has to be entered on the accessory, and an audit by its name cannot: "
                            + "audit a scenario that enters it")
                }
            default: break
            }
        }
    }

    private func enterShownNumber() async {
        do {
            let number = try await lab.given("the accessory shows a number", within: .seconds(10)) {
                lab.recorder.shownPasskey
            }
            lab.phone.person.will(.enterPasskey(number), at: .passkeyEntry)
            lab.recorder.forgetShownPasskey()
        } catch {
            lab.phone.person.will(.cancel, at: .passkeyEntry)
            record(
                "the phone asks for the number that the accessory shows, and it printed none: print a line such as "
                    + "“passkey 123456”, or audit a scenario that knows it")
        }
    }

    private func record(_ message: String) {
        lab.recorder.record(.failure(Failure(.product, message, at: location)))
    }

    // MARK: What an app does with it

    private func use(_ identifier: UUID) async throws {
        let probe = CentralProbe()
        let peripheral = try await step("connect", within: .seconds(20)) { try await probe.connect(identifier) }
        try await step("read", within: .seconds(40)) { try await read(peripheral, by: probe) }
        probe.central.cancelPeripheralConnection(peripheral)
        try await probe.next(.disconnected, within: .seconds(10))
    }

    /// Reads every value that can be read. What is refused to a paired phone because it is not paired has failed.
    private func read(_ peripheral: CBPeripheral, by probe: CentralProbe) async throws {
        let readable = (peripheral.services ?? []).flatMap { $0.characteristics ?? [] }.filter {
            $0.properties.contains(.read)
        }
        var refused: [String] = []
        for characteristic in readable {
            peripheral.readValue(for: characteristic)
            guard let code = try await probe.next(.readResult) else { continue }
            let uuid = characteristic.uuid.uuidString
            guard let code = CBATTError.Code(rawValue: code) else {
                throw OwnerFailed("its owner's phone cannot read \(uuid): error \(code)")
            }
            if code.wantsKey, await !lab.phone.bondedDevices.isEmpty {
                throw OwnerFailed("its owner's phone is paired, and may not read \(uuid)")
            }
            refused.append(uuid)
        }
        let left = refused.isEmpty ? "" : "; it refused \(refused.joined(separator: ", "))"
        lab.note("its owner's app read \(readable.count - refused.count) of \(readable.count) values\(left)")
    }
}

/// Why the owner of an accessory is not served.
struct OwnerFailed: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension FirstLook {
    /// How the owner sets it up, for the story.
    fileprivate func words(of declaration: OwnersApp.Declaration) -> String {
        let key =
            declaration.service.map { "the service \($0.namedText)" }
            ?? "the company 0x\(String(declaration.company ?? 0, radix: 16, uppercase: true))"
        let pairing = reasonToPair.map { "the phone pairs, because \($0)" } ?? "nothing of it asks for pairing"
        return "an app of the harness looks for \(key); \(pairing)"
    }
}

extension CBATTError.Code {
    /// Whether it asks for a key, or a better one.
    fileprivate var wantsKey: Bool {
        [.insufficientAuthentication, .insufficientEncryption, .insufficientEncryptionKeySize].contains(self)
    }
}

extension EventPattern where Event == CentralProbe.Callback, Value == Int? {
    /// A value was read; the value is the error's code, nil if there was none.
    fileprivate static var readResult: Self {
        Self("a value") { if case .value(_, let code) = $0 { .some(code) } else { nil } }
    }
}
