import BoardProtocol
import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An accessory as data: its content on the air, without its own program.
package struct PeripheralDeclaration: Sendable, Hashable, Codable {
    /// Its advertisement; nil to advertise nothing.
    package var advertising: PeripheralAdvertising?
    package var services: [PeripheralService]
    package var pairing: PeripheralPairing
    /// Whether its LE address is private, so that only paired phones can resolve it.
    package var hasPrivateAddress: Bool
    /// The port (PSM) of an L2CAP channel over classic Bluetooth for paired phones; nil for LE only.
    package var classicPort: UInt16?
    /// The networks that its access point opens.
    package var networks: [NetworkConfiguration]
    /// The L2CAP channels over LE that it listens for.
    package var channels: [PeripheralChannel]
    /// The name that a phone reads over a link; empty for the board's.
    package var name: String
    /// The parameters that it requests from a phone; nil for those that suit any phone.
    package var connectionParameters: ConnectionParameters?
    /// The TCP ports that it serves on its networks.
    package var ports: [PeripheralPort]
    /// The servers that it reports to, while it is in a network of others.
    package var reports: [PeripheralReport] = []
    /// Whether it is a client of the services of phones that connect to it.
    package var usesPhone: Bool
    /// The services that it offers on its networks by Bonjour.
    package var bonjour: [BonjourService]
    /// The bands that its Wi-Fi radio knows.
    package var bands: Set<WiFiBand>

    package init(
        advertising: PeripheralAdvertising?, services: [PeripheralService] = [],
        pairing: PeripheralPairing = PeripheralPairing(), hasPrivateAddress: Bool = false, classicPort: UInt16? = nil,
        networks: [NetworkConfiguration] = [], channels: [PeripheralChannel] = [], name: String = "",
        connectionParameters: ConnectionParameters? = nil, ports: [PeripheralPort] = [], usesPhone: Bool = false,
        bonjour: [BonjourService] = [], bands: Set<WiFiBand> = .all
    ) {
        self.bands = bands
        self.usesPhone = usesPhone
        self.bonjour = bonjour
        self.name = name
        self.connectionParameters = connectionParameters
        self.ports = ports
        self.advertising = advertising
        self.services = services
        self.pairing = pairing
        self.hasPrivateAddress = hasPrivateAddress
        self.classicPort = classicPort
        self.networks = networks
        self.channels = channels
    }
}

/// The content of an accessory's advertisement. The name is in the scan response of 31 bytes. The other fields and the
/// flags (3 bytes) share one advertisement of 31 bytes (Core Specification 6.0, Vol 3, Part C, 11).
public struct PeripheralAdvertising: Sendable, Hashable, Codable {
    /// The local name; cut to 29 bytes.
    public var name: String
    /// The services that it announces.
    public var serviceUUIDs: [BluetoothUUID]
    /// The bytes after the company identifier, by company identifier.
    public var manufacturerData: [UInt16: Data]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Data]
    /// The services that it looks for on a phone.
    public var solicitedUUIDs: [BluetoothUUID]
    /// Bluetooth SIG Assigned Numbers, 2.6; nil to leave it out.
    public var appearance: UInt16?
    /// Whether the transmit power is advertised.
    public var includesTxPower: Bool
    /// Whether its flags leave out “BR/EDR Not Supported”, as on a device with classic Bluetooth. It takes effect when
    /// the accessory is switched on.
    public var claimsClassic: Bool

    /// Makes an advertisement; the properties say what each value means.
    public init(
        name: String, serviceUUIDs: [BluetoothUUID] = [], manufacturerData: [UInt16: Data] = [:],
        serviceData: [BluetoothUUID: Data] = [:], solicitedUUIDs: [BluetoothUUID] = [], appearance: UInt16? = nil,
        includesTxPower: Bool = false, claimsClassic: Bool = false
    ) {
        self.claimsClassic = claimsClassic
        self.name = name
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.solicitedUUIDs = solicitedUUIDs
        self.appearance = appearance
        self.includesTxPower = includesTxPower
    }
}

/// A GATT service of an accessory as data.
package struct PeripheralService: Sendable, Hashable, Codable {
    package var uuid: BluetoothUUID
    package var isPrimary: Bool
    /// The places of the included services in the accessory's list, counted from 0.
    package var included: [Int]
    package var characteristics: [PeripheralCharacteristic]

    package init(
        uuid: BluetoothUUID, isPrimary: Bool = true, included: [Int] = [],
        characteristics: [PeripheralCharacteristic] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.included = included
        self.characteristics = characteristics
    }
}

/// A GATT characteristic of an accessory as data.
package struct PeripheralCharacteristic: Sendable, Hashable, Codable {
    package var uuid: BluetoothUUID
    package var properties: GATTCharacteristic.Properties
    /// What a phone's link needs to read, to write and to subscribe.
    package var reading: LinkProtection
    package var writing: LinkProtection
    package var notifying: LinkProtection
    /// The value at power-on, at most 512 bytes.
    package var value: Data
    /// Whether the board or the scenario answers a read or a write of a phone.
    package var answering: PeripheralAnswering
    /// The values that it notifies automatically while a phone is subscribed; nil for none.
    package var schedule: PeripheralSchedule?
    package var descriptors: [PeripheralDescriptor]

    package init(
        uuid: BluetoothUUID, properties: GATTCharacteristic.Properties, reading: LinkProtection = .none,
        writing: LinkProtection = .none, notifying: LinkProtection = .none, value: Data = Data(),
        answering: PeripheralAnswering = PeripheralAnswering(), schedule: PeripheralSchedule? = nil,
        descriptors: [PeripheralDescriptor] = []
    ) {
        self.uuid = uuid
        self.properties = properties
        self.reading = reading
        self.writing = writing
        self.notifying = notifying
        self.value = value
        self.answering = answering
        self.schedule = schedule
        self.descriptors = descriptors
    }
}

/// Which accesses the scenario answers. The board answers all others with the kept value.
package struct PeripheralAnswering: Sendable, Hashable, Codable {
    package var reads: Bool
    package var writes: Bool

    package init(reads: Bool = false, writes: Bool = false) {
        self.reads = reads
        self.writes = writes
    }
}

/// Values that an accessory notifies in turn, from the first subscription to the end of the last one.
public struct PeripheralSchedule: Sendable, Hashable, Codable {
    /// The time before each value, in milliseconds; at least 1.
    package var milliseconds: Int
    /// At least one.
    package var values: [Data]
    /// Whether it begins again after the last value.
    package var repeats: Bool

    /// - Parameters:
    ///   - interval: The time before each value; at least 1 ms.
    ///   - values: At least one.
    ///   - repeats: Whether it begins again after the last value.
    public static func every(_ interval: Duration, _ values: [Data], repeats: Bool = true) -> PeripheralSchedule {
        let (seconds, attoseconds) = interval.components
        let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        return PeripheralSchedule(milliseconds: max(1, milliseconds), values: values, repeats: repeats)
    }

    init(milliseconds: Int, values: [Data], repeats: Bool) {
        self.milliseconds = milliseconds
        self.values = values
        self.repeats = repeats
    }
}

/// A descriptor of an accessory as data. Linux makes 2900 and 2902 itself.
package struct PeripheralDescriptor: Sendable, Hashable, Codable {
    package var uuid: BluetoothUUID
    package var value: Data
    package var isReadable: Bool
    package var isWritable: Bool
    package var protection: LinkProtection
    package var answering: PeripheralAnswering

    package init(
        uuid: BluetoothUUID, value: Data = Data(), isReadable: Bool = true, isWritable: Bool = false,
        protection: LinkProtection = .none, answering: PeripheralAnswering = PeripheralAnswering()
    ) {
        self.uuid = uuid
        self.value = value
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.protection = protection
        self.answering = answering
    }
}
