import HILDBus
import RadioModel

/// The D-Bus names of bluetoothd.
///
/// Source: BlueZ 5.82, `doc/org.bluez.*.rst`.
package enum BlueZ {
    package static let service = "org.bluez"

    /// Interfaces of the objects of bluetoothd, and of objects that it calls.
    package enum Interface {
        package static let adapter = "org.bluez.Adapter1"
        package static let device = "org.bluez.Device1"
        package static let agentManager = "org.bluez.AgentManager1"
        package static let agent = "org.bluez.Agent1"
        package static let advertisingManager = "org.bluez.LEAdvertisingManager1"
        package static let advertisement = "org.bluez.LEAdvertisement1"
        package static let gattManager = "org.bluez.GattManager1"
        package static let service = "org.bluez.GattService1"
        package static let characteristic = "org.bluez.GattCharacteristic1"
        package static let descriptor = "org.bluez.GattDescriptor1"
    }

    /// Error names in replies of bluetoothd, and in replies to it.
    package enum ErrorName {
        package static let alreadyExists = "org.bluez.Error.AlreadyExists"
        package static let busy = "org.bluez.Error.Busy"
        package static let doesNotExist = "org.bluez.Error.DoesNotExist"
        package static let failed = "org.bluez.Error.Failed"
        package static let inProgress = "org.bluez.Error.InProgress"
        package static let invalidArguments = "org.bluez.Error.InvalidArguments"
        package static let notAuthorized = "org.bluez.Error.NotAuthorized"
        package static let notConnected = "org.bluez.Error.NotConnected"
        package static let notPermitted = "org.bluez.Error.NotPermitted"
        package static let notReady = "org.bluez.Error.NotReady"
        package static let notSupported = "org.bluez.Error.NotSupported"
        package static let rejected = "org.bluez.Error.Rejected"
        package static let improperlyConfigured = "org.bluez.Error.ImproperlyConfigured"
        package static let invalidOffset = "org.bluez.Error.InvalidOffset"
        package static let invalidValueLength = "org.bluez.Error.InvalidValueLength"
    }
}

extension RadioError {
    /// Converts an error of a connection attempt.
    package init(connecting error: BusError) {
        self = RadioError(common: error) ?? .connectionFailed(error.message.isEmpty ? error.name : error.message)
    }

    /// Converts an error of a characteristic's method.
    package init(attribute error: BusError) {
        if let common = RadioError(common: error) {
            self = common
        } else if error.message == "Not connected" || error.name == BlueZ.ErrorName.notConnected
            || error.name == BusError.Name.unknownObject || error.name == BusError.Name.unknownMethod
            || error.name == BusError.Name.cancelled
        {
            self = .notConnected
        } else {
            self = .attribute(code: AttributeErrorCode(of: error).rawValue)
        }
    }

    /// Converts errors that no peer can cause: faults of the rig, and Bluetooth that is off. Nil for others.
    private init?(common error: BusError) {
        switch error.name {
        case BusError.Name.noReply, BusError.Name.disconnected, BusError.Name.serviceUnknown, BusError.Name.noMemory:
            self = .rig("\(error)")
        case BlueZ.ErrorName.notReady: self = .bluetoothOff
        case BusError.Name.invalidArguments: self = .invalid("\(error)")
        default: return nil
        }
    }
}

/// An error code of the attribute protocol; Core Specification 6.0, Vol 3, Part F, 3.4.1.1.
package struct AttributeErrorCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readNotPermitted = AttributeErrorCode(rawValue: 0x02)
    package static let writeNotPermitted = AttributeErrorCode(rawValue: 0x03)
    package static let insufficientAuthentication = AttributeErrorCode(rawValue: 0x05)
    package static let requestNotSupported = AttributeErrorCode(rawValue: 0x06)
    package static let invalidOffset = AttributeErrorCode(rawValue: 0x07)
    package static let insufficientAuthorization = AttributeErrorCode(rawValue: 0x08)
    package static let invalidLength = AttributeErrorCode(rawValue: 0x0D)
    package static let unlikely = AttributeErrorCode(rawValue: 0x0E)
    package static let improperlyConfigured = AttributeErrorCode(rawValue: 0xFD)
    package static let procedureInProgress = AttributeErrorCode(rawValue: 0xFE)

    /// Finds the code for an error of bluetoothd, which keeps the number only for rare codes.
    init(of error: BusError) {
        switch (error.name, error.message) {
        case (BlueZ.ErrorName.notPermitted, "Read not permitted"): self = .readNotPermitted
        case (BlueZ.ErrorName.notPermitted, "Write not permitted"): self = .writeNotPermitted
        case (BlueZ.ErrorName.notPermitted, _): self = .insufficientAuthentication
        case (BlueZ.ErrorName.invalidArguments, "Invalid offset"): self = .invalidOffset
        case (BlueZ.ErrorName.invalidArguments, "Invalid Length"): self = .invalidLength
        case (BlueZ.ErrorName.notAuthorized, _): self = .insufficientAuthorization
        case (BlueZ.ErrorName.notSupported, _): self = .requestNotSupported
        default:
            let digits = error.message.utf8.suffix(2)
            let isNumbered = error.message.hasPrefix("Operation failed with ATT error: 0x")
            self = (isNumbered ? Hex.bytes(digits)?.first : nil).map(AttributeErrorCode.init) ?? .unlikely
        }
    }
}
