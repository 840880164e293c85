import RadioModel

/// The identity addresses of bonded devices, by the private addresses at which apps and screens first knew them.
struct Identities {
    private var known: [DeviceAddress: DeviceAddress] = [:]

    /// A device told its identity when it paired.
    mutating func identify(_ device: DeviceAddress, as identity: DeviceAddress) { known[device] = identity }

    /// Without its bond, a device is only what its address says. It may still have a private address of before.
    mutating func forget(_ identity: DeviceAddress) { known = known.filter { $0.value != identity } }

    /// The address by which the host stack knows a device.
    func current(_ address: DeviceAddress) -> DeviceAddress { known[address] ?? address }
}
