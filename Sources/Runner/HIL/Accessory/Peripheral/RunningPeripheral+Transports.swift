import Foundation
import PeripheralModel
import RadioModel
import RigModel

/// Its networks, its channels, and what it does as the central of a link.
extension RunningPeripheral {
    /// Opens another network, and returns when it sends beacons.
    public func openNetwork(
        _ network: NetworkConfiguration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(.openNetwork(network), fileID, filePath, line) }

    public func closeNetwork(
        ssid: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(.closeNetwork(ssid: ssid), fileID, filePath, line) }

    /// Restarts a network with another passphrase of 8 to 63 characters. Phones on it are disconnected.
    public func changePassphrase(
        _ passphrase: String, of ssid: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws { try await ask(.changePassphrase(ssid: ssid, to: passphrase), fileID, filePath, line) }

    /// Joins a network of others, such as the home's, with the credentials that it got, and returns when it has an address
    /// there. It then serves its ports and offers its services there.
    ///
    /// It has one radio: close its own networks first. After a loss it looks for the network every second, until
    /// ``leaveNetwork(fileID:filePath:line:)``.
    ///
    /// - Parameters:
    ///   - passphrase: 8 to 63 characters; nil for an open network.
    ///   - security: The kinds of network that it joins; nil for WPA2 and WPA3 with a passphrase, open without one.
    /// - Throws: `RadioError`: `networkNotFound`, `associationFailed`, `wrongPassphrase` or `noAddress` if it cannot be
    ///   joined. A scenario in which that is right catches it.
    @discardableResult
    public func join(
        ssid: String, passphrase: String?, security: WiFiSecurity? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> WiFiLink {
        let credentials = WiFiCredentials(
            ssid: ssid, security: security ?? (passphrase == nil ? .open : .wpa2wpa3), passphrase: passphrase)
        let answer = try await ask(.joinNetwork(credentials), fileID, filePath, line)
        guard case .joined(let link) = answer else {
            throw RigFailure("joining a network", on: "the accessory board", "it answered \(answer)")
        }
        return link
    }

    /// The networks of others that it hears now, strongest first, in the bands that its radio knows.
    ///
    /// It has one radio: close its own networks first.
    public func scanNetworks(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> [WiFiNetwork] {
        let answer = try await ask(.scanNetworks, fileID, filePath, line)
        guard case .networks(let heard) = answer else {
            throw RigFailure("looking for networks", on: "the accessory board", "it answered \(answer)")
        }
        return heard
    }

    /// Leaves the network that it joined. Does nothing if it joined none.
    public func leaveNetwork(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(.leaveNetwork, fileID, filePath, line) }

    /// Offers these services on all its networks by Bonjour, in place of those before.
    public func offerServices(
        _ services: [BonjourService], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(.offerServices(services), fileID, filePath, line) }

    /// Sends a request to a service that the phone offers on the accessory's network, and returns the answer: all that comes
    /// over TCP, or one datagram from a service whose type ends with `._udp`.
    ///
    /// - Throws: `RadioError.noAnswer` if nobody offers the service, or nobody answers.
    public func exchange(
        _ request: Data, withService name: String, type: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Data {
        let service = BonjourName(name: name, type: type)
        guard case .value(let answer) = try await ask(.exchange(request, with: service), fileID, filePath, line) else {
            return Data()
        }
        return answer
    }

    /// Looks for a phone that advertises a service, connects to it as a central does, and returns when its services are
    /// discovered.
    public func connect(
        toPhoneWith service: String, within limit: Duration = .seconds(10), fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let milliseconds = Int(limit.seconds * 1000)
        try await ask(.connect(Peripheral.uuid(service), milliseconds: milliseconds), fileID, filePath, line)
    }

    /// Reads a value of the phone that it is connected to.
    public func readPhone(
        _ uuid: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Data {
        guard case .value(let value) = try await ask(.readPhone(Peripheral.uuid(uuid)), fileID, filePath, line) else {
            return Data()
        }
        return value
    }

    /// Writes a value of the phone that it is connected to.
    public func writePhone(
        _ value: [UInt8], to uuid: String, withResponse: Bool = true, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await ask(
            .writePhone(Data(value), Peripheral.uuid(uuid), withResponse: withResponse), fileID, filePath, line)
    }

    /// Subscribes to a value of the phone that it is connected to. `PeripheralEvent.heard` gives
    /// what the phone notifies.
    public func subscribeToPhone(
        _ uuid: String, _ isOn: Bool = true, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(.subscribeToPhone(Peripheral.uuid(uuid), isOn), fileID, filePath, line) }

    /// Opens an L2CAP channel to the phone that connected last.
    ///
    /// - Parameter port: The port (PSM) that the phone's app has published.
    /// - Returns: The number of the channel, for ``send(_:onChannel:fileID:filePath:line:)`` and in events.
    public func openChannel(
        port: UInt16, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Int {
        guard case .channel(let number, _) = try await ask(.openChannel(port: port), fileID, filePath, line) else {
            throw RigFailure("opening a channel", on: "the accessory board", "it gave no channel")
        }
        return number
    }

    /// Sends a packet on an L2CAP channel, at most the channel's MTU.
    public func send(
        _ packet: [UInt8], onChannel number: Int, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws { try await ask(.sendOnChannel(number, Data(packet)), fileID, filePath, line) }

    public func closeChannel(
        _ number: Int, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(.closeChannel(number), fileID, filePath, line) }
}
