import BoardProtocol
@_exported import DieProtocol
import HIL
import HILPOSIX
import HILTiming
import RadioModel
import RigModel

extension AccessoryBoard {
    /// Switches a die on, and returns when it is advertising. If this adapter already has a die, it restarts.
    ///
    /// - Parameter adapter: 0 always exists, 1 to 7 are added at the first use. The board has one Wi-Fi radio, which
    ///   belongs to adapter 0: a die with another adapter cannot open a network.
    /// - Throws: ``RadioModel/RadioError``: ``RadioModel/RadioError/invalid(_:)`` for an invalid adapter number,
    ///   ``RadioModel/RadioError/unsupported(_:)`` for networks of a die without Wi-Fi.
    @discardableResult
    package func powerOn(
        _ configuration: DieConfiguration, adapter: AdapterID = .first, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Die {
        // Events before this moment belong to an earlier die.
        let link: AccessoryLink<DieCall, DieEvent> = try await link(
            named: "die", adapter: adapter, story: \.story, fileID: fileID, filePath: filePath, line: line)
        let start: @Sendable () async throws -> DeviceAddress = {
            let address = try await link.ask(fileID: fileID, filePath: filePath, line: line) {
                .powerOn(configuration, $0)
            }
            link.isOnAir(at: address, as: configuration.name)
            return address
        }
        let address = try await start()
        onPowerReturn(of: adapter) { _ = try await start() }
        return Die(link, name: configuration.name, address: address) { [weak self] in
            self?.onPowerReturn(of: adapter, nil)
        }
    }
}

extension DieEvent {
    /// The line for the scenario's story.
    fileprivate var story: AccessoryLine? {
        switch self {
        case .connected(let phone), .disconnected(let phone): AccessoryLine(PlainText.words(for: self), link: phone)
        default: AccessoryLine(PlainText.words(for: self))
        }
    }
}

/// A Bluetooth die that is switched on.
package final class Die: Sendable {
    /// The name that it advertises.
    package let name: String
    /// Its Bluetooth adapter. Fault injection uses it to name the die.
    package var adapter: AdapterID { link.adapter }
    /// Its Bluetooth address. A die with a private address is heard under another address until it is bonded.
    package let address: DeviceAddress
    /// Its events since power-on.
    package var events: EventLog<DieEvent> { link.events }
    /// Its screen.
    package let screen: DieScreen
    /// The connection to the die's program.
    let link: AccessoryLink<DieCall, DieEvent>
    private let onOff: @Sendable () -> Void

    /// - Parameter onOff: Called when the die is switched off.
    init(
        _ link: AccessoryLink<DieCall, DieEvent>, name: String, address: DeviceAddress,
        onOff: @escaping @Sendable () -> Void
    ) {
        self.link = link
        self.onOff = onOff
        self.name = name
        self.address = address
        screen = DieScreen(link)
    }

    /// Rolls. The face, 1 to 6, is sent to subscribed phones.
    package func roll(
        _ face: UInt8, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await perform(.roll(face: face), fileID, filePath, line)
    }

    /// Sets its answer to pairing requests from now on.
    package func setPairing(
        _ pairing: DieConfiguration.Pairing, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await perform(.setPairing(pairing), fileID, filePath, line)
    }

    /// Opens another network, and returns when it sends beacons.
    package func openNetwork(
        _ network: NetworkConfiguration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await perform(.openNetwork(network), fileID, filePath, line)
    }

    /// Changes the passphrase of one of its networks, and returns when the network sends beacons again.
    ///
    /// The network restarts. A phone on it is disconnected and can join again only with the new passphrase.
    ///
    /// - Parameters:
    ///   - passphrase: 8 to 63 characters.
    ///   - ssid: The name of an open, protected network; by default the die's name.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for an invalid passphrase. Then nothing changes.
    package func changePassphrase(
        _ passphrase: String, of ssid: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        try await perform(.changePassphrase(ssid: ssid ?? name, to: passphrase), fileID, filePath, line)
    }

    package func closeNetwork(
        ssid: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await perform(.closeNetwork(ssid: ssid), fileID, filePath, line)
    }

    /// Changes the private address now. Throws if the die has no private address.
    package func rotateAddress(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await perform(.rotateAddress, fileID, filePath, line)
    }

    /// Switches it off. It keeps its bonds and keys.
    package func powerOff(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        onOff()
        try await perform(.powerOff, fileID, filePath, line)
    }

    func perform(_ command: DieCommand, _ fileID: String, _ filePath: String, _ line: Int) async throws {
        try await link.ask(fileID: fileID, filePath: filePath, line: line) { .perform(command, $0) }
    }
}
