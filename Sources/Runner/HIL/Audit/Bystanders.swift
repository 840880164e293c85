import HILBluetoothHost
import RadioModel

/// The devices near an accessory that nobody attacks: the phone, and the neighbours that the scenario added to the air.
struct Bystanders: Sendable {
    /// The phone's identity; nil if nothing here knows it.
    private let phone: DeviceIdentity?
    private let air: AirHandle

    @MainActor
    init(near lab: Lab) { (phone, air) = (lab.phoneIdentity, lab.air) }

    init(phone: DeviceIdentity?, air: AirHandle) { (self.phone, self.air) = (phone, air) }

    /// Whether one of them advertises with this address.
    func include(_ device: PeerAddress) -> Bool {
        if air.neighbours.withLock({ $0.contains(device.address) }) { return true }
        guard let phone else { return false }
        return device == phone.address
            || ResolvablePrivateAddress(device)?.isMade(with: phone.resolvingKey) == true
    }
}
