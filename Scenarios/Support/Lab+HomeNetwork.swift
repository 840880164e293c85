import CoreBluetooth
import HIL
import Network

/// The lamp that joins the home's network.
enum HomeLamp {
    static let service = BonjourService.service("Lamp 7", type: "_lamp._tcp", port: 80, text: ["id": "7"])
    static let endpoint = NWEndpoint.service(name: "Lamp 7", type: "_lamp._tcp", domain: "local.", interface: nil)
}

extension Peripheral {
    /// A lamp that takes a network's name and passphrase in one write (FF10), each on a line, and joins the network. Then it
    /// notifies 0 there, or 0x81 if it cannot join. The names of the networks that it hears can be read (FF11).
    static func homeLamp(_ change: (inout Peripheral) -> Void = { _ in }) -> Peripheral {
        .lamp { lamp in
            lamp.services[0].characteristics.append(
                .characteristic("FF10", [.write, .notify])
                    .onWrite { access, value in
                        let lines = String(decoding: value, as: UTF8.self).split(separator: "\n").map(String.init)
                        guard lines.count == 2 else { throw AccessRefusal(0x80) }
                        // The answer does not wait for that: the link may end meanwhile.
                        Task { await access.peripheral.move(to: lines[0], passphrase: lines[1]) }
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

extension RunningPeripheral {
    /// Joins a network, and notifies whether it has.
    fileprivate func move(to ssid: String, passphrase: String) async {
        let outcome: UInt8
        do {
            try await join(ssid: ssid, passphrase: passphrase)
            outcome = 0
        } catch { outcome = 0x81 }
        // The lamp may be off by now.
        try? await notify([outcome], of: "FF10")
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

    /// Lets the app give the lamp a network.
    ///
    /// - Returns: What the lamp says of it: 0 if it has joined.
    func provision(
        _ peripheral: CBPeripheral, with credentials: Data, _ probe: CentralProbe
    ) async throws -> UInt8? {
        let network = try peripheral.found("FF10")
        peripheral.setNotifyValue(true, for: network)
        try await probe.next(.notifying(true, nil))
        peripheral.writeValue(credentials, for: network, type: .withResponse)
        try await probe.next(.written(nil))
        return try await probe.next(.value, within: .seconds(40)).first
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
