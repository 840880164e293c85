import Foundation
import RadioModel

/// A peripheral as a central manager presents it.
public struct KnownPeripheral: Sendable, Hashable {
    public var identifier: UUID
    /// The name heard over the air, else the one it has on the phone.
    public var name: String?
}

/// What a central manager asks of the phone's Bluetooth.
public enum CentralRequest: Sendable {
    case scan(services: [BluetoothUUID]?, allowDuplicates: Bool)
    case stopScan
    case connect(UUID, ConnectionOptions = ConnectionOptions())
    /// Ends a connection, or an attempt at one.
    case cancel(UUID)
    case gatt(UUID, GATTRequest)
    /// To be told when peripherals connect to the phone and leave it, whoever asked for that; nil for no longer.
    case watchConnections(ConnectionFilter?)
}

/// How an app wants a connection.
public struct ConnectionOptions: Sendable, Hashable {
    /// Whether the phone connects again by itself when the link is lost.
    public var reconnects = false

    public init() {}
}

/// Of which peripherals an app wants to hear that they connect; nil is any.
public struct ConnectionFilter: Sendable, Hashable {
    public var peripherals: Set<UUID>?
    /// They must offer one of them.
    public var services: Set<BluetoothUUID>?

    public init(peripherals: Set<UUID>? = nil, services: Set<BluetoothUUID>? = nil) {
        self.peripherals = peripherals
        self.services = services
    }

    func matches(_ peripheral: UUID, offering offered: Set<BluetoothUUID>) -> Bool {
        peripherals?.contains(peripheral) != false && services?.isDisjoint(with: offered) != true
    }
}

/// What a central manager had when the system ended its app, and still has.
public struct RestoredState: Sendable {
    /// The peripherals, and the ATT MTU of those that are connected.
    public var peripherals: [(peripheral: KnownPeripheral, mtu: Int?)] = []
    /// What was scanned for, if a scan was going on: the services, or any.
    public var scan: (services: [BluetoothUUID]?, allowDuplicates: Bool)?
}

/// What a central manager asks of a connected peripheral; answered in order, one at a time.
public enum GATTRequest: Sendable {
    /// Nil asks for all.
    case services([BluetoothUUID]?)
    /// Of the service with this handle; nil asks for all.
    case characteristics(service: UInt16, [BluetoothUUID]?)
    case read(CharacteristicID)
    case write(CharacteristicID, Data, withResponse: Bool)
    case setNotifying(CharacteristicID, Bool)
    /// Of the service with this handle; nil asks for all.
    case includedServices(service: UInt16, [BluetoothUUID]?)
    case descriptors(CharacteristicID)
    case readDescriptor(DescriptorID)
    case writeDescriptor(DescriptorID, Data)
    /// How strongly it is heard.
    case signal
}

/// What the phone's Bluetooth tells a central manager.
public enum CentralEvent: Sendable {
    /// Whether the app can use Bluetooth.
    public enum Power: Sendable, Hashable {
        case on
        /// Switched off, or the app has no accessory (C1).
        case off
        /// The person does not let the app use Bluetooth.
        case unauthorized
    }

    /// Off also ends every connection and the scan.
    case power(Power)
    /// Before anything else, to a manager that takes over from one of an app that the system had ended.
    case restored(RestoredState)
    case discovered(KnownPeripheral, Advertisement)
    /// With the ATT MTU in bytes.
    case connected(UUID, mtu: Int)
    case failedToConnect(UUID, CentralFailure)
    /// Without a failure when the app asked for it.
    case disconnected(UUID, CentralFailure?, isReconnecting: Bool = false)
    /// A peripheral connected to the phone, or left it.
    case connectionChanged(KnownPeripheral, isConnected: Bool)
    case gatt(UUID, GATTAnswer)
}

/// What a peripheral answered or told.
public enum GATTAnswer: Sendable {
    /// Everything that the peripheral has, and what was asked for.
    case services(wanted: [BluetoothUUID]?, Result<[GATTService], CentralFailure>)
    case characteristics(service: UInt16, wanted: [BluetoothUUID]?)
    /// Read, or notified.
    case value(CharacteristicID, Result<Data, CentralFailure>)
    /// A write with response was answered.
    case written(CharacteristicID, CentralFailure?)
    /// A write without response has left the phone.
    case sent
    case notifying(CharacteristicID, isOn: Bool, CentralFailure?)
    case includedServices(service: UInt16, wanted: [BluetoothUUID]?)
    case descriptors(CharacteristicID)
    case descriptorValue(DescriptorID, Result<Data, CentralFailure>)
    case descriptorWritten(DescriptorID, CentralFailure?)
    /// dBm.
    case signal(Result<Int, CentralFailure>)
    /// What was discovered is no longer valid.
    case servicesChanged
}

/// Why Bluetooth did not do what was asked.
public enum CentralFailure: Error, Sendable, Hashable {
    /// The attribute server's error; Core Specification, Vol 3, Part F, 3.4.1.1.
    case attribute(UInt8)
    case connectionFailed
    /// The link was lost: nothing was heard until the supervision timeout.
    case linkLost
    /// The peripheral ended the connection, or it may no longer be used.
    case peripheralDisconnected
    case notConnected
    case other(String)

    init(_ error: any Error) {
        switch error as? RadioError {
        case .attribute(let code): self = .attribute(code)
        case .notConnected: self = .notConnected
        case .connectionFailed, .unknownDevice, .bluetoothOff: self = .connectionFailed
        default: self = .other("\(error)")
        }
    }
}
