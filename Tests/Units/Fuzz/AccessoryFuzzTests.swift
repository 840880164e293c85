import BoardAgent
import BoardProtocol
import DieProtocol
import Foundation
import HILBlueZ
import HILPOSIX
import PeripheralModel
import PeripheralProgram
import RadioModel
import RigModel
import StubRig
import Testing

@testable import DieProgram
@testable import HIL

/// Does nothing with the radios.
private struct IdleRadio: AccessoryRadio {
    let adapter = AdapterID.first
    func tell(_ event: Data) {}
    func address() async throws(RadioError) -> DeviceAddress { DeviceAddress(bytes: [2, 0, 0, 0, 0, 0])! }
    func setName(_ name: String) async throws(RadioError) {}
    func askToPair(_ phone: DeviceAddress) async throws(RadioError) {}
    func forgetBonds() async throws(RadioError) {}
    func renewIdentity() async throws(RadioError) {}
    func setClient(_ isClient: Bool, hasDeviceInformation: Bool) async throws(RadioError) {}
    func setConnectionParameters(_ parameters: ConnectionParameters?) async throws(RadioError) {}
    func setTransports(_ transports: AdapterTransports) async throws(RadioError) {}
    func setPairable(_ isPairable: Bool) async throws(RadioError) {}
    func advertise(_ content: AdvertisedContent) async throws(RadioError) {}
    func stopAdvertising() async throws(RadioError) {}
    func pauseAdvertising() async throws(RadioError) {}
    func setCapability(_ capability: PairingCapability) async throws(RadioError) {}
    func withdrawAttributes() async throws(RadioError) {}
    func offerAttributes() async throws(RadioError) {}
    func disconnect(_ phone: DeviceAddress?) async throws(RadioError) {}
    func notify(_ value: Data, at place: AttributePlace) {}
    func listen(
        at port: UInt16?, needing protection: LinkProtection, accept: @escaping @Sendable (LEChannel) -> Void
    ) async throws(RadioError) -> LEChannelListener { throw .unsupported("no channels here") }
    func openChannel(to phone: DeviceAddress, port: UInt16) async throws(RadioError) -> LEChannel {
        throw .unsupported("no channels here")
    }
    func notify(_ value: Data, of characteristic: BluetoothUUID) {}
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
    func requireWiFi() throws(RadioError) {}
    func openNetwork(_ network: NetworkConfiguration) async throws {}
    func closeNetwork(ssid: String) async throws {}
    func offerServices(_ services: [BonjourService]) async throws {}
    func exchange(_ request: Data, with service: BonjourName) async throws -> Data { Data() }
    func joinNetwork(_ credentials: WiFiCredentials) async throws -> WiFiLink { throw RadioError.notConnected }
    func leaveNetwork() async {}
    func setBands(_ bands: Set<WiFiBand>) async {}
    func scanNetworks() async throws -> [WiFiNetwork] { [] }
    func closeNetworks() async throws {}
    func changePassphrase(of ssid: String, to passphrase: String) async throws {}
}

/// The two readers of an accessory's messages, which the board protocol carries as bytes.
@Suite struct AccessoryFuzzTests {
    @Test("After any bytes as a call the die still answers valid calls")
    func commands() async throws {
        let encoder = JSONEncoder()
        let commands: [DieCommand] = [
            .powerOn(DieConfiguration(name: "Die 7", networks: [.init(ssid: "é", security: .open)])), .powerOff,
            .roll(face: 6), .openNetwork(NetworkConfiguration(ssid: "a", security: .wpa2, passphrase: "12345678")),
            .closeNetwork(ssid: "a"), .setPairing(.refuses), .rotateAddress, .setSilenced(true),
            .respond(DieResponse(source: "a", notification: "b", action: "c")),
        ]
        let die = DieProgram(IdleRadio())
        let powerOn = try encoder.encode(DieCall.powerOn(DieConfiguration(name: "Die 8"), Reply()))
        let roll = try encoder.encode(DieCall.perform(.roll(face: 3), Reply()))
        let corpus = try commands.map { Array(try encoder.encode(DieCall.perform($0, Reply()))) } + [Array(powerOn)]
        await Fuzzer(corpus: corpus).run("the die's calls") { bytes, _ in
            do { _ = try await die.perform(encoded: Data(bytes)) } catch {
                guard error is RadioError else { throw Fuzzer.Finding("it threw \(error)") }
            }
            _ = try await die.perform(encoded: powerOn)
            _ = try await die.perform(encoded: roll)
            guard die.rollAnswer.roll.face == 3 else { throw Fuzzer.Finding("it did not roll") }
        }
    }

    @Test("After any bytes as a call an accessory as data still answers valid calls")
    func peripheralCommands() async throws {
        let encoder = JSONEncoder()
        let place = AttributePlace(service: 0, characteristic: 0)
        let characteristic = PeripheralCharacteristic(
            uuid: BluetoothUUID(short: 0x2A19), properties: [.read], value: Data([1]))
        let service = PeripheralService(uuid: BluetoothUUID(short: 0x180F), characteristics: [characteristic])
        let declaration = PeripheralDeclaration(
            advertising: PeripheralAdvertising(name: "Lamp"), services: [service],
            networks: [NetworkConfiguration(ssid: "é", security: .open)])
        let calls: [PeripheralCall] = [
            .powerOn(declaration, Reply()), .powerOff(Reply()), .advertise(nil, Reply()),
            .replaceServices([service], Reply()), .notify(Data([7]), place, Reply()),
            .setValue(Data(), place, Reply()), .value(place, Reply()), .answer(1, .value(Data()), Reply()),
            .answerPairing(true, Reply()), .enterPasskey(7, Reply()), .setPairing(.showsPasskey, Reply()),
            .channel(.open(port: 0x80, Reply())), .channel(.close(1, Reply())), .network(.leave(Reply())),
        ]
        let peripheral = PeripheralProgram(IdleRadio())
        let powerOn = try encoder.encode(PeripheralCall.powerOn(declaration, Reply()))
        let read = try encoder.encode(PeripheralCall.value(place, Reply()))
        await Fuzzer(corpus: try calls.map { Array(try encoder.encode($0)) }).run("an accessory's calls") {
            bytes, _ in
            do { _ = try await peripheral.perform(encoded: Data(bytes)) } catch {
                guard error is RadioError else { throw Fuzzer.Finding("it threw \(error)") }
            }
            _ = try await peripheral.perform(encoded: powerOn)
            let answer = try JSONDecoder().decode(Data.self, from: await peripheral.perform(encoded: read))
            guard answer == Data([1]) else { throw Fuzzer.Finding("it answered \(answer)") }
        }
    }

    @Test("Any bytes as an event are reported once or are a failure of the rig, and unreadable ones are not shown")
    func events() async throws {
        let encoder = JSONEncoder()
        let (end, board) = try UnixSocket.pair()
        let agent = StubAgent(board, role: .accessory)
        let (hostEnd, hostBoard) = try UnixSocket.pair()
        let host = StubAgent(hostBoard, role: .host)
        let client = BoardClient(end, role: .accessory)
        let rig = RigConnection(
            StubRigKind.twoAgents, host: BoardClient(hostEnd, role: .host), accessory: client)
        let recorder = ScenarioRecorder { _ in }
        let accessory = AccessoryBoard(client, air: AirHandle(rig, recorder: recorder), recorder: recorder)
        try await accessory.powerOn(.lamp(named: "Lamp 7"))
        let corpus = try [LampEvent.shines(7), .hums].map { Array(try encoder.encode($0)) }
        await Fuzzer(corpus: corpus).run("an accessory's events") { bytes, _ in
            let data = Data(bytes)
            let isEvent = (try? JSONDecoder().decode(LampEvent.self, from: data)) != nil
            switch accessory.story(of: data, by: "lamp", on: .first) {
            case .accessory, nil: guard isEvent else { throw Fuzzer.Finding("it is told") }
            case .failure(let failure):
                guard !isEvent, failure.kind == .rig, failure.message.utf8.count < 200 else {
                    throw Fuzzer.Finding("\(failure)")
                }
            default: throw Fuzzer.Finding("it is neither told nor refused")
            }
        }
        agent.die()
        host.die()
    }
}
