import BoardProtocol
import Foundation
import PeripheralModel
import RadioModel

/// An accessory as data: services, values, answers, advertisement, pairing, networks and channels, without a program.
///
/// ```swift
/// let lamp = try await lab.accessory.powerOn(
///     .peripheral(
///         named: "Lamp 7",
///         services: [
///             .service("FF00", [
///                 .characteristic("FF01", [.read, .notify], value: [0]),
///                 .characteristic("FF02", .write, needs: .authenticated),
///             ])
///         ]))
/// ```
///
/// On the board it is real: Linux's Bluetooth stack offers, advertises and pairs as declared.
public struct Peripheral: Sendable {
    /// The name that it advertises.
    public var name: String
    /// What it advertises; nil for its name and its first primary service.
    public var advertising: PeripheralAdvertising?
    /// Its GATT services, in the order of their handles.
    public var services: [Service]
    /// How it pairs.
    public var pairing: PeripheralPairing
    /// Whether its LE address is private, so that only paired phones can resolve it.
    public var hasPrivateAddress: Bool
    /// The port (PSM) of an L2CAP channel over classic Bluetooth for paired phones; nil for LE only.
    public var classicPort: UInt16?
    /// The Wi-Fi networks that it opens when it starts.
    public var networks: [NetworkConfiguration]
    /// The L2CAP channels over LE that phones can open.
    public var channels: [Channel]
    /// The name that a phone reads over a link, the value of Device Name (2A00); nil for the advertised one.
    public var linkName: String?
    /// The shortest and the longest time between connection events, in milliseconds, that it requests when a phone
    /// connects with a different one; nil to accept any. Linux asks for it with the latency and the supervision timeout
    /// that the link has.
    public var connectionInterval: ClosedRange<Double>?
    /// The TCP ports that it serves on its networks.
    public var ports: [PeripheralPort] = []
    /// The servers that it reports to.
    package var reports: [PeripheralReport] = []
    /// Whether it is a client of the services of phones that connect to it, such as Apple Notification Center Service:
    /// then ``RunningPeripheral/readPhone(_:fileID:filePath:line:)`` and similar methods work on that link. Only for
    /// adapter 0.
    public var usesPhone = false
    /// The services that it offers on its networks by Bonjour, which are found by their type.
    public var bonjour: [BonjourService] = []
    /// The bands that its Wi-Fi radio knows: `[.band2GHz]` for most accessories. It does not hear a network in another band.
    public var bands = Set<WiFiBand>.all

    /// An accessory that is switched off.
    ///
    /// - Parameters:
    ///   - name: The name that it advertises.
    ///   - advertising: What it advertises; nil for the name and its first primary service.
    ///   - services: Its GATT services. Linux adds those of 1800 and 1801.
    ///   - pairing: How it pairs: `.numericComparison`, `.showsPasskey`, `.entersPasskey`, `.justWorks`, `.none`.
    ///   - hasPrivateAddress: Whether its LE address is private, so that only paired phones can resolve it.
    ///   - classicPort: The port (PSM) of an L2CAP channel over classic Bluetooth for paired phones; nil for LE only.
    ///   - networks: The networks that its access point opens.
    ///   - channels: The L2CAP channels over LE that it listens for.
    public static func peripheral(
        named name: String, advertising: PeripheralAdvertising? = nil, services: [Service] = [],
        pairing: PeripheralPairing = .numericComparison, hasPrivateAddress: Bool = false, classicPort: UInt16? = nil,
        networks: [NetworkConfiguration] = [], channels: [Channel] = []
    ) -> Peripheral {
        Peripheral(
            name: name, advertising: advertising, services: services, pairing: pairing,
            hasPrivateAddress: hasPrivateAddress, classicPort: classicPort, networks: networks, channels: channels)
    }

    /// The same, with another name over a link than the advertised one.
    public func linked(as name: String) -> Peripheral {
        var copy = self
        copy.linkName = name
        return copy
    }

    /// A GATT service.
    public struct Service: Sendable {
        /// `180F`, or 36 characters.
        public var uuid: String
        /// Whether phones discover it by itself, not only as part of another service.
        public var isPrimary: Bool
        /// The UUIDs of the services that it includes.
        public var included: [String]
        /// Its characteristics, in the order of their handles.
        public var characteristics: [Characteristic]

        /// - Parameters:
        ///   - uuid: `180F`, or 36 characters.
        ///   - included: The UUIDs of the services that it includes.
        public static func service(
            _ uuid: String, _ characteristics: [Characteristic] = [], isPrimary: Bool = true,
            including included: [String] = []
        ) -> Service {
            Service(uuid: uuid, isPrimary: isPrimary, included: included, characteristics: characteristics)
        }
    }

    /// Answers a read of a phone with the whole value. Throws an ``AccessRefusal`` to refuse it.
    public typealias Reading = @Sendable (PeripheralAccess) async throws -> Data
    /// Takes a value that a phone writes. Throws an ``AccessRefusal`` to refuse it. The board keeps the value.
    public typealias Writing = @Sendable (PeripheralAccess, Data) async throws -> Void

    /// A GATT characteristic.
    public struct Characteristic: Sendable {
        /// `2A19`, or 36 characters.
        public var uuid: String
        /// What phones can do with it.
        public var properties: GATTCharacteristic.Properties
        /// What the link must have before a phone reads.
        public var reading: LinkProtection
        /// What the link must have before a phone writes.
        public var writing: LinkProtection
        /// What the link must have before a phone subscribes.
        public var notifying: LinkProtection
        /// Its first value.
        public var value: [UInt8]
        /// The values that it notifies by itself; nil for none.
        public var schedule: PeripheralSchedule?
        /// Its descriptors, in the order of their handles.
        public var descriptors: [Descriptor]
        var onRead: Reading?
        var onWrite: Writing?

        /// - Parameters:
        ///   - uuid: `2A19`, or 36 characters.
        ///   - protection: What a phone's link needs to read, to write and to subscribe.
        ///   - value: The value at power-on, at most 512 bytes. The board keeps what a phone writes.
        ///   - schedule: What it notifies by itself while a phone is subscribed; nil for nothing.
        public static func characteristic(
            _ uuid: String, _ properties: GATTCharacteristic.Properties, needs protection: LinkProtection = .none,
            value: [UInt8] = [], schedule: PeripheralSchedule? = nil, descriptors: [Descriptor] = []
        ) -> Characteristic {
            Characteristic(
                uuid: uuid, properties: properties, reading: protection, writing: protection, notifying: protection,
                value: value, schedule: schedule, descriptors: descriptors)
        }

        /// The same, with reads answered by the scenario.
        public func onRead(_ answer: @escaping Reading) -> Characteristic {
            var copy = self
            copy.onRead = answer
            return copy
        }

        /// The same, with writes answered by the scenario.
        public func onWrite(_ answer: @escaping Writing) -> Characteristic {
            var copy = self
            copy.onWrite = answer
            return copy
        }

        /// The same, with its own protection of reading, writing and subscribing.
        public func needing(
            read: LinkProtection = .none, write: LinkProtection = .none, notify: LinkProtection = .none
        ) -> Characteristic {
            var copy = self
            (copy.reading, copy.writing, copy.notifying) = (read, write, notify)
            return copy
        }
    }

    /// A descriptor of a characteristic. Linux makes 2900 and 2902 automatically.
    public struct Descriptor: Sendable {
        /// `2901`, or 36 characters.
        public var uuid: String
        /// Its first value.
        public var value: [UInt8]
        /// Whether phones can write it.
        public var isWritable: Bool
        /// What the link must have before a phone reads or writes it.
        public var protection: LinkProtection

        /// Makes a descriptor; the properties say what each value means.
        public static func descriptor(
            _ uuid: String, value: [UInt8], isWritable: Bool = false, needs protection: LinkProtection = .none
        ) -> Descriptor {
            Descriptor(uuid: uuid, value: value, isWritable: isWritable, protection: protection)
        }

        /// A text about the characteristic for people, UUID 2901.
        public static func userDescription(_ text: String) -> Descriptor {
            .descriptor("2901", value: Array(text.utf8))
        }
    }

    /// An L2CAP channel over LE.
    public struct Channel: Sendable {
        /// The port (PSM), 0x80 to 0xFF; nil for one that the board chooses.
        public var port: UInt16?
        /// What the link must have before the channel opens.
        public var protection: LinkProtection
        /// Whether the accessory sends back what it receives.
        public var echoes: Bool

        /// - Parameters:
        ///   - port: The port (PSM), 0x80 to 0xFF.
        ///   - protection: What the link must have before the channel opens.
        ///   - echoes: Whether the accessory sends back what it receives.
        public static func channel(
            _ port: UInt16, needs protection: LinkProtection = .none, echoes: Bool = false
        ) -> Channel { Channel(port: port, protection: protection, echoes: echoes) }
    }
}

/// An access of a phone to an accessory as data.
public struct PeripheralAccess: Sendable {
    /// The accessory.
    public let peripheral: RunningPeripheral
    /// The phone; nil if the board does not know.
    public let phone: DeviceAddress?
    /// The offset in the value, in bytes. A read answers with the whole value in any case.
    public let offset: Int
    /// The ATT MTU of the link in bytes.
    public let mtu: Int
}

/// The refusal of a phone's access, with a code of the attribute protocol (Core Specification 6.0, Vol 3, Part F,
/// 3.4.1.1).
///
/// Linux sends 0x80 to 0x9F (application errors), and of the others 0x06, 0x07, 0x08, 0x0D, and 0xFE; any other becomes
/// another code.
public struct AccessRefusal: Error, Sendable, Hashable {
    /// The code of the attribute protocol.
    public var code: UInt8
    /// Refuses with this code.
    public init(_ code: UInt8) { self.code = code }
}
