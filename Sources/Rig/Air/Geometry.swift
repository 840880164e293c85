import BoardProtocol
import Glibc
import RigModel

/// The distances between the boards and to the home's router, and the signal strength that follows from it.
///
/// Path loss is log-distance: `signal(d) = signal(1 m) − 10 · n · log10(d / 1 m)`, with n = 3, which is common for rooms
/// with people and furniture in them. A signal below the receiver's sensitivity is not heard at all.
///
/// | distance | Bluetooth | Wi-Fi |
/// |---|---|---|
/// | 0.3 m | −24 dBm | −20 dBm |
/// | 1 m | −40 dBm | −36 dBm |
/// | 2 m | −49 dBm | −45 dBm |
/// | 10 m | −70 dBm | −66 dBm |
/// | 60 m | −93 dBm | −89 dBm |
/// | from 66 m on | not heard | not heard |
package struct Geometry: Sendable, Equatable {
    /// Metres between the boards; nil is out of each other's range.
    package var distance: Double?
    /// Metres between the home's router and each board. A board without an entry is out of its range.
    var home: [BoardRole: Double] = [.host: Geometry.usualHome, .accessory: Geometry.usualHome]

    /// Metres between the phone and strangers, and between these.
    private var strangers: Double? = 1

    /// Metres between the home's router and a board, unless a scenario moves it: in the same flat.
    package static let usualHome = 5.0
    /// Nobody hears anybody.
    static let apart: Geometry = {
        var apart = Geometry(distance: nil)
        apart.home = [:]
        apart.strangers = nil
        return apart
    }()

    /// - Parameter distance: In metres; nil is out of range.
    package init(distance: Double? = 1) { self.distance = distance }

    /// The path-loss exponent *n*.
    package static let pathLossExponent = 3.0
    /// The smallest distance that counts, in metres; anything nearer has the same signal.
    package static let nearest = 0.05

    /// The signal one metre from the transmitter, in dBm.
    ///
    /// Bluetooth LE: what a phone shows for a beacon of 0 dBm beside it, with the losses of two small antennas. Wi-Fi:
    /// 20 dBm minus the 40 dB of free space, and about 16 dB for antennas.
    package static func signalAtOneMetre(_ radio: AirRadio) -> Double { radio == .bluetooth ? -40 : -36 }

    /// The weakest signal that is still heard, in dBm.
    package static func sensitivity(_ radio: AirRadio) -> Double { radio == .bluetooth ? -94 : -90 }

    /// The signal at the other board, in dBm; nil if it is not heard.
    package func signal(_ radio: AirRadio) -> Int8? { distance.flatMap { Geometry.signal(radio, over: $0) } }

    /// The signal of Wi-Fi from one place at another, in dBm; nil if it is not heard.
    func wifiSignal(between one: AirPlace, and other: AirPlace) -> Int8? {
        let metres: Double? =
            switch (one.neighbour, other.neighbour) {
            case (let one?, let other?): one == other ? strangers : distance
            case (let board?, nil), (nil, let board?): home[board]
            case (nil, nil): nil
            }
        return metres.flatMap { Geometry.signal(.wifi, over: $0) }
    }

    private static func signal(_ radio: AirRadio, over distance: Double) -> Int8? {
        guard distance.isFinite else { return nil }
        let loss = 10 * Geometry.pathLossExponent * log10(max(distance, Geometry.nearest))
        let signal = (Geometry.signalAtOneMetre(radio) - loss).rounded()
        return signal < Geometry.sensitivity(radio) ? nil : Int8(max(-127, min(0, signal)))
    }
}
