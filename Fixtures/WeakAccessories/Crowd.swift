import HIL

/// Devices of neighbours are nearer than the lamp, and advertise five times as often: an attack of the lamp must not meet them.
package let lampAmongOthers = Scenario(
    "A lamp is set up among devices of neighbours", .audits(AuditExpectations(shows: .number)), .needs(.homeNetwork)
) { lab in
    for number in 1...3 {
        try await lab.air.add(
            .advertiser(
                AirAdvertiser(
                    named: "Neighbour \(number)", address: .neighbour(number), services: [BluetoothUUID(short: 0xFE00)],
                    interval: .milliseconds(20), metres: 1)))
        try await lab.air.add(.accessPoint(.neighbour(number)))
    }
    try await lab.setUpAtHome(.homeLamp())
}
