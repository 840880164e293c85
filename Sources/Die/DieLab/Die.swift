import BoardProtocol
@_exported import DieControl
import HIL
import RadioModel
import RigModel
import Timing

/// A conversation with the die's program on the board.
typealias DieLink = AccessoryLink<DieCommand, DieAnswer, DieEvent>

extension AccessoryBoard {
    /// Switches a die on; returns when it is on the air. To switch on what has this adapter already is to restart it.
    ///
    /// - Parameter adapter: 0 is there from the start, 1 to 7 are made when they are asked for first. The board has one radio
    ///   for Wi-Fi, which is that of 0: a die of another adapter opens no network.
    /// - Throws: ``RadioModel/RadioError``: ``RadioModel/RadioError/invalid(_:)`` for an adapter that cannot be,
    ///   ``RadioModel/RadioError/unsupported(_:)`` for a network of a die that has no Wi-Fi.
    @discardableResult
    package func powerOn(
        _ configuration: DieConfiguration, adapter: AdapterID = .first, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Die {
        // From here on: what an earlier die told is not this one's.
        let link: DieLink = try await link(
            named: "die", adapter: adapter, story: \.story, fileID: fileID, filePath: filePath, line: line)
        let answer = try await link.ask(.powerOn(configuration), fileID: fileID, filePath: filePath, line: line)
        guard case .address(let address) = answer else {
            throw RigFailure("switching a die on", on: "the accessory board", "it answered \(answer)")
        }
        link.isOnAir(at: address, as: configuration.name)
        return Die(link, name: configuration.name, address: address)
    }
}

extension DieEvent {
    /// What the story tells of it.
    fileprivate var story: AccessoryLine? {
        switch self {
        case .connected(let phone), .disconnected(let phone): AccessoryLine("\(self)", link: phone)
        default: AccessoryLine("\(self)")
        }
    }
}

/// A Bluetooth die that is switched on.
package final class Die: Sendable {
    /// The name that it was given.
    package let name: String
    /// The Bluetooth adapter that it has for itself, by which faults name it.
    package var adapter: AdapterID { link.adapter }
    /// Its own address. One with a private address is heard under another until it is bonded.
    package let address: DeviceAddress
    /// What it told of itself since it was switched on.
    package var events: EventLog<DieEvent> { link.events }
    /// What it shows.
    package let screen: DieScreen
    /// What it is asked and tells by.
    let link: DieLink

    init(_ link: DieLink, name: String, address: DeviceAddress) {
        self.link = link
        self.name = name
        self.address = address
        screen = DieScreen(link)
    }

    /// Rolls: the face, 1 to 6, is told to the phone that subscribed.
    package func roll(
        _ face: UInt8, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.roll(face: face), fileID: fileID, filePath: filePath, line: line)
    }

    /// Changes its answer to pairing requests from now on.
    package func setPairing(
        _ pairing: DieConfiguration.Pairing, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.setPairing(pairing), fileID: fileID, filePath: filePath, line: line)
    }

    /// Opens one more network; returns when it can be heard.
    package func openNetwork(
        _ network: NetworkConfiguration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.openNetwork(network), fileID: fileID, filePath: filePath, line: line)
    }

    /// Changes the passphrase of a network of its, which starts anew: a phone that is on it loses it, and joins again with the new
    /// one alone. Returns when it can be heard again.
    ///
    /// - Parameters:
    ///   - passphrase: 8 to 63 characters.
    ///   - ssid: Of a network that is open and protected; by default the one of the die's name.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for a passphrase that no network can have, which changes nothing.
    package func changePassphrase(
        _ passphrase: String, of ssid: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        try await link.ask(
            .changePassphrase(ssid: ssid ?? name, to: passphrase), fileID: fileID, filePath: filePath, line: line)
    }

    package func closeNetwork(
        ssid: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.closeNetwork(ssid: ssid), fileID: fileID, filePath: filePath, line: line)
    }

    /// Takes another private address at once; a die that has none throws.
    package func rotateAddress(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.rotateAddress, fileID: fileID, filePath: filePath, line: line)
    }

    /// Off the air; it keeps its bonds and keys.
    package func powerOff(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await link.ask(.powerOff, fileID: fileID, filePath: filePath, line: line)
    }

}
