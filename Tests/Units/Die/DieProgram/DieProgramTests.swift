import BoardAgent
import BoardProtocol
import DieProtocol
import Foundation
import HILBlueZ
import HILPOSIX
import HILTiming
import RadioModel
import Synchronization
import Testing

@testable import DieProgram

/// A radio for tests: it records all calls.
final class NotedRadio: AccessoryRadio {
    let adapter: AdapterID
    let asked = EventLog<String>()
    let told = EventLog<DieEvent>()
    /// Called with each value that is notified.
    let onNotify = Mutex<@Sendable (Data) -> Void>({ _ in })

    init(adapter: AdapterID = .first) { self.adapter = adapter }

    func tell(_ event: Data) {
        if let event = try? JSONDecoder().decode(DieEvent.self, from: event) { told.append(event) }
    }
    func address() async throws(RadioError) -> DeviceAddress { DieProgramTests.address }
    func setName(_ name: String) async throws(RadioError) {}
    func askToPair(_ phone: DeviceAddress) async throws(RadioError) {}
    func forgetBonds() async throws(RadioError) {}
    func renewIdentity() async throws(RadioError) {}
    func setClient(_ isClient: Bool, hasDeviceInformation: Bool) async throws(RadioError) {}
    func setConnectionParameters(_ parameters: ConnectionParameters?) async throws(RadioError) {}
    func setTransports(_ transports: AdapterTransports) async throws(RadioError) {
        asked.append("transports \(transports.classicPort ?? 0) \(transports.hasPrivateAddress)")
    }
    func setPairable(_ isPairable: Bool) async throws(RadioError) { asked.append("pairable \(isPairable)") }
    func advertise(_ content: AdvertisedContent) async throws(RadioError) { asked.append("advertise \(content.name)") }
    func stopAdvertising() async throws(RadioError) { asked.append("silent") }
    func pauseAdvertising() async throws(RadioError) { asked.append("pause") }
    func setCapability(_ capability: PairingCapability) async throws(RadioError) { asked.append(capability.rawValue) }
    func withdrawAttributes() async throws(RadioError) { asked.append("withdraw") }
    func offerAttributes() async throws(RadioError) { asked.append("offer") }
    func disconnect(_ phone: DeviceAddress?) async throws(RadioError) { asked.append("disconnect") }
    func notify(_ value: Data, at place: AttributePlace) {}
    func listen(
        at port: UInt16?, needing protection: LinkProtection, accept: @escaping @Sendable (LEChannel) -> Void
    ) async throws(RadioError) -> LEChannelListener { throw .unsupported("no channels here") }
    func openChannel(to phone: DeviceAddress, port: UInt16) async throws(RadioError) -> LEChannel {
        throw .unsupported("no channels here")
    }
    func notify(_ value: Data, of characteristic: BluetoothUUID) { onNotify.withLock { $0 }(value) }
    func find(_ service: BluetoothUUID, within limit: Duration) async throws(RadioError) -> DeviceAddress {
        throw .unsupported("nobody is here")
    }
    func connect(to device: DeviceAddress) async throws(RadioError) {}
    func read(_ characteristic: BluetoothUUID, of device: DeviceAddress) async throws(RadioError) -> Data { Data() }
    func write(
        _ value: Data, to characteristic: BluetoothUUID, of device: DeviceAddress, withResponse: Bool
    ) async throws(RadioError) {}
    func setNotifying(
        _ isOn: Bool, for characteristic: BluetoothUUID, of device: DeviceAddress
    ) async throws(RadioError) {}
    func requireWiFi() throws(RadioError) {
        if adapter != .first { throw .unsupported("no Wi-Fi") }
    }
    func openNetwork(_ network: NetworkConfiguration) async throws {
        if network.channel > 13 { throw RadioError.invalid("another channel") }
        asked.append("open \(network.ssid)")
    }
    func closeNetwork(ssid: String) async throws { asked.append("close \(ssid)") }
    func offerServices(_ services: [BonjourService]) async throws {}
    func exchange(_ request: Data, with service: BonjourName) async throws -> Data { Data() }
    func joinNetwork(_ credentials: WiFiCredentials) async throws -> WiFiLink { throw RadioError.notConnected }
    func leaveNetwork() async {}
    func setBands(_ bands: Set<WiFiBand>) async {}
    func scanNetworks() async throws -> [WiFiNetwork] { [] }
    func closeNetworks() async throws { asked.append("close all") }
    func changePassphrase(of ssid: String, to passphrase: String) async throws { asked.append("passphrase \(ssid)") }
}

@Suite("The die's program in the agent")
struct DieProgramTests {
    static let address = DeviceAddress("02:00:00:00:00:07")!
    private static let network = NetworkConfiguration(ssid: "Die 7", security: .open)

    private func ask(_ die: DieProgram, _ command: DieCommand) async throws {
        _ = try await die.perform(encoded: JSONEncoder().encode(DieCall.perform(command, Reply())))
    }

    @Test("When switched on, it advertises as configured and answers with its address")
    func powerOn() async throws {
        let radio = NotedRadio()
        let die = DieProgram(radio)
        let configuration = DieConfiguration(
            name: "Die 7", pairing: .refuses, isDualMode: true, hasPrivateAddress: true, networks: [Self.network])
        let answer = try await die.perform(encoded: JSONEncoder().encode(DieCall.powerOn(configuration, Reply())))
        #expect(try JSONDecoder().decode(DeviceAddress.self, from: answer) == Self.address)
        let bluetooth = radio.asked.events.filter { !$0.contains("open") && !$0.contains("close") }
        #expect(bluetooth == ["transports \(DieChannel.port) true", "pairable false", "advertise Die 7"])
        #expect(radio.asked.events.filter { !bluetooth.contains($0) } == ["close all", "open Die 7"])
        let answered = EventLog<Bool>()
        die.answer(.authorization, of: nil) { answered.append($0) }
        die.answer(.comparison(passkey: 7), of: nil) { answered.append($0) }
        #expect(answered.events == [false, false])
    }

    @Test("A die that pairs gives no key to who cannot compare its number")
    func pairsWithANumber() async throws {
        let die = DieProgram(NotedRadio())
        try await ask(die, .powerOn(DieConfiguration(name: "Die 7")))
        let answered = EventLog<Bool>()
        die.answer(.authorization, of: nil) { answered.append($0) }
        die.answer(.comparison(passkey: 7), of: nil) { answered.append($0) }
        #expect(answered.events == [false, true])
    }

    @Test("A die without Wi-Fi refuses to open a network, and nothing changes")
    func withoutWiFi() async throws {
        let radio = NotedRadio(adapter: 7)
        let die = DieProgram(radio)
        await #expect(throws: RadioError.unsupported("no Wi-Fi")) {
            try await ask(die, .powerOn(DieConfiguration(name: "Die 7", networks: [Self.network])))
        }
        #expect(radio.asked.events.isEmpty)
        try await ask(die, .powerOn(DieConfiguration(name: "Die 7")))
        await #expect(throws: RadioError.unsupported("no Wi-Fi")) { try await ask(die, .openNetwork(Self.network)) }
    }

    @Test("A network that could not be opened is not reported to phones")
    func networkFails() async throws {
        let die = DieProgram(NotedRadio())
        try await ask(die, .powerOn(DieConfiguration(name: "Die 7")))
        var network = Self.network
        network.channel = 36
        await #expect(throws: RadioError.invalid("another channel")) { try await ask(die, .openNetwork(network)) }
        // It can be opened afterwards: the die does not consider it open.
        try await ask(die, .openNetwork(Self.network))
    }

    @Test("A phone that learns of a roll by Bluetooth and asks over IP at once gets the same roll")
    func oneRoll() async throws {
        let radio = NotedRadio()
        let die = DieProgram(radio)
        try await ask(die, .powerOn(DieConfiguration(name: "Die 7")))
        let pairs = EventLog<[Roll]>()
        // On the notifying thread, nothing else can happen in between.
        radio.onNotify.withLock { notify in
            notify = { [weak die] value in
                guard let die, let roll = try? Roll(decoding: value) else { return }
                pairs.append([roll, die.rollAnswer.roll])
            }
        }
        for face: UInt8 in [6, 1] { try await ask(die, .roll(face: face)) }
        #expect(pairs.events.map { $0.map(\.face) } == [[6, 6], [1, 1]])
        #expect(pairs.events.allSatisfy { $0[0] == $0[1] })
        await #expect(throws: RadioError.self) { try await ask(die, .roll(face: 7)) }
        #expect(die.rollAnswer.roll.number == 2, "a refused roll does not count")
    }

    @Test(
        "The error for an invalid call has its name, and none of its values",
        arguments: [
            ("", "a call without a name"), ("{}", "a call without a name"),
            (#"{"dance":{"_0":"secret"}}"#, "the call dance: it is unknown here"),
            (#"{"perform":{"_0":{"leap":"secret"},"_1":{}}}"#, "the call perform: it is unknown here"),
        ])
    func hostile(text: String, why: String) async throws {
        let die = DieProgram(NotedRadio())
        let refusal = await #expect(throws: RadioError.self) { try await die.perform(encoded: Data(text.utf8)) }
        #expect("\(try #require(refusal))" == "the die of this agent: \(why)")
    }
}
