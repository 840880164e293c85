import Foundation
import HostRadio
import RadioModel

/// A peripheral's identifier and name, as a central manager shows them to the app.
package struct KnownPeripheral: Sendable, Hashable {
    package var identifier: UUID
    /// The name from its advertisements, otherwise its name on the phone; nil if it has neither.
    package var name: String?
}

/// A central manager's request to the phone's Bluetooth. Peripherals are named by their identifiers.
package enum CentralRequest: Sendable {
    /// Nil or no services: reports every peripheral that the app may use. With solicited services: only those that look for
    /// one of them on the phone.
    case scan(services: [BluetoothUUID]?, allowDuplicates: Bool, soliciting: Set<BluetoothUUID>? = nil)
    case stopScan
    case connect(UUID, ConnectionOptions = ConnectionOptions())
    /// Ends a connection, or an attempt at one.
    case cancel(UUID)
    case gatt(UUID, GATTRequest)
    /// Reports from now on when peripherals connect to the phone or disconnect, whichever app caused it; nil ends this.
    case watchConnections(ConnectionFilter?)
}

/// The options of an app's connection.
package struct ConnectionOptions: Sendable, Hashable {
    /// Whether the phone connects again automatically when the link is lost.
    package var reconnects = false
    /// Whether the person must let the peripheral have the phone's notifications by Apple Notification Center Service (C24).
    package var requiresSharing = false

    package init() {}
}

/// Selects the peripherals whose connections are reported to an app.
package struct ConnectionFilter: Sendable, Hashable {
    /// Only these peripherals; nil selects any.
    package var peripherals: Set<UUID>?
    /// Only peripherals that offer one of these services; nil selects any.
    package var services: Set<BluetoothUUID>?

    package init(peripherals: Set<UUID>? = nil, services: Set<BluetoothUUID>? = nil) {
        self.peripherals = peripherals
        self.services = services
    }

    func matches(_ peripheral: UUID, offering offered: Set<BluetoothUUID>) -> Bool {
        peripherals?.contains(peripheral) != false && services?.isDisjoint(with: offered) != true
    }
}

/// The connections and the scan that a central manager had when the system ended its app. They are still active.
package struct RestoredState: Sendable {
    package var peripherals: [RestoredPeripheral] = []
    /// The running scan, if there is one.
    var scan: CentralCore.Scan?
    /// The services of the running scan; nil for any, or without a scan.
    package var scannedServices: [BluetoothUUID]? { scan?.services }
    /// Whether the running scan reports every advertisement; nil without a scan.
    package var scanAllowsDuplicates: Bool? { scan?.allowDuplicates }
}

/// A peripheral that a central manager was connected to, or was connecting to, when the system ended its app.
package struct RestoredPeripheral: Sendable {
    package var peripheral: KnownPeripheral
    /// The ATT MTU in bytes; nil while it is not connected.
    package var mtu: Int?
    /// The answers to the discoveries of the app that was ended, in order.
    package var discoveries: [GATTAnswer] = []
    /// The characteristics that the app was subscribed to, and still is.
    package var subscriptions: Set<CharacteristicID> = []
}

/// A central manager's request to a connected peripheral. Requests are answered in order, one at a time.
package enum GATTRequest: Sendable {
    /// Nil asks for all services.
    case services([BluetoothUUID]?)
    /// Characteristics of the service with this handle; nil asks for all.
    case characteristics(service: UInt16, [BluetoothUUID]?)
    case read(CharacteristicID)
    case write(CharacteristicID, Data, withResponse: Bool)
    case setNotifying(CharacteristicID, Bool)
    /// Included services of the service with this handle; nil asks for all.
    case includedServices(service: UInt16, [BluetoothUUID]?)
    case descriptors(CharacteristicID)
    case readDescriptor(DescriptorID)
    case writeDescriptor(DescriptorID, Data)
    /// The signal strength at which the phone receives the peripheral.
    case signal
    /// Opens an L2CAP channel at this port (PSM).
    case openChannel(UInt16)
}

/// An event from the phone's Bluetooth for a central manager.
package enum CentralEvent: Sendable {
    /// Whether the app can use Bluetooth.
    package enum Power: Sendable, Hashable {
        case on
        /// Switched off, or the app has no accessory (C1).
        case off
        /// The person does not let the app use Bluetooth.
        case unauthorized
    }

    /// The state changed. Off also ends every connection and the scan.
    case power(Power)
    /// The first event of a central manager that takes over from one whose app the system ended. The events that the app
    /// has missed follow after the state.
    case restored(RestoredState)
    case discovered(KnownPeripheral, Advertisement)
    /// The ATT MTU of this moment is in bytes: its exchange may be still under way.
    case connected(UUID, mtu: Int)
    /// The ATT MTU of a connection has changed, in bytes.
    case mtuChanged(UUID, Int)
    case failedToConnect(UUID, CentralFailure)
    /// The failure is nil if the app cancelled the connection.
    case disconnected(UUID, CentralFailure?, isReconnecting: Bool = false)
    /// The peripheral's own name was read: its Device Name, 2A00.
    case renamed(UUID, String)
    /// The person lets a connected peripheral have the phone's notifications, or does so no longer (C23).
    case sharingChanged(UUID)
    /// A peripheral connected to the phone, or disconnected from it.
    case connectionChanged(KnownPeripheral, isConnected: Bool)
    case gatt(UUID, GATTAnswer)

    /// Whether it is about a peripheral, not about the phone.
    package var isOfPeripheral: Bool {
        switch self {
        case .power, .restored: false
        default: true
        }
    }
}

/// A peripheral's answer to a request, or a value or change that it reported.
package enum GATTAnswer: Sendable {
    /// The services with the UUIDs that were asked for, without their contents.
    case services(wanted: [BluetoothUUID]?, Result<[GATTService], CentralFailure>)
    /// The characteristics of a service, without their descriptors.
    case characteristics(
        service: UInt16, wanted: [BluetoothUUID]?, Result<[GATTCharacteristic], CentralFailure>)
    /// A value that was read or notified.
    case value(CharacteristicID, Result<Data, CentralFailure>)
    /// The answer to a write with response.
    case written(CharacteristicID, CentralFailure?)
    /// A write without response has left the phone.
    case sent
    case notifying(CharacteristicID, isOn: Bool, CentralFailure?)
    /// Services that a service includes, without their contents.
    case includedServices(service: UInt16, wanted: [BluetoothUUID]?, Result<[GATTService], CentralFailure>)
    case descriptors(CharacteristicID, Result<[GATTDescriptor], CentralFailure>)
    case descriptorValue(DescriptorID, Result<Data, CentralFailure>)
    case descriptorWritten(DescriptorID, CentralFailure?)
    /// The signal strength in dBm.
    case signal(Result<Int, CentralFailure>)
    /// The answer to opening an L2CAP channel.
    case channel(UInt16, Result<any RadioChannel, CentralFailure>)
    /// The discovered services are no longer valid.
    case servicesChanged

    /// The answer to a request that failed.
    init(_ request: GATTRequest, failed failure: CentralFailure) {
        switch request {
        case .services(let wanted): self = .services(wanted: wanted, .failure(failure))
        case .characteristics(let service, let wanted):
            self = .characteristics(service: service, wanted: wanted, .failure(failure))
        case .read(let characteristic): self = .value(characteristic, .failure(failure))
        case .write(let characteristic, _, let withResponse):
            self = withResponse ? .written(characteristic, failure) : .sent
        case .setNotifying(let characteristic, let isOn): self = .notifying(characteristic, isOn: isOn, failure)
        case .includedServices(let service, let wanted):
            self = .includedServices(service: service, wanted: wanted, .failure(failure))
        case .descriptors(let characteristic): self = .descriptors(characteristic, .failure(failure))
        case .readDescriptor(let descriptor): self = .descriptorValue(descriptor, .failure(failure))
        case .writeDescriptor(let descriptor, _): self = .descriptorWritten(descriptor, failure)
        case .signal: self = .signal(.failure(failure))
        case .openChannel(let port): self = .channel(port, .failure(failure))
        }
    }

    /// Why the request failed; nil if it did not.
    var failure: CentralFailure? {
        switch self {
        case .services(_, let result): result.failure
        case .characteristics(_, _, let result): result.failure
        case .includedServices(_, _, let result): result.failure
        case .value(_, let result), .descriptorValue(_, let result): result.failure
        case .descriptors(_, let result): result.failure
        case .signal(let result): result.failure
        case .channel(_, let result): result.failure
        case .written(_, let failure), .notifying(_, _, let failure), .descriptorWritten(_, let failure): failure
        case .sent, .servicesChanged: nil
        }
    }
}

/// Why a Bluetooth operation failed.
package enum CentralFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The attribute server's error code: Core Specification, Vol 3, Part F, 3.4.1.1.
    case attribute(UInt8)
    case connectionFailed
    /// The link was lost: nothing was heard until the supervision timeout.
    case linkLost
    /// The peripheral ended the connection, or the app may no longer use the peripheral.
    case peripheralDisconnected
    case notConnected
    /// The peripheral no longer has the key of the bond that this phone has.
    case peerRemovedPairing
    /// The peripheral did not answer a request in time or in the form of the protocol, and the phone ends the link.
    case requestFailed(String)
    case other(String)

    package var description: String {
        switch self {
        case .attribute(let code): AttributeErrorName.text(of: code)
        case .connectionFailed: "the connection could not be made"
        case .linkLost: "the link was lost"
        case .peripheralDisconnected: "the peripheral has disconnected"
        case .notConnected: "there is no connection"
        case .peerRemovedPairing: "the peripheral has removed the pairing"
        case .requestFailed(let what), .other(let what): what
        }
    }

    package init(_ error: any Error) {
        switch error as? RadioError {
        case .attribute(let code): self = .attribute(code)
        case .notConnected: self = .notConnected
        case .connectionFailed(let reason) where CentralFailure(linkEndedBecause: reason) == .peerRemovedPairing:
            self = .peerRemovedPairing
        case .attributeProtocol(let what): self = .requestFailed(what)
        case .connectionFailed, .unknownDevice, .bluetoothOff: self = .connectionFailed
        default: self = .other("\(error)")
        }
    }

    /// - Parameter reason: The radio's reason for the end of a link.
    init(linkEndedBecause reason: String) {
        let reason = reason.lowercased()
        if ["timeout", "timed out"].contains(where: reason.contains) {
            self = .linkLost
        } else if reason.contains("authentication failed") {
            // The radio has started encryption with the key of the bond, and the peripheral has no such key.
            self = .peerRemovedPairing
        } else {
            self = .peripheralDisconnected
        }
    }
}
