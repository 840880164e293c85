import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import PeripheralModel
import RadioModel
import RigModel
import Synchronization

typealias PeripheralLink = AccessoryLink<PeripheralCall, PeripheralEvent>

extension AccessoryBoard {
    /// Switches an accessory as data on, and returns when it is on the air. If this adapter has an accessory already, that
    /// one is switched off.
    ///
    /// - Parameter adapter: 0 always exists, 1 to 7 are added at the first use. The board has one Wi-Fi radio, which
    ///   belongs to adapter 0.
    /// - Throws: `RadioError`: `invalid` for an impossible declaration, `unsupported` for networks of an
    ///   accessory without Wi-Fi.
    @discardableResult
    public func powerOn(
        _ peripheral: Peripheral, adapter: AdapterID = .first, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> RunningPeripheral {
        recorder.noteCommand("power on \(peripheral.name)") {
            try await $0.accessory.powerOn(peripheral, adapter: adapter)
        }
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try requirePairing(of: peripheral, on: adapter)
        }
        return try await ScenarioRecorder.$isPartOfCommand.withValue(true) {
            let link: PeripheralLink = try await link(
                named: PeripheralKind.name, adapter: adapter, story: { $0.story(of: peripheral) }, fileID: fileID,
                filePath: filePath, line: line)
            let running = RunningPeripheral(link, peripheral, recorder: recorder)
            onPowerReturn(of: adapter) {
                try await running.powerReturns(fileID: fileID, filePath: filePath, line: line)
            }
            try await running.powerOn(fileID: fileID, filePath: filePath, line: line)
            return running
        }
    }
}

/// An accessory as data that is switched on.
public final class RunningPeripheral: Sendable {
    private struct State {
        var peripheral: Peripheral
        var address: DeviceAddress?
        var pump: Task<Void, Never>?
        var isOn = false
        /// The network that it joined, and did not leave by itself.
        var joined: WiFiCredentials?
    }

    /// The name that it advertises.
    public let name: String
    /// Its Bluetooth adapter. Fault injection uses it to name the accessory.
    public var adapter: AdapterID { link.adapter }
    /// Its events since power-on.
    public var events: EventLog<PeripheralEvent> { link.events }
    private let link: PeripheralLink
    private let recorder: ScenarioRecorder
    private let state: Mutex<State>

    init(_ link: PeripheralLink, _ peripheral: Peripheral, recorder: ScenarioRecorder) {
        self.link = link
        self.recorder = recorder
        name = peripheral.name
        state = Mutex(State(peripheral: peripheral))
    }

    deinit { state.withLock { $0.pump }?.cancel() }

    /// Its Bluetooth address. With a private address it is heard under another one until it is bonded.
    public var address: DeviceAddress {
        // It has been switched on before the scenario gets it.
        state.withLock { $0.address } ?? DeviceAddress(bytes: [0, 0, 0, 0, 0, 0])!
    }

    /// Whether it was switched on, and not off since.
    var isOn: Bool { state.withLock { $0.isOn } }

    func powerOn(fileID: String, filePath: String, line: Int) async throws {
        let pump = Task { [weak self, events] in
            // The log ends with an error when the board is lost.
            var requests = events.events().makeAsyncIterator()
            while let event = try? await requests.next() {
                if case .requested(let request) = event { self?.serve(request.request) }
            }
        }
        let peripheral = state.withLock { state in
            (state.pump, state.isOn) = (pump, true)
            return state.peripheral
        }
        let address = try await link.call(fileID: fileID, filePath: filePath, line: line) {
            let declaration = try peripheral.declaration()
            return try await ask(fileID, filePath, line) { .powerOn(declaration, $0) }
        }
        state.withLock { $0.address = address }
        link.isOnAir(at: address, as: name)
    }

    /// Its board has power again. It joins the network again that it has joined, if that is there.
    func powerReturns(fileID: String, filePath: String, line: Int) async throws {
        guard isOn else { return }
        try await powerOn(fileID: fileID, filePath: filePath, line: line)
        guard let credentials = state.withLock(\.joined) else { return }
        do { try await ask(fileID, filePath, line) { .network(.join(credentials, $0)) } } catch {
            recorder.record(.note(text: "\(name) has power again, and is not on “\(credentials.ssid)” again: \(error)"))
        }
    }

    /// Keeps the network that it has joined; nil for none.
    func keep(joined credentials: WiFiCredentials?) { state.withLock { $0.joined = credentials } }

    /// Lets the scenario's own code answer an access.
    private func serve(_ request: PeripheralRequest) {
        let services = state.withLock { $0.peripheral.services }
        guard services.indices.contains(request.place.service) else { return }
        let characteristics = services[request.place.service].characteristics
        guard characteristics.indices.contains(request.place.characteristic) else { return }
        let characteristic = characteristics[request.place.characteristic]
        let access = PeripheralAccess(
            peripheral: self, phone: request.phone, offset: request.offset, mtu: request.mtu)
        Task {
            let answer: PeripheralAnswer
            do {
                if let value = request.written {
                    try await characteristic.onWrite?(access, value)
                    answer = .written(value)
                } else {
                    answer = .value(try await characteristic.onRead?(access) ?? Data())
                }
            } catch let refusal as AccessRefusal {
                answer = .refused(refusal.code)
            } catch {
                recorder.record(.failure(Failure(error)))
                answer = .refused(0x0E)
            }
            // The phone may be gone meanwhile.
            _ = try? await link.ask { [answer] in .answer(request.number, answer, $0) }
        }
    }

    /// The place of a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: Its UUID.
    ///   - service: The UUID of its service; nil for any.
    ///   - number: Which of those with this UUID, counted from 1.
    public func place(
        of uuid: String, in service: String? = nil, number: Int = 1
    ) throws(RadioError) -> AttributePlace {
        try state.withLock { $0.peripheral.services }.place(of: uuid, in: service, number: number)
    }

    /// Notifies a value to subscribed phones, and keeps it. The parameters are those of ``place(of:in:number:)``.
    public func notify(
        _ value: [UInt8], of uuid: String, in service: String? = nil, number: Int = 1, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let place = try place(of: uuid, in: service, number: number)
        try await ask(fileID, filePath, line) { .notify(Data(value), place, $0) }
    }

    /// Changes a value without notifying it.
    public func setValue(
        _ value: [UInt8], of uuid: String, in service: String? = nil, number: Int = 1, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let place = try place(of: uuid, in: service, number: number)
        try await ask(fileID, filePath, line) { .setValue(Data(value), place, $0) }
    }

    /// The value that the board keeps.
    public func value(
        of uuid: String, in service: String? = nil, number: Int = 1, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Data {
        let place = try place(of: uuid, in: service, number: number)
        return try await ask(fileID, filePath, line) { .value(place, $0) }
    }

    /// Advertises something else, or nothing. Links stay.
    public func advertise(
        _ content: PeripheralAdvertising?, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .advertise(content, $0) } }

    /// Replaces all its services. Connected phones are notified that their table changed.
    public func replaceServices(
        _ services: [Peripheral.Service], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        let changed = state.withLock { state in
            state.peripheral.services = services
            return state.peripheral
        }
        let declared = try changed.declaration().services
        try await ask(fileID, filePath, line) { .replaceServices(declared, $0) }
    }

    /// Sets how it pairs from now on. `PeripheralPairing.hasSecureConnections` stays as it was at power-on.
    public func setPairing(
        _ pairing: PeripheralPairing, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .setPairing(pairing, $0) } }

    /// Says yes or no for its person, if `PeripheralPairing.answer` waits for it.
    public func answerPairing(
        _ isAccepted: Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .answerPairing(isAccepted, $0) } }

    /// Enters the number that the phone shows, on its keys; nil to cancel.
    public func enterPasskey(
        _ passkey: UInt32?, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .enterPasskey(passkey, $0) } }

    /// Changes the private address now.
    public func rotateAddress(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .rotateAddress($0) } }

    /// Ends all its links.
    public func disconnect(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await ask(fileID, filePath, line) { .disconnect($0) }
    }

    /// Deletes all its bonds, and ends all links. Phones are not notified.
    ///
    /// - Parameter renewingIdentity: Whether an accessory with a private address also gets a new identity resolving key,
    ///   so that no phone knows its addresses any more.
    public func forgetBonds(
        renewingIdentity: Bool = false, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .forgetBonds(renewingIdentity: renewingIdentity, $0) } }

    /// Asks the phone that connected last to pair, and returns when it is asked. The result is in the events.
    public func askToPair(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await ask(fileID, filePath, line) { .askToPair($0) }
    }

    /// Changes the name that a phone reads over a link. What is advertised stays.
    public func setLinkName(
        _ name: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .setName(name, $0) } }

    /// Switches it off. It keeps its bonds.
    public func powerOff(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        state.withLock { $0.isOn = false }
        try await ask(fileID, filePath, line) { .powerOff($0) }
    }

    @discardableResult
    func ask<Value>(
        _ fileID: String, _ filePath: String, _ line: Int, _ call: (Reply<Value>) -> PeripheralCall
    ) async throws -> Value {
        try await link.ask(fileID: fileID, filePath: filePath, line: line, call)
    }
}

extension AccessoryBoard {
    /// While a program runs on an adapter, pairing there is the program's.
    ///
    /// - Throws: ``ProgramMistake`` if the accessory could never pair, and needs to.
    fileprivate func requirePairing(of peripheral: Peripheral, on adapter: AdapterID) throws(ProgramMistake) {
        guard peripheral.needsPairing, let program = runningProgram(on: adapter) else { return }
        throw ProgramMistake(
            program.name,
            "as long as it runs, the pairing of adapter \(adapter) is its own, and “\(peripheral.name)” could pair with nobody: "
                + "declare that with `pairing: .none` and without protected values, or switch it on on another adapter")
    }
}

extension Peripheral {
    /// Whether a phone can use all of it only if it pairs.
    fileprivate var needsPairing: Bool {
        guard pairing.isAllowed else { return false }
        return pairing.asksWhenConnected
            || services.flatMap(\.characteristics).contains { value in
                [value.reading, value.writing, value.notifying].contains { $0 != .none }
            }
    }
}

extension PeripheralEvent {
    /// The line for the story of the scenario.
    func story(of peripheral: Peripheral) -> AccessoryLine {
        var about: Any = self
        if case .requested(let request) = self { about = request.request }
        let text = PlainText.words(for: about) { part in
            (part as? AttributePlace).map { peripheral.services.name(of: $0) }
        }
        switch self {
        case .connected(let phone), .disconnected(let phone): return AccessoryLine(text, link: phone)
        case .showsPasskey(let number):
            return AccessoryLine("shows passkey: \(ShownNumbers.text(number))", kind: Self.passkeyKind)
        case .compares(let number):
            return AccessoryLine("compares: \(ShownNumbers.text(number))", kind: Self.consentKind)
        case .asksToPair: return AccessoryLine(text, kind: Self.consentKind)
        case .requested: return AccessoryLine("asked: \(text)", kind: Self.accessKind)
        case .read, .written: return AccessoryLine(text, kind: Self.accessKind)
        case .unheardNetwork(let ssid, let frequency):
            let heard = peripheral.bands.map(\.description).sorted().joined(separator: ", ")
            return AccessoryLine(
                "hears \(heard) only: the network “\(ssid)” is at \(WiFiBand(frequency: frequency)), \(frequency) MHz")
        default: return AccessoryLine(text)
        }
    }

    /// The kind of a line that shows a person a passkey.
    package static let passkeyKind = "showsPasskey"
    /// The kind of a line that asks its person whether to pair.
    static let consentKind = "asksToPair"
    /// The kind of a line about an access of a phone to a value.
    static let accessKind = "access"
}
