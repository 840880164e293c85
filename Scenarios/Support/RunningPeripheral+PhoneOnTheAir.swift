import CoreBluetooth
import HIL

extension RunningPeripheral {
    /// The phones that have paired, in order.
    var bondedPhones: [DeviceAddress] {
        events.events.compactMap { if case .bonded(let phone, _) = $0 { phone } else { nil } }
    }

    /// The phones that have connected, in order.
    func connectedPhones(since mark: EventLog<PeripheralEvent>.Mark) -> [DeviceAddress] {
        let pattern = EventPattern<PeripheralEvent, DeviceAddress>("a phone to connect") {
            if case .connected(let phone) = $0 { phone } else { nil }
        }
        return events.all(pattern, since: mark)
    }
}
