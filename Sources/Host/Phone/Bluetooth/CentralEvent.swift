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
    case connect(UUID)
    /// Ends a connection, or an attempt at one.
    case cancel(UUID)
    case gatt(UUID, GATTRequest)
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
}

/// What the phone's Bluetooth tells a central manager.
public enum CentralEvent: Sendable {
    /// Whether the app can use Bluetooth.
    public enum Power: Sendable, Hashable {
        case on
        /// Switched off, or the app has no accessory (C1).
        case off
    }

    /// Off also ends every connection and the scan.
    case power(Power)
    case discovered(KnownPeripheral, Advertisement)
    /// With the ATT MTU in bytes.
    case connected(UUID, mtu: Int)
    case failedToConnect(UUID, CentralFailure)
    /// Without a failure when the app asked for it.
    case disconnected(UUID, CentralFailure?)
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
        case .connectionFailed, .unknownDevice: self = .connectionFailed
        default: self = .other("\(error)")
        }
    }
}
