import RadioModel

/// An event of the kernel's Bluetooth management interface. Only events that the boards use are included.
///
/// Source: BlueZ 5.82, `doc/mgmt-protocol.rst`.
package enum ManagementEvent: Sendable, Equatable {
    /// A packet of a device was received during discovery. RSSI in dBm, nil if unknown.
    case deviceFound(DeviceAddress, rssi: Int?, AdvertisingData)
    case connected(DeviceAddress)
    /// The link is gone.
    case disconnected(DeviceAddress)
    /// Pairing produced a long term key. The key itself is not kept.
    case bonded(DeviceAddress, Bond)
    /// Pairing produced a BR/EDR link key, which may be derived from the long term key. It is not kept.
    case classicKey(DeviceAddress, Bond)
    /// During pairing, a device with a private address sent its identity address. From now on it has that address.
    case identified(privateAddress: DeviceAddress, identity: DeviceAddress)
    /// Some program has started to advertise.
    case advertisingStarted
    /// The kernel has a new controller.
    case controllerAdded
    /// A setting of the controller has changed, such as its power.
    case settingsChanged

    /// Parses a packet of the control channel; nil for events that are not used and for invalid packets.
    ///
    /// Layout, little-endian: event 2, controller 2, length 2, parameters.
    package init?(decoding packet: [UInt8]) {
        var reader = LittleEndianReader(packet)
        guard let event = reader.uint16(), reader.uint16() != nil, let length = reader.uint16(),
            Int(length) <= reader.count
        else { return nil }
        switch event {
        case 0x0004: self = .controllerAdded
        case 0x0006: self = .settingsChanged
        case 0x0009: self.init(linkKey: &reader)
        case 0x000A: self.init(longTermKey: &reader)
        case 0x000B:
            guard let address = reader.leAddress() else { return nil }
            self = .connected(address)
        case 0x000C:
            // Address, reason.
            guard let address = reader.leAddress(), reader.skip(1) else { return nil }
            self = .disconnected(address)
        case 0x0012: self.init(deviceFound: &reader)
        case 0x0023: self = .advertisingStarted
        case 0x0018:
            // Store hint 1, private address 6, address 6, address type 1, key 16.
            guard reader.skip(1), let before = reader.address(), let identity = reader.leAddress(), reader.skip(16)
            else { return nil }
            self = .identified(privateAddress: before, identity: identity)
        default: return nil
        }
    }

    private init?(deviceFound reader: inout LittleEndianReader) {
        guard let address = reader.leAddress(), let rssi = reader.uint8(), reader.skip(4),
            let length = reader.uint16(), let data = reader.bytes(Int(length))
        else { return nil }
        let signal = Int(Int8(bitPattern: rssi))
        self = .deviceFound(address, rssi: signal == 127 ? nil : signal, AdvertisingData(decoding: data))
    }

    /// Store hint 1, address 6, address type 1, key type 1, key 16, PIN length 1.
    ///
    /// Key types 4 and 5 come from Secure Simple Pairing, 7 and 8 from Secure Connections. 5 and 8 are authenticated.
    private init?(linkKey reader: inout LittleEndianReader) {
        guard reader.skip(1), let address = reader.address(), reader.skip(1), let type = reader.uint8(),
            reader.skip(17)
        else { return nil }
        self = .classicKey(
            address, Bond(isSecureConnections: type == 7 || type == 8, isAuthenticated: type == 5 || type == 8))
    }

    /// Store hint 1, address 6, address type 1, key type 1, role 1, size 1, EDIV 2, random 8, key 16.
    private init?(longTermKey reader: inout LittleEndianReader) {
        guard reader.skip(1), let address = reader.leAddress(), let type = reader.uint8(), reader.skip(28) else {
            return nil
        }
        switch type {
        case 0: self = .bonded(address, Bond(isSecureConnections: false, isAuthenticated: false))
        case 1: self = .bonded(address, Bond(isSecureConnections: false, isAuthenticated: true))
        case 2: self = .bonded(address, Bond(isSecureConnections: true, isAuthenticated: false))
        case 3: self = .bonded(address, Bond(isSecureConnections: true, isAuthenticated: true))
        default: return nil
        }
    }
}

/// Reads fields from bytes and checks every length.
struct LittleEndianReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var count: Int { rest.count }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        // A length in the packet may be too small for its content.
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }
    mutating func uint8() -> UInt8? { rest.popFirst() }
    mutating func uint16() -> UInt16? { bytes(2).map { UInt16($0[0]) | UInt16($0[1]) << 8 } }

    /// Six bytes, least significant first.
    mutating func address() -> DeviceAddress? { bytes(6).flatMap { DeviceAddress(bytes: $0.reversed()) } }

    /// Six bytes, least significant first, then the address type; nil for a BR/EDR address.
    mutating func leAddress() -> DeviceAddress? {
        guard let address = address(), let type = uint8(), type == 1 || type == 2 else { return nil }
        return address
    }
}
