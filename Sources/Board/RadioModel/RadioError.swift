/// Why an operation of a radio failed.
///
/// Refusals by the peer and devices out of range differ from faults of the rig, because the verdict of a test depends
/// on it.
public enum RadioError: Error, Sendable, Hashable, Codable {
    /// The radio does not know the device, or has never heard it.
    case unknownDevice(DeviceAddress)
    /// Connecting failed; the text is the reason of the controller or the daemon.
    case connectionFailed(String)
    /// There is no connection, or it was lost during the operation.
    case notConnected
    /// Pairing failed: the peer refused, the numbers differed, or it took too long.
    case pairingFailed(String)
    /// The peer's attribute server answered with an error code of the Core Specification, Vol 3, Part F, 3.4.1.1.
    case attribute(code: UInt8)
    /// The peer's attribute server did not answer in time, or broke the protocol.
    case attributeProtocol(String)
    /// No network of this name was found.
    case networkNotFound(ssid: String)
    /// The access point did not accept the key.
    case wrongPassphrase(ssid: String)
    /// The access point refused the association or did not finish it.
    case associationFailed(ssid: String, reason: String)
    /// The association succeeded, but DHCP gave no address.
    case noAddress(ssid: String)
    /// Nothing answered at an IP address.
    case noAnswer(String)
    /// A TCP connection failed or was lost; the code is an `errno` number of Linux, from the board's kernel.
    case streamFailed(code: Int32, reason: String)
    /// The request is not valid: a wrong length, or the wrong moment for it.
    case invalid(String)
    /// Bluetooth is off, or was switched off during the operation. This is a state of the phone, not a fault.
    case bluetoothOff
    /// Wi-Fi is off, or was switched off during the operation. This is a state of the phone, not a fault.
    case wifiOff
    /// The radio cannot do this; the text gives the details and the reason.
    case unsupported(String)
    /// A fault of the rig: a daemon has ended, or the agent is lost. The accessory is never the cause.
    case rig(String)
}

extension RadioError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownDevice(let address): "the device \(address) was never heard"
        case .connectionFailed(let reason): "the connection could not be made: \(reason)"
        case .notConnected: "there is no connection"
        case .pairingFailed(let reason): "pairing failed: \(reason)"
        case .attribute(let code): "the attribute server answered with \(AttributeErrorName.text(of: code))"
        case .attributeProtocol(let what): what
        case .networkNotFound(let ssid): "no network “\(ssid)” was heard"
        case .wrongPassphrase(let ssid): "the network “\(ssid)” refused the passphrase"
        case .associationFailed(let ssid, let reason): "the network “\(ssid)” could not be joined: \(reason)"
        case .noAddress(let ssid): "the network “\(ssid)” gave no address"
        case .noAnswer(let address): "nobody answered at \(address)"
        case .streamFailed(let code, let reason): "the TCP connection failed, error \(code): \(reason)"
        case .invalid(let why): why
        case .bluetoothOff: "Bluetooth is off"
        case .wifiOff: "Wi-Fi is off"
        case .unsupported(let what): what
        case .rig(let what): "rig: \(what)"
        }
    }
}
