import DieProtocol
import HIL

extension AirAdvertiser {
    /// A die without a board: it advertises like a die, but accepts no connections.
    ///
    /// - Parameters:
    ///   - number: The last byte of its address, 0 to 255.
    ///   - name: Its advertised name; by default `Die` and the number.
    ///   - interval: The time between its advertisements.
    ///   - metres: Its distance.
    package static func die(
        _ number: Int, named name: String? = nil, interval: Duration = .milliseconds(100), metres: Double = 2
    ) -> AirAdvertiser {
        AirAdvertiser(
            named: name ?? "Die \(number)", address: .neighbour(number), services: [BluetoothUUID(DieGATT.service)!],
            interval: interval, metres: metres)
    }
}
