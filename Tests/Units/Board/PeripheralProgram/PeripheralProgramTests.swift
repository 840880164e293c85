import BoardAgent
import BoardProtocol
import Foundation
import HILBlueZ
import HILPOSIX
import HILTiming
import PeripheralModel
import RadioModel
import TestSupport
import Testing

@testable import PeripheralProgram

/// An accessory as data on a radio that records its calls.
private struct Bench {
    static let battery = BluetoothUUID(short: 0x180F)
    static let level = AttributePlace(service: 0, characteristic: 0)
    static let name = AttributePlace(service: 0, characteristic: 1)
    static let description = AttributePlace(service: 0, characteristic: 1, descriptor: 0)

    let radio = NotedRadio()
    let peripheral: PeripheralProgram

    init(
        answering: PeripheralAnswering = PeripheralAnswering(), schedule: PeripheralSchedule? = nil,
        pairing: PeripheralPairing = PeripheralPairing()
    ) async throws {
        peripheral = PeripheralProgram(radio)
        let services = [
            PeripheralService(
                uuid: Self.battery,
                characteristics: [
                    PeripheralCharacteristic(
                        uuid: BluetoothUUID(short: 0x2A19), properties: [.read, .notify], value: Data([100]),
                        schedule: schedule),
                    PeripheralCharacteristic(
                        uuid: BluetoothUUID(short: 0x2A00), properties: [.read, .write], writing: .authenticated,
                        value: Data("Lamp".utf8), answering: answering,
                        descriptors: [
                            PeripheralDescriptor(uuid: BluetoothUUID(short: 0x2901), value: Data("the name".utf8))
                        ]),
                ])
        ]
        let declaration = PeripheralDeclaration(
            advertising: PeripheralAdvertising(name: "Lamp 7", serviceUUIDs: [Self.battery]),
            services: services, pairing: pairing,
            networks: [NetworkConfiguration(ssid: "Lamp 7", security: .open)], name: "Lamp",
            ports: [.port(0, answers: Data("yes".utf8))],
            bonjour: [.service("Lamp 7", type: "_lamp._tcp", port: 80)])
        try await ask { .powerOn(declaration, $0) }
    }

    @discardableResult
    func ask<Value>(_ call: (Reply<Value>) -> PeripheralCall) async throws -> Value {
        try JSONDecoder().decode(
            Value.self, from: await peripheral.perform(encoded: JSONEncoder().encode(call(Reply()))))
    }

    private func access(_ place: AttributePlace, offset: Int = 0) -> GATTServerHandler.Access {
        .init(attribute: LocalAttribute(uuid: Self.battery, place: place), offset: offset, mtu: 185)
    }

    /// What a phone reads; a code for a refusal.
    func read(_ place: AttributePlace) async -> Result<Data, AttributeErrorCode.Refusal> {
        await withCheckedContinuation { answer in
            peripheral.attributes.handler.read(access(place)) { answer.resume(returning: $0) }
        }
    }

    /// How a phone's write ends.
    func write(_ value: Data, _ place: AttributePlace, offset: Int = 0) async -> AttributeErrorCode? {
        await withCheckedContinuation { answer in
            peripheral.attributes.handler.write(access(place, offset: offset), value) { result in
                if case .failure(let refusal) = result {
                    answer.resume(returning: refusal.code)
                } else {
                    answer.resume(returning: nil)
                }
            }
        }
    }

    func request() async throws -> PeripheralRequest {
        try await radio.told.first(within: .seconds(300), waitingFor: "a request") {
            if case .requested = $0 { true } else { false }
        }.event.request
    }
}

extension PeripheralEvent {
    fileprivate var request: PeripheralRequest {
        get throws {
            guard case .requested(let request) = self else { throw RadioError.invalid("\(self)") }
            return request.request
        }
    }
}

@Suite("An accessory as data, in the agent", .timeLimit(.minutes(1)))
struct PeripheralProgramTests {
    @Test("It joins a network of others, tells when it loses it, and leaves it")
    func joining() async throws {
        let bench = try await Bench()
        let credentials = WiFiCredentials(ssid: "Home", security: .wpa2wpa3, passphrase: "swordfish")
        let link = try await bench.ask { .network(.join(credentials, $0)) }
        #expect(link.ssid == "Home" && link.address == "192.168.1.11")
        bench.peripheral.take(.joinedNetwork(ssid: "Home"))
        bench.peripheral.take(.lostNetwork(ssid: "Home"))
        try await bench.ask { .network(.leave($0)) }
        #expect(bench.radio.asked.events.suffix(2) == ["join Home", "leave"])
        #expect(bench.radio.told.events.suffix(2) == [.joinedNetwork(ssid: "Home"), .lostNetwork(ssid: "Home")])
    }

    @Test("A radio that knows one band tells what it does not hear, and what it does")
    func bands() async throws {
        let bench = try await Bench()
        let declaration = PeripheralDeclaration(advertising: nil, bands: [.band2GHz])
        try await bench.ask { .powerOn(declaration, $0) }
        #expect(bench.radio.asked.events.contains("bands 2.4 GHz"))
        let heard = try await bench.ask { .network(.scan($0)) }
        #expect(heard.map(\.ssid) == ["Home"])
        bench.peripheral.take(.unheardNetwork(ssid: "Attic", frequency: 5180))
        #expect(bench.radio.told.events.last == .unheardNetwork(ssid: "Attic", frequency: 5180))
    }

    @Test("When switched on, it is on the air as declared, and nothing of before is left")
    func powerOn() async throws {
        let bench = try await Bench(pairing: .showsPasskey.legacy)
        #expect(
            bench.radio.asked.events == [
                "close all", "silent", "withdraw", "transports false false", "name Lamp", "parameters any",
                "DisplayOnly", "pairable true", "services Lamp 7", "open Lamp 7", "advertise Lamp 7 1",
            ])
        let local = try #require(bench.peripheral.attributes.services.first)
        #expect(
            local.uuid == Bench.battery
                && local.characteristics.map(\.properties) == [[.read, .notify], [.read, .write]])
        #expect(local.characteristics[1].writing == .authenticated && local.characteristics[1].reading == .none)
        #expect(local.characteristics[1].descriptors.map(\.uuid) == [BluetoothUUID(short: 0x2901)])
    }

    @Test("The board answers reads and writes with the values that it keeps, also of parts")
    func values() async throws {
        let bench = try await Bench()
        #expect(await bench.read(Bench.level) == .success(Data([100])))
        #expect(await bench.read(Bench.description) == .success(Data("the name".utf8)))
        #expect(await bench.write(Data("Lantern".utf8), Bench.name) == nil)
        #expect(await bench.write(Data("scape".utf8), Bench.name, offset: 4) == nil)
        #expect(await bench.read(Bench.name) == .success(Data("Lantscape".utf8)))
        #expect(await bench.write(Data([1]), Bench.name, offset: 10) == .invalidOffset)
        #expect(await bench.write(Data(count: 513), Bench.name) == .invalidLength)
        #expect(await bench.write(Data(count: 510), Bench.name, offset: 4) == .invalidLength)
        #expect(try await bench.ask { .value(Bench.name, $0) } == Data("Lantscape".utf8))
        #expect(bench.radio.told.events.contains(.written(Data("Lantern".utf8), Bench.name)))
        #expect(bench.radio.told.events.first == .read(Bench.level))
    }

    @Test("An access that the scenario answers waits for it, and its refusal reaches the phone")
    func requests() async throws {
        let bench = try await Bench(answering: PeripheralAnswering(reads: true, writes: true))
        async let read = bench.read(Bench.name)
        let request = try await bench.request()
        #expect(request.place == Bench.name && request.written == nil && request.mtu == 185)
        await #expect(throws: RadioError.self) { try await bench.ask { .answer(99, .value(Data()), $0) } }
        try await bench.ask { .answer(request.number, .value(Data([7])), $0) }
        #expect(await read == .success(Data([7])))

        async let write = bench.write(Data([1, 2]), Bench.name)
        _ = try await bench.radio.told.first(within: .seconds(300), waitingFor: "a write") {
            (try? $0.request.written) == Data([1, 2])
        }
        try await bench.ask { .answer(request.number + 1, .refused(0x81), $0) }
        #expect(await write == AttributeErrorCode(rawValue: 0x81))
        #expect(try await bench.ask { .value(Bench.name, $0) } == Data("Lamp".utf8), "a refused write changes nothing")
    }

    @Test("An access that nobody has answered is refused when the accessory is switched off")
    func switchedOff() async throws {
        let bench = try await Bench(answering: PeripheralAnswering(reads: true))
        async let read = bench.read(Bench.name)
        _ = try await bench.request()
        try await bench.ask { .powerOff($0) }
        #expect(await read == .failure(.init(.unlikely)))
    }

    @Test("A schedule notifies its values in turn, by the clock, and keeps the latest")
    func schedule() async throws {
        let clock = ManualClock()
        let notified = EventLog<Data>()
        let schedule = PeripheralSchedule.every(.seconds(2), [Data([1]), Data([2])], repeats: true)
        let task = Task {
            await PeripheralProgram.run(schedule, clock: clock) { notified.append($0) }
        }
        for count in 1...3 {
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(2))
            _ = try await notified.first(from: count - 1, within: .seconds(300), waitingFor: "value \(count)")
        }
        task.cancel()
        await task.value
        #expect(notified.events == [Data([1]), Data([2]), Data([1])])
    }

    @Test("A subscription starts the schedule, and the end of the last one stops it")
    func subscription() async throws {
        let bench = try await Bench(schedule: .every(.milliseconds(1), [Data([5])], repeats: false))
        let attribute = LocalAttribute(uuid: BluetoothUUID(short: 0x2A19), place: Bench.level)
        bench.peripheral.attributes.handler.subscribe(attribute, true)
        let notified = try await bench.radio.notified.first(within: .seconds(300), waitingFor: "a value")
        #expect(notified.event == .init(value: Data([5]), place: Bench.level))
        bench.peripheral.attributes.handler.subscribe(attribute, false)
        #expect(bench.radio.told.events.suffix(2).contains(.subscription(false, Bench.level)))
        #expect(try await bench.ask { .value(Bench.level, $0) } == Data([5]))
    }

    @Test("Its person says yes, no, or what the scenario says; a number is entered by the scenario")
    func pairing() async throws {
        for (answer, expected) in [(PeripheralPairing.Answer.accepts, true), (.refuses, false)] {
            let bench = try await Bench(pairing: PeripheralPairing(answer: answer))
            let answered = EventLog<Bool>()
            bench.peripheral.answer(.comparison(passkey: 7), of: nil) { answered.append($0) }
            #expect(answered.events == [expected] && bench.radio.told.events == [.compares(7)])
        }
        let bench = try await Bench(pairing: PeripheralPairing(capability: .keyboardDisplay, answer: .waits))
        await #expect(throws: RadioError.self) { try await bench.ask { .answerPairing(true, $0) } }
        let answered = EventLog<String>()
        bench.peripheral.answer(.authorization, of: nil) { answered.append("\($0)") }
        try await bench.ask { .answerPairing(false, $0) }
        bench.peripheral.enterPasskey(of: nil) { answered.append("\($0 ?? 0)") }
        try await bench.ask { .enterPasskey(123_456, $0) }
        #expect(answered.events == ["false", "123456"])
        bench.peripheral.take(.passkeyShown(nil, 4711))
        #expect(bench.radio.told.events == [.asksToPair, .asksForPasskey, .showsPasskey(4711)])
    }

    @Test("Tables that no accessory can have are refused, and an unknown call is refused by its name")
    func refusals() async throws {
        let bench = try await Bench()
        for services in [
            [PeripheralService(uuid: Bench.battery, included: [0])],
            [PeripheralService(uuid: Bench.battery, included: [7])],
            [
                PeripheralService(
                    uuid: Bench.battery,
                    characteristics: [.init(uuid: Bench.battery, properties: .read, value: Data(count: 513))])
            ],
        ] {
            await #expect(throws: RadioError.self) { try await bench.ask { .replaceServices(services, $0) } }
        }
        await #expect(throws: RadioError.self) {
            try await bench.ask { .setValue(Data(), AttributePlace(service: 9, characteristic: 0), $0) }
        }
        let refusal = await #expect(throws: RadioError.self) {
            try await bench.peripheral.perform(encoded: Data(#"{"secret":1}"#.utf8))
        }
        #expect("\(try #require(refusal))" == "the peripheral of this agent: the call secret: it is unknown here")
    }

    @Test("It forgets its bonds, takes another name, and asks a phone to pair when told to, or at every connection")
    func bondsAndName() async throws {
        let bench = try await Bench(pairing: PeripheralPairing(asksWhenConnected: true))
        let place = bench.radio.asked.count
        await #expect(throws: RadioError.notConnected) { try await bench.ask { .askToPair($0) } }
        bench.peripheral.take(.connected(DeviceAddress("02:00:00:00:00:01")!))
        _ = try await bench.radio.asked.first(from: place, within: .seconds(300), waitingFor: "the phone to be asked") {
            $0 == "ask to pair"
        }
        try await bench.ask { .askToPair($0) }
        try await bench.ask { .setName("Desk lamp", $0) }
        try await bench.ask { .forgetBonds(renewingIdentity: false, $0) }
        try await bench.ask { .forgetBonds(renewingIdentity: true, $0) }
        #expect(
            bench.radio.asked.events.dropFirst(place) == [
                "ask to pair", "ask to pair", "name Desk lamp", "forget", "forget", "renew",
            ])
    }

    @Test("Services are offered in place of those before, and those of a phone are used")
    func services() async throws {
        let bench = try await Bench(pairing: .none)
        let place = bench.radio.asked.count
        try await bench.ask { .network(.offerServices([.service("Desk", type: "_lamp._tcp", port: 80)], $0)) }
        let service = BonjourName(name: "Phone", type: "_gadgets._tcp")
        #expect(try await bench.ask { .network(.exchange(Data([1]), with: service, $0)) } == Data([1]))
        try await bench.ask { .powerOff($0) }
        #expect(
            bench.radio.asked.events.dropFirst(place) == [
                "services Desk", "exchange with “Phone” (_gadgets._tcp)", "silent", "close all", "services ",
            ])
    }

    @Test("A port that echoes sends back what comes, and ends its direction after the phone")
    func echo() async throws {
        let port = try PeripheralServer(.echo(0), on: "127.0.0.1")
        let phone = try await TCPSocket(connectingTo: "127.0.0.1", port: port.port)
        for text in ["one", "two"] {
            try await phone.send(Array(text.utf8))
            #expect(try await phone.receive() == Array(text.utf8))
        }
        phone.finish()
        #expect(try await phone.receive() == [], "it hangs up")
        withExtendedLifetime(port) {}
    }

    @Test("A port for datagrams answers each of them, to each phone")
    func datagrams() async throws {
        let echo = try PeripheralServer(.echo(0).overUDP(), on: "127.0.0.1")
        let answering = try PeripheralServer(.port(0, answers: Data("yes".utf8)).overUDP(), on: "127.0.0.1")
        let phones = try [echo, echo, answering].map {
            try UDPSocket(to: NetworkPlace(address: "127.0.0.1", port: $0.port))
        }
        for (phone, text) in zip(phones, ["one", "two", "three"]) {
            for _ in 0..<2 {
                try await phone.send(Array(text.utf8))
                #expect(try await phone.receive() == Array((text == "three" ? "yes" : text).utf8))
            }
        }
        withExtendedLifetime((echo, answering)) {}
    }

    @Test("A port that the phone connects to answers its request, or accepts it and says nothing")
    func ports() async throws {
        let port = try PeripheralServer(.port(0, answers: Data("yes".utf8)), on: "127.0.0.1")
        let phone = try await TCPSocket(connectingTo: "127.0.0.1", port: port.port)
        try await phone.send(Array("question".utf8))
        #expect(try await phone.receive() == Array("yes".utf8))
        #expect(try await phone.receive() == [], "it hangs up")

        let silent = try PeripheralServer(.port(0, answers: nil), on: "127.0.0.1")
        let waiting = try await TCPSocket(connectingTo: "127.0.0.1", port: silent.port)
        try await waiting.send([1])
        let answer = try? await withDeadline(.milliseconds(200), waitingFor: "an answer") {
            try await waiting.receive()
        }
        #expect(answer == nil)
        waiting.shutDown()
        withExtendedLifetime((port, silent)) {}
    }
}
