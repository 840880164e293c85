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
            /// Whether Bluetooth is being switched off. Then nothing new may start.
            var isGoingOff = false
            /// Whether bluetoothd is being restarted with other settings, which the phone must not notice.
            var isRestarting = false
            /// Devices with a link.
            var links: Set<DeviceAddress> = []
            var filter = AdvertisementFilter<ContinuousClock.Instant>()
            /// Identity addresses by the private addresses that the devices had.
            var identities: [DeviceAddress: DeviceAddress] = [:]
            /// How strong the keys for classic Bluetooth are.
            var classicKeys: [DeviceAddress: Bond] = [:]
            /// Pairings that wait for the person's answer.
            var questions: [DeviceAddress: PairingAgent.Answer] = [:]
            /// Pairings that wait for a number that the person enters.
            var entries: [DeviceAddress: PairingAgent.NumberAnswer] = [:]
            /// The object paths of connected devices whose services are discovered.
            var resolved: Set<String> = []
            /// Devices to forget when Bluetooth is on again.
            var toForget: Set<DeviceAddress> = []
            /// Calls to the attribute servers of peers, to cancel when the link is lost.
            var calls: [DeviceAddress: [Int: @Sendable () -> Void]] = [:]
            var lastCall = 0
        }
        let state = Mutex(State())

        /// Keeps a question for the person. Returns false if Bluetooth is being switched off: then it must not be
        /// asked.
        func ask(_ address: DeviceAddress, _ answer: PairingAgent.Answer) -> Bool {
            state.withLock { state in
                if !state.isGoingOff { state.questions[address] = answer }
                return !state.isGoingOff
            }
        }

        /// Keeps a question for a number, as above.
        func ask(_ address: DeviceAddress, _ answer: PairingAgent.NumberAnswer) -> Bool {
            state.withLock { state in
                if !state.isGoingOff { state.entries[address] = answer }
                return !state.isGoingOff
            }
        }

        /// The current address of a device.
        func current(_ address: DeviceAddress) -> DeviceAddress { state.withLock { $0.identities[address] ?? address } }
    }
}
