import HILBlueZ
import RadioModel
import Synchronization

extension BluetoothBoard {
    /// State that the threads of the bus and of the management channel use.
    final class Shared: Sendable {
        struct State {
            var isDiscovering = false
            /// Whether a program of the board uses its Bluetooth, so that this agent and its accessory do not.
            var isSetAside = false
            /// Devices with a link.
            var links: Set<DeviceAddress> = []
            var filter = AdvertisementFilter<ContinuousClock.Instant>()
            /// Identity addresses by the private addresses that the devices had.
            var identities: [DeviceAddress: DeviceAddress] = [:]
            /// How strong the keys for classic Bluetooth are.
            var classicKeys: [DeviceAddress: Bond] = [:]
            /// Calls to the attribute servers of peers, to cancel when the link is lost.
            var calls: [DeviceAddress: [Int: @Sendable () -> Void]] = [:]
            var lastCall = 0
        }
        let state = Mutex(State())

        /// The current address of a device.
        func current(_ address: DeviceAddress) -> DeviceAddress { state.withLock { $0.identities[address] ?? address } }
    }
}
