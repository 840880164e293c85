import BoardProtocol
import HILPOSIX
import HostRadio
import RadioModel
import Synchronization

/// The prompts that ask the person during a pairing: whether to pair, to compare numbers, to enter one.
///
/// A picker may have started the pairing, or an app that accessed a protected characteristic, or the accessory.
final class PairingPrompts: PhoneComponent {
    private unowned let phone: Phone
    private let shown = Mutex<[DeviceAddress: Display.Token]>([:])

    init(phone: Phone) { self.phone = phone }

    func receive(_ event: RadioEvent) {
        switch event {
        case .askPairing(let device):
            // In the picker the person has said already that she wants this accessory.
            guard !phone.part(AccessorySetup.self).isPairing(device) else { return agree(to: device) }
            let text = "“\(phone.bluetooth.name(of: device))” would like to pair with your iPhone."
            ask(device, .pairing, text, [.allow, .deny], willing: .allow) { radio, action in
                try await radio.answerPairing(device, accept: action == .allow)
            }
        case .confirmPasskey(let device, let passkey):
            let text = "Confirm that the code “\(passkey.padded(to: 6))” is shown on the accessory."
            ask(device, .passkey, text, [.confirmPasskey, .refusePasskey], willing: .confirmPasskey) { radio, action in
                try await radio.answerPairing(device, accept: action == .confirmPasskey)
            }
        case .enterPasskey(let device):
            let text = "Enter the code that is shown on the accessory."
            ask(device, .passkeyEntry, text, [.enterPasskey, .cancel]) { radio, action in
                if case .enterPasskey(let passkey) = action {
                    try await radio.enterPasskey(device, passkey)
                } else {
                    try await radio.enterPasskey(device, nil)
                }
            }
        case .showPasskey(let device, let passkey):
            let text = "Enter the code “\(passkey.padded(to: 6))” on the accessory."
            ask(device, .passkeyDisplay, text, [.cancel]) { radio, _ in try await radio.enterPasskey(device, nil) }
        case .addressChanged(let old, let new):
            shown.withLock { if let token = $0.removeValue(forKey: old) { $0[new] = token } }
        case .bonded(let device, _), .pairedOnce(let device, _), .pairingFailed(let device, _),
            .disconnected(let device, _):
            close(device)
        case .bluetoothPower(false): closeAll()
        default: break
        }
    }

    private func agree(to device: DeviceAddress) {
        Task { [phone] in
            do { try await phone.radio.answerPairing(device, accept: true) } catch {
                phone.note(error, during: "pairing with \(device)", by: "pairing")
            }
        }
    }

    private func ask(
        _ device: DeviceAddress, _ kind: Screen.Kind, _ text: String, _ controls: [PersonAction.Control],
        willing: PersonAction? = nil,
        _ answer: @escaping @Sendable (any HostRadio, PersonAction) async throws -> Void
    ) {
        close(device)
        // The radio sent this event before it was switched off.
        guard phone.bluetoothIsOn else { return }
        let screen = Screen(
            kind, title: "Bluetooth Pairing Request", lines: [text], controls: controls, willing: willing)
        let token = phone.display.present(screen) { [weak self] action in
            guard let self else { return }
            Task { [phone] in
                self.close(device)
                do { try await answer(phone.radio, action) } catch {
                    // The pairing itself fails as well, and its caller gets the reason.
                    phone.note(error, during: "answering \(device)", by: "pairing")
                }
            }
        }
        // The person may have answered at once; then the prompt is not kept.
        shown.withLock { $0[device] = token }
        if !phone.display.isWaiting(token) { close(device) }
    }

    /// Removes all prompts, because Bluetooth is off.
    func closeAll() { for device in shown.withLock({ Array($0.keys) }) { close(device) } }

    /// Removes the prompt of a pairing that has ended, if there is one.
    func close(_ device: DeviceAddress) {
        if let token = shown.withLock({ $0.removeValue(forKey: device) }) { phone.display.dismiss(token) }
    }
}
