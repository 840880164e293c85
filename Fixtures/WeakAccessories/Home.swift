import CoreBluetooth
import HIL

/// The weak lamp takes the home's passphrase over a link that is not encrypted.
package let plainCredentials = Scenario(
    "A lamp is set up and joins the home's network", .audits(AuditExpectations(shows: .number)), .needs(.homeNetwork),
    over: Build.axis
) { lab, build in try await lab.setUpAtHome(.homeLamp(isOpen: build == .weak)) }

/// The weak lamp still has the port of its developers.
package let developersPort = Scenario(
    "A lamp with a page is set up and joins the home's network",
    .audits(AuditExpectations(shows: .number, ports: [.tcp(80), .udp(5353)])), .needs(.homeNetwork), over: Build.axis
) { lab, build in
    let page = PeripheralPort.port(80, answers: Data("on".utf8))
    try await lab.setUpAtHome(.homeLamp(ports: [page] + (build == .weak ? [.echo(23_023)] : [])))
}

/// The weak lamp's page writes past its buffer when a path is longer.
package let longPath = Scenario(
    "A lamp with a page in C is set up and joins the home's network",
    .audits(AuditExpectations(open: ["FF01", "FF10"], ports: [.tcp(80), .udp(5353)])), .accessory(.page(.hardened)),
    .needs(.homeNetwork), over: Build.axis
) { lab, build in
    try await lab.accessory.run(.page(build))
    try await lab.setUpAtHome(.homeLamp(isOpen: true))
}

/// The page of the weak lamp takes TLS 1.0, too.
package let oldTLS = Scenario(
    "A lamp with a page over TLS is set up and joins the home's network",
    .audits(AuditExpectations(shows: .number, ports: [.tcp(443)])), .needs(.homeNetwork), over: Build.axis
) { lab, build in
    var page = PeripheralPort.port(443, answers: Data("on".utf8)).overTLS(as: try .selfSigned(for: "lamp.local"))
    page.takesOldTLS = build == .weak
    try await lab.setUpAtHome(.homeLamp(ports: [page]))
}

/// The weak lamp reports to any server, whatever certificate it shows.
package let anyServer = Scenario(
    "A lamp that reports to its maker is set up and joins the home's network",
    .audits(AuditExpectations(shows: .number)), .needs(.homeRouter), over: Build.axis
) { lab, build in
    var lamp = Peripheral.homeLamp()
    let maker = try TLSIdentity.selfSigned(for: "maker.example")
    lamp.reports = [
        PeripheralReport(
            to: lab.internet.address, port: 8883, content: Data("the lamp is on".utf8),
            trusting: build == .weak ? nil : maker.certificate)
    ]
    try await lab.setUpAtHome(lamp, hasInternet: true)
}

extension Peripheral {
    /// A lamp that takes a network's name and passphrase in one write (FF10), each on a line, and joins the network.
    static func homeLamp(isOpen: Bool = false, ports: [PeripheralPort] = []) -> Peripheral {
        var lamp = Peripheral.lamp(pairing: isOpen ? .none : .numericComparison, isOpen: isOpen)
        lamp.ports = ports
        lamp.services[0].characteristics.append(
            .characteristic("FF10", .write, needs: isOpen ? .none : .encrypted)
                .onWrite { access, value in
                    let lines = String(decoding: value, as: UTF8.self).split(separator: "\n").map(String.init)
                    guard lines.count == 2 else { throw AccessRefusal(0x80) }
                    do { try await access.peripheral.join(ssid: lines[0], passphrase: lines[1]) } catch is RadioError {
                        throw AccessRefusal(0x81)
                    }
                })
        return lamp
    }
}

extension AccessoryProgram {
    /// A page in C, which is compiled as it starts.
    fileprivate static func page(_ build: Build) -> AccessoryProgram {
        AccessoryProgram(
            named: "page", files: "Fixtures/WeakAccessories/Firmware", packages: packages,
            command: ["sh", "-c", "tcc -o page page.c && exec ./page \"$0\"", build.rawValue],
            ready: .line(containing: "the page is there"))
    }

    /// Those of the explored lamps, so that they share a board.
    private static let packages = ["python3-dbus", "python3-gi", "tcc", "libc6-dev"]
}

extension Lab {
    /// The owner's journey: the lamp is set up, and gets the home's credentials.
    func setUpAtHome(_ lamp: Peripheral, hasInternet: Bool = false) async throws {
        let home = try await homeNetwork.open(hasInternet: hasInternet)
        try await setUp(lamp) { peripheral, probe in
            let credentials = Data("\(home.ssid)\n\(home.passphrase)".utf8)
            peripheral.writeValue(credentials, for: try peripheral.found("FF10"), type: .withResponse)
            try await probe.next(.written(nil), within: .seconds(30))
        }
    }
}
