import HILBluetoothHost
import RadioModel

/// The devices near an accessory that nobody attacks: the phone, and the neighbours that the scenario added to the air. On real
/// air it is everybody but the one device that is attacked.
struct Bystanders: Sendable {
    /// The device that is attacked on real air.
    struct Target: Sendable {
        /// The address at which it is known.
        let address: PeerAddress
        /// Whether somebody has heard it at that address, or has a bond with it.
        var isKnown = true
        /// Makes its private addresses; nil if it has none, or nobody knows it.
        var resolvingKey: Value128?

        /// Whether an address on the air is its own.
        func has(_ device: PeerAddress) -> Bool {
            guard device != address else { return true }
            guard let resolvingKey else { return false }
            return ResolvablePrivateAddress(device)?.isMade(with: resolvingKey) == true
        }
    }

    /// The only device that strangers may meet; nil on a simulated air.
    let target: Target?
    /// The phone's identity; nil if nothing here knows it.
    private let phone: DeviceIdentity?
    private let air: AirHandle

    @MainActor
    init(near lab: Lab, target: Target? = nil) {
        (phone, air, self.target) = (lab.phoneIdentity, lab.air, target)
    }

    /// Whether one of them advertises with this address.
    func include(_ device: PeerAddress) -> Bool {
        if let target { return !target.has(device) }
        if air.neighbours.withLock({ $0.contains(device.address) }) { return true }
        guard let phone else { return false }
        return device == phone.address
            || ResolvablePrivateAddress(device)?.isMade(with: phone.resolvingKey) == true
    }
}
