import PeripheralModel
import RadioModel

// What the app's peripheral managers advertise: only one content at a time is on the air (C22).
extension PhonePeripheral {
    /// Advertises, or stops.
    ///
    /// Of several managers, the first is on the air. The app hears no error for the others: lionheart/openradar-mirror#21136.
    package func advertise(_ content: PeripheralAdvertising?, of id: ClientID) {
        let (before, now) = state.withLock { state in
            let before = state.advertisements.first
            state.advertisements.removeAll { $0.client == id }
            if let content { state.advertisements.append((id, content)) }
            return (before, state.advertisements.first)
        }
        guard content != nil else {
            guard before?.client == id else { return }
            return perform(.advertise(now?.content), "advertising") { _ in }
        }
        guard now?.client == id else {
            phone.warn(of: .secondAdvertisement)
            return tell(.advertising(nil), to: id)
        }
        perform(.advertise(content), "advertising") { [weak self] error in
            if error != nil { self?.state.withLock { $0.advertisements.removeAll { $0.client == id } } }
            self?.tell(.advertising(error), to: id)
        }
    }

    /// Advertises again after Bluetooth was off, which only pauses it (`CBPeripheralManagerDelegate.h`).
    func resumeAdvertising() {
        guard let content = state.withLock({ $0.advertisements.first?.content }) else { return }
        perform(.advertise(content), "advertising again") { _ in }
    }
}
