import DiceApp
import HIL

extension AirAdvertiser {
    /// A neighbour's device. Every second one is also a die.
    static func neighbour(_ number: Int) -> AirAdvertiser {
        let isDie = number.isMultiple(of: 2)
        return AirAdvertiser(
            named: isDie ? "Die \(100 + number)" : "Lamp \(number)", address: .neighbour(number),
            services: [BluetoothUUID(isDie ? DieGATT.service : "180F")!], interval: .milliseconds(200),
            metres: Double(number))
    }
}
