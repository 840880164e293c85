import HILPOSIX
import RadioModel

extension RadioEvent: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .advertisement(let heard): "heard \(heard)"
        case .bluetoothPower(let isOn): "Bluetooth is \(isOn ? "on" : "off")"
        case .connected(let device): "\(device) is connected"
        case .disconnected(let device, let reason): "\(device) is disconnected: \(reason)"
        case .requestFailed(let device, let reason): "a request to \(device) failed: \(reason)"
        case .askPairing(let device): "\(device) would like to pair"
        case .confirmPasskey(let device, let passkey): "\(device) and the phone show \(passkey.padded(to: 6))"
        case .enterPasskey(let device): "\(device) shows a number to enter on the phone"
        case .showPasskey(let device, let passkey):
            "the phone shows \(passkey.padded(to: 6)) to enter on \(device)"
        case .bonded(let device, let bond): "\(device) is bonded (\(bond))"
        case .pairedOnce(let device, let bond): "\(device) has paired for this link only: it does not bond (\(bond))"
        case .pairingFailed(let device, let reason): "pairing with \(device) failed: \(reason)"
        case .addressChanged(let device, let identity): "\(device) is \(identity)"
        case .valueChanged(let device, let characteristic, let value):
            "\(device) sent \(Hex.withText(value)) from \(characteristic)"
        case .servicesChanged(let device): "the services of \(device) have changed"
        case .mtuChanged(let device, let mtu): "the MTU of the link to \(device) is \(mtu) bytes"
        case .parametersRequested(let device, let parameters): "\(device) asked for \(parameters)"
        case .noticed(let device, let text): device.map { "\($0): \(text)" } ?? text
        case .wifiLost(let ssid, let reason): "the network “\(ssid)” is lost: \(reason)"
        case .wifiPower(let isOn): "Wi-Fi is \(isOn ? "on" : "off")"
        case .wifiAware(let service): "heard the Wi-Fi Aware service \(service.name) of \(service.address)"
        }
    }
}
