/// Why a radio could not do what it was asked to.
///
/// Refusals by the peer and absences on the air are told apart from faults of the rig, because a verdict depends on it.
public enum RadioError: Error, Sendable, Hashable, Codable {
    /// The device is unknown to the radio or was never heard.
    case unknownDevice(DeviceAddress)
    /// The connection could not be made; the text is the controller's or the daemon's reason.
    case connectionFailed(String)
    /// There is no connection, or it was lost in the middle of this.
    case notConnected
    /// Pairing failed: the peer refused, the numbers differed, or it took too long.
    case pairingFailed(String)
    /// The peer's attribute server answered with an error; the code is of the Core Specification, Vol 3, Part F, 3.4.1.1.
    case attribute(code: UInt8)
    /// No network of that name was heard.
    case networkNotFound(ssid: String)
    /// The access point refused the key.
    case wrongPassphrase(ssid: String)
    /// The access point refused or did not finish the association.
    case associationFailed(ssid: String, reason: String)
    /// Associated, but no address came by DHCP.
    case noAddress(ssid: String)
    /// Nobody answered at an IP address.
    case noAnswer(String)
    /// A TCP connection could not be made, or was lost; the code is the `errno` of the board's kernel, Linux's numbers.
    case streamFailed(code: Int32, reason: String)
    /// The request makes no sense: a wrong length, a wrong order.
    case invalid(String)
    /// Bluetooth is off, or was switched off in the middle of this: a state of the phone, and nobody's fault.
    case bluetoothOff
    /// Wi-Fi is off, or was switched off in the middle of this: a state of the phone, and nobody's fault.
    case wifiOff
    /// The radio has no such ability; the text says which, and why.
    case unsupported(String)
    /// A fault of the rig: a daemon is gone, the agent is lost. Never the accessory's fault.
    case rig(String)
}

extension RadioError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownDevice(let address): "the device \(address) was never heard"
        case .connectionFailed(let reason): "the connection could not be made: \(reason)"
        case .notConnected: "there is no connection"
        case .pairingFailed(let reason): "pairing failed: \(reason)"
        case .attribute(let code): "the attribute server answered with error 0x\(Hex.text([code]))"
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
