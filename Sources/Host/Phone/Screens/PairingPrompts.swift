import BoardProtocol
import RadioModel
import Synchronization

/// The prompts that ask the person to compare numbers during pairing.
///
/// A picker may have started the pairing, or an app that accessed a protected characteristic.
final class PairingPrompts: PhoneComponent {
    private unowned let phone: Phone
    private let shown = Mutex<[DeviceAddress: Display.Token]>([:])

    init(phone: Phone) { self.phone = phone }

    func receive(_ event: RadioEvent) {
        switch event {
        case .confirmPasskey(let device, let passkey): ask(device, passkey)
        case .addressChanged(let old, let new):
            shown.withLock { if let token = $0.removeValue(forKey: old) { $0[new] = token } }
        case .bonded(let device, _), .disconnected(let device, _): close(device)
        case .bluetoothPower(false): closeAll()
        default: break
        }
    }

    private func ask(_ device: DeviceAddress, _ passkey: UInt32) {
        close(device)
        // The radio sent this event before it was switched off.
        guard phone.bluetoothIsOn else { return }
        let digits = String(repeating: "0", count: max(0, 6 - String(passkey).count)) + String(passkey)
        let screen = Screen(
            .passkey, title: "Bluetooth Pairing Request",
            lines: ["Confirm that the code “\(digits)” is shown on the accessory."],
            controls: [.confirmPasskey, .refusePasskey], willing: .confirmPasskey)
        let token = phone.display.present(screen) { [weak self] action in
            self?.answer(device, accept: action == .confirmPasskey)
        }
        // The person may have answered at once; then the prompt is not kept.
        shown.withLock { $0[device] = token }
        if !phone.display.isWaiting(token) { close(device) }
    }

    private func answer(_ device: DeviceAddress, accept: Bool) {
        Task { [phone] in
            close(device)
            do { try await phone.radio.answerPairing(device, accept: accept) } catch {
                // The pairing itself fails as well, and its caller gets the reason.
                phone.note(error, during: "answering \(device)", by: "pairing")
            }
        }
    }

    /// Removes all prompts, because Bluetooth is off.
    func closeAll() { for device in shown.withLock({ Array($0.keys) }) { close(device) } }

    /// Removes the prompt of a pairing that has ended, if there is one.
    func close(_ device: DeviceAddress) {
        if let token = shown.withLock({ $0.removeValue(forKey: device) }) { phone.display.dismiss(token) }
    }
}
