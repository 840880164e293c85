import BoardProtocol
import DieProtocol
import Foundation
import RadioModel
import TestSupport
import Testing

@testable import DieProgram

@Suite struct DieTests {
    private let phone = DeviceAddress("02:00:00:00:01:B0")!

    private func poweredDie(_ pairing: DieConfiguration.Pairing = .accepts) throws -> DieLogic {
        var die = DieLogic()
        let network = NetworkConfiguration(ssid: "Dice", security: .wpa3, passphrase: "12345678")
        let outputs = try die.perform(.powerOn(.init(name: "Die 7", pairing: pairing, networks: [network])))
        let transports = DieLogic.Output.setTransports(isDualMode: false, hasPrivateAddress: false)
        #expect(
            outputs == [transports, .setPairable(pairing == .accepts), .advertise(name: "Die 7", DieAdvertising())])
        return die
    }

    @Test("Each roll is numbered and notified, and the last roll can be read")
    func rolls() throws {
        var die = try poweredDie()
        #expect(try Roll(decoding: #require(die.value(of: DieGATT.roll))).face == 0)
        for (number, face) in [(1, 4), (2, 4)] as [(UInt32, UInt8)] {
            let roll = Roll(number: number, sides: 6, face: face)
            #expect(try die.perform(.roll(face: face)) == [.notify(DieGATT.roll, roll.encoded)])
            #expect(die.value(of: DieGATT.roll) == roll.encoded)
        }
        #expect(throws: RadioError.invalid("the die has the faces 1 to 6, not 7")) { try die.perform(.roll(face: 7)) }
    }

    @Test("A die that is switched off only accepts being switched on")
    func off() throws {
        var die = try poweredDie()
        #expect(try die.perform(.powerOff) == [.stopAdvertising])
        let commands: [DieCommand] = [
            .roll(face: 1), .openNetwork(.init(ssid: "x", security: .open)), .closeNetwork(ssid: "x"),
        ]
        for command in commands {
            #expect(throws: RadioError.self) { try die.perform(command) }
        }
    }

    @Test("A die with a private address changes it on request, and other dice refuse", .covers("C5"))
    func privateAddress() throws {
        var die = DieLogic()
        #expect(throws: RadioError.self) { try die.perform(.rotateAddress) }
        let outputs = try die.perform(.powerOn(.init(name: "Die 7", isDualMode: true, hasPrivateAddress: true)))
        #expect(outputs.first == .setTransports(isDualMode: true, hasPrivateAddress: true))
        #expect(try die.perform(.rotateAddress) == [.advertise(name: "Die 7", DieAdvertising())])
        _ = try die.perform(.powerOn(.init(name: "Die 7")))
        #expect(throws: RadioError.self) { try die.perform(.rotateAddress) }
    }

    @Test("It shows the number and accepts; if it is set to refuse, it does neither")
    func comparison() throws {
        var die = try poweredDie()
        #expect(
            die.take(.comparison(passkey: 123)) == [.tell(.passkeyShown(123)), .answerComparison(true)])
        #expect(try die.perform(.setPairing(.refuses)) == [.setPairable(false)])
        #expect(die.take(.comparison(passkey: 123)) == [.answerComparison(false)])
    }

    @Test("It tells phones which networks are open")
    func networks() throws {
        var die = try poweredDie()
        func names() throws -> [String] {
            try DieNetworks(decoding: #require(die.value(of: DieGATT.networks))).networks.map(\.ssid)
        }
        #expect(try names() == ["Dice"])
        // This starts no key exchange: the next exchange lists the new transports.
        #expect(try die.perform(.openNetwork(.init(ssid: "More", security: .wpa2, passphrase: "87654321"))).isEmpty)
        #expect(throws: RadioError.self) { try die.perform(.openNetwork(.init(ssid: "More", security: .open))) }
        #expect(try die.perform(.closeNetwork(ssid: "Dice")).isEmpty)
        #expect(try names() == ["More"])
    }

    @Test("It tells phones a changed passphrase, and refuses changes of a network that is not open")
    func passphrase() throws {
        var die = try poweredDie()
        #expect(try die.perform(.changePassphrase(ssid: "Dice", to: "eight is no prime")).isEmpty)
        let told = try DieNetworks(decoding: #require(die.value(of: DieGATT.networks))).networks
        #expect(told.map(\.passphrase) == ["eight is no prime"])
        #expect(throws: RadioError.self) { try die.perform(.changePassphrase(ssid: "More", to: "eight is no prime")) }
        _ = try die.perform(.powerOff)
        #expect(throws: RadioError.self) { try die.perform(.changePassphrase(ssid: "Dice", to: "eight is no prime")) }
    }

    @Test("An owner's name is text of at most 64 bytes")
    func owner() throws {
        var die = try poweredDie()
        #expect(die.accepts(Data(String(repeating: "ü", count: 32).utf8), for: DieGATT.owner))
        #expect(!die.accepts(Data(count: 65), for: DieGATT.owner))
        #expect(!die.accepts(Data([0xFF]), for: DieGATT.owner))
        #expect(die.take(.written(DieGATT.owner, Data("Kim".utf8), mtu: 517)).isEmpty)
        #expect(die.value(of: DieGATT.owner) == Data("Kim".utf8))
    }

    @Test("A key request is answered in segments that fit the link; garbage is refused and reported")
    func channels() throws {
        var die = try poweredDie()
        let request = try KeyExchangeMessage.keyRequest(.p256, .version1, identifier: "id").encoded()
        let segment = try #require(try GATTFraming.split(request, segmentLength: 512).first)
        for output in die.take(.written(DieGATT.security, segment, mtu: 23)) {
            guard case .notify(DieGATT.security, let part) = output else {
                Issue.record("\(output) is not a part of the answer")
                continue
            }
            #expect(part.count <= 20)
        }
        let outputs = die.take(.written(DieGATT.notifications, Data([0xFF]), mtu: 23))
        #expect(outputs.contains { if case .tell(.refusedMessage) = $0 { true } else { false } })
    }

    @Test("Links, bonds and subscriptions to rolls are reported; other subscriptions are not")
    func links() throws {
        var die = try poweredDie()
        let bond = Bond(isSecureConnections: true, isAuthenticated: true)
        #expect(die.take(.connected(phone)) == [.tell(.connected(phone))])
        #expect(die.take(.bonded(phone, bond)) == [.tell(.bonded(phone, bond))])
        #expect(die.take(.subscription(DieGATT.roll, true)) == [.tell(.rollSubscription(true))])
        #expect(die.take(.subscription(DieGATT.security, true)).isEmpty)
        #expect(die.take(.disconnected(phone)) == [.tell(.disconnected(phone))])
    }

    @Test("A phone that pairs anew finds the keys of the one before gone")
    func nextOwner() throws {
        var die = try poweredDie()
        func send(_ message: KeyExchangeMessage) throws -> [NotificationReceiver.Action] {
            try GATTFraming.split(message.encoded(), segmentLength: 20).flatMap { segment in
                die.take(.written(DieGATT.security, segment, mtu: 23)).compactMap { output in
                    guard case .notify(let characteristic, let part) = output else { return nil }
                    return .notify(characteristic, part)
                }
            }
        }
        let request = KeyExchangeMessage.keyRequest(.p256, .version1, identifier: ScriptedPhone.identifier)
        func exchangeKeys() throws -> KeyExchangeMessage {
            let key = try #require(publicKey(in: try send(request)))
            return try ScriptedPhone(publicKey: key).encapsulatedKeyMessage
        }
        #expect(securityMessages(in: try send(exchangeKeys())) == [.result(.keysReady)])
        let stale = try exchangeKeys()
        _ = die.take(.bonded(phone, Bond(isSecureConnections: true, isAuthenticated: true)))
        #expect(securityMessages(in: try send(stale)) == [.result(.noKeyPair)])
    }
}
