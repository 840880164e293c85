import CoreBluetooth
import HIL
import Network

/// The lamp that joins the home's network.
enum HomeLamp {
    static let service = BonjourService.service("Lamp 7", type: "_lamp._tcp", port: 80, text: ["id": "7"])
    static let endpoint = NWEndpoint.service(name: "Lamp 7", type: "_lamp._tcp", domain: "local.", interface: nil)
}

extension Peripheral {
    /// A lamp that takes a network's name and passphrase in one write (FF10), each on a line, and joins the network. It
    /// answers the write when it is there, or with the error 0x81. The names of the networks that it hears can be read
    /// (FF11).
    static func homeLamp(_ change: (inout Peripheral) -> Void = { _ in }) -> Peripheral {
        .lamp { lamp in
            lamp.services[0].characteristics.append(
                .characteristic("FF10", [.write])
                    .onWrite { access, value in
                        let lines = String(decoding: value, as: UTF8.self).split(separator: "\n").map(String.init)
                        guard lines.count == 2 else { throw AccessRefusal(0x80) }
                        do {
                            try await access.peripheral.join(ssid: lines[0], passphrase: lines[1])
                        } catch is RadioError {
                            throw AccessRefusal(0x81)
                        }
                    })
            lamp.services[0].characteristics.append(
                .characteristic("FF11", .read)
                    .onRead { access in
                        // The names fit into one value; an accessory with more networks around it would page them.
                        let names = try await access.peripheral.scanNetworks().map(\.ssid)
                        return Data(names.prefix(8).joined(separator: "\n").utf8)
                    })
            lamp.ports = [.port(80, answers: LampSite.page)]
            lamp.bonjour = [HomeLamp.service]
            change(&lamp)
        }
    }
}

extension HomeNetwork {
    /// What the app writes to the lamp.
    var credentials: Data { Data("\(ssid)\n\(passphrase)".utf8) }
}

extension Lab {
    /// Opens the home's network, with the phone and a lamp in it, and launches the app.
    func lampAtHome(
        isolatesClients: Bool = false, _ change: (inout Peripheral) -> Void = { _ in }
    ) async throws -> (HomeNetwork, RunningPeripheral) {
        let home = try await homeNetwork.open(isolatesClients: isolatesClients)
        try await home.joinPhone()
        let lamp = try await accessory.powerOn(.homeLamp(change))
        try await lamp.join(ssid: home.ssid, passphrase: home.passphrase)
        _ = try await phone.launch(GadgetApp.self)
        return (home, lamp)
    }

    /// Lets the app look for the lamp's service, and returns the first result.
    func foundAtHome() async throws -> NWBrowser.Result {
        let probe = BrowserProbe(.bonjour(type: "_lamp._tcp", domain: nil))
        let (change, _) = try await step("find", within: .seconds(15)) { try await probe.change() }
        return try require(change.added, "a service is added")
    }

    /// Whether the app finds the lamp's service within six seconds.
    func findsLamp() async throws -> Bool {
        let probe = BrowserProbe(.bonjour(type: "_lamp._tcp", domain: nil))
        do {
            return try await probe.changes.first(within: .seconds(6), waitingFor: "the lamp's service").event.added
                != nil
        } catch is TimedOut { return false }
    }

    /// Whether the push service on the simulated internet accepts a connection.
    func reachesInternet() async -> Bool {
        do {
            let stream = try await phone.network.openStream(to: internet.address, port: internet.pushPort)
            stream.close()
            return true
        } catch { return false }
    }
}
