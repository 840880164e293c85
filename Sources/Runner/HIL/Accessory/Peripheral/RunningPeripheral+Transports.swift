import Foundation
import PeripheralModel
import RadioModel
import RigModel

/// Its networks, its channels, and what it does as the central of a link.
extension RunningPeripheral {
    /// Opens another network, and returns when it sends beacons.
    public func openNetwork(
        _ network: NetworkConfiguration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .network(.open(network, $0)) } }

    /// Closes one of its networks.
    public func closeNetwork(
        ssid: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .network(.close(ssid: ssid, $0)) } }

    /// Restarts a network with another passphrase of 8 to 63 characters. Phones on it are disconnected.
    public func changePassphrase(
        _ passphrase: String, of ssid: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        try await ask(fileID, filePath, line) { .network(.changePassphrase(ssid: ssid, to: passphrase, $0)) }
    }

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
        let link = try await ask(fileID, filePath, line) { .network(.join(credentials, $0)) }
        keep(joined: credentials)
        return link
    }

    /// The networks of others that it hears now, strongest first, in the bands that its radio knows.
    ///
    /// It has one radio: close its own networks first.
    public func scanNetworks(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> [WiFiNetwork] {
        try await ask(fileID, filePath, line) { .network(.scan($0)) }
    }

    /// Leaves the network that it joined. Does nothing if it joined none.
    public func leaveNetwork(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        keep(joined: nil)
        try await ask(fileID, filePath, line) { .network(.leave($0)) }
    }

    /// Offers these services on all its networks by Bonjour, in place of those before.
    public func offerServices(
        _ services: [BonjourService], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .network(.offerServices(services, $0)) } }

    /// Sends a request to a service that the phone offers on the accessory's network, and returns the answer: all that comes
    /// over TCP, or one datagram from a service whose type ends with `._udp`.
    ///
    /// - Throws: `RadioError.noAnswer` if nobody offers the service, or nobody answers.
    public func exchange(
        _ request: Data, withService name: String, type: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Data {
        let service = BonjourName(name: name, type: type)
        return try await ask(fileID, filePath, line) { .network(.exchange(request, with: service, $0)) }
    }

    /// Looks for a phone that advertises a service, connects to it as a central does, and returns when its services are
    /// discovered.
    public func connect(
        toPhoneWith service: String, within limit: Duration = .seconds(10), fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let milliseconds = Int(limit.seconds * 1000)
        let uuid = try Peripheral.uuid(service)
        try await ask(fileID, filePath, line) { .phone(.connect(uuid, milliseconds: milliseconds, $0)) }
    }

    /// Reads a value of the phone that it is connected to.
    public func readPhone(
        _ uuid: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Data {
        let uuid = try Peripheral.uuid(uuid)
        return try await ask(fileID, filePath, line) { .phone(.read(uuid, $0)) }
    }

    /// Writes a value of the phone that it is connected to.
    public func writePhone(
        _ value: [UInt8], to uuid: String, withResponse: Bool = true, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let uuid = try Peripheral.uuid(uuid)
        try await ask(fileID, filePath, line) { .phone(.write(Data(value), uuid, withResponse: withResponse, $0)) }
    }

    /// Subscribes to a value of the phone that it is connected to. `PeripheralEvent.heard` gives
    /// what the phone notifies.
    public func subscribeToPhone(
        _ uuid: String, _ isOn: Bool = true, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        let uuid = try Peripheral.uuid(uuid)
        try await ask(fileID, filePath, line) { .phone(.subscribe(uuid, isOn, $0)) }
    }

    /// Opens an L2CAP channel to the phone that connected last.
    ///
    /// - Parameter port: The port (PSM) that the phone's app has published.
    /// - Returns: The number of the channel, for ``send(_:onChannel:fileID:filePath:line:)`` and in events.
    public func openChannel(
        port: UInt16, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Int {
        try await ask(fileID, filePath, line) { .channel(.open(port: port, $0)) }.number
    }

    /// Sends a packet on an L2CAP channel, at most the channel's MTU.
    public func send(
        _ packet: [UInt8], onChannel number: Int, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .channel(.send(number, Data(packet), $0)) } }

    /// Closes an L2CAP channel.
    public func closeChannel(
        _ number: Int, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws { try await ask(fileID, filePath, line) { .channel(.close(number, $0)) } }
}
