import CoreBluetooth
import HIL

/// The weak lamp takes the home's passphrase over a link that is not encrypted.
package let plainCredentials = Scenario(
    "A lamp is set up and joins the home's network", .audits(AuditExpectations(shows: .number)), .needs(.homeNetwork),
    over: Build.axis
) { lab, build in try await lab.setUpAtHome(.homeLamp(isOpen: build == .weak)) }

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

extension Lab {
    /// The owner's journey: the lamp is set up, and gets the home's credentials.
    func setUpAtHome(_ lamp: Peripheral) async throws {
        let home = try await homeNetwork.open()
        try await setUp(lamp) { peripheral, probe in
            let credentials = Data("\(home.ssid)\n\(home.passphrase)".utf8)
            peripheral.writeValue(credentials, for: try peripheral.found("FF10"), type: .withResponse)
            try await probe.next(.written(nil), within: .seconds(30))
        }
    }
}
