import DieProtocol
import HIL

extension AirAdvertiser {
    /// A die without a board behind it: it says what a die says, and cannot be connected to.
    ///
    /// - Parameters:
    ///   - number: 0 to 255; the last byte of its address.
    ///   - name: By default `Die` and the number.
    package static func die(
        _ number: Int, named name: String? = nil, interval: Duration = .milliseconds(100), metres: Double = 2
    ) -> AirAdvertiser {
        AirAdvertiser(
            named: name ?? "Die \(number)", address: .neighbour(number), services: [BluetoothUUID(DieGATT.service)!],
            interval: interval, metres: metres)
    }
}
