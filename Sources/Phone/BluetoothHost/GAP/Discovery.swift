import RadioModel

/// An advertisement that was heard, with the device behind it.
package struct Discovery: Sendable, Equatable {
    /// The identity of a bonded device, otherwise the address in the air.
    package var device: PeerAddress
    /// The address in the air.
    package var address: PeerAddress
    /// Its address is that of `device`.
    package var advertisement: Advertisement
    package var isConnectable: Bool
    /// For whom a directed advertisement is.
    package var target: PeerAddress?
}

/// What a device advertised last.
struct HeardDevice: Sendable, Equatable {
    /// The bytes of the advertisement.
    var data: [UInt8]
    /// The bytes of the scan response; nil if none was heard with this advertisement.
    var scanResponse: [UInt8]?
    var isConnectable: Bool
}
