import RadioModel

/// An event of a home's network, as its router sees it.
public enum HomeNetworkEvent: Sendable, Hashable, Codable {
    /// A station joined: it knows the passphrase.
    case joined(station: DeviceAddress)
    /// A station left, or was disconnected.
    case left(station: DeviceAddress)
    /// A station could not join, because it used another passphrase. The router reports it for WPA2 only.
    case refused(station: DeviceAddress)
    /// The DHCP server gave a station this IPv4 address, for the first time or again.
    case gaveAddress(String, station: DeviceAddress)

    /// The address of the station.
    package var station: DeviceAddress {
        switch self {
        case .joined(let station), .left(let station), .refused(let station), .gaveAddress(_, let station): station
        }
    }

    enum GaveAddressCodingKeys: String, CodingKey { case _0 = "address", station }
}

extension HomeNetworkEvent: CustomStringConvertible {
    /// A sentence for logs: `02:00:00:00:01:00 joined`.
    public var description: String {
        switch self {
        case .joined(let station): "\(station) joined"
        case .left(let station): "\(station) left"
        case .refused(let station): "\(station) was refused: it used another passphrase"
        case .gaveAddress(let address, let station): "\(station) got the address \(address)"
        }
    }
}
