import HILBlueZ
import HILDBus
import RadioModel
import Synchronization

/// Knows which adapter belongs to which ``BluetoothBoard`` of the board.
///
/// bluetoothd and the kernel report on all adapters in one place, by numbers that the kernel chose.
final class AdapterRoster: Sendable {
    private struct State {
        /// The boards of the further adapters. All other adapters belong to the first board.
        var further: [DeviceAddress: BluetoothBoard] = [:]
        /// Addresses by object path. An entry stays when its adapter is gone, for late messages.
        var addresses: [String: DeviceAddress] = [:]
    }

    private let state = Mutex(State())

    /// From now on, the adapter with this address belongs to this board.
    func add(_ board: BluetoothBoard, at address: DeviceAddress) { state.withLock { $0.further[address] = board } }

    /// All boards except the first.
    var further: [BluetoothBoard] {
        state.withLock { $0.further.values.sorted { $0.adapterID.rawValue < $1.adapterID.rawValue } }
    }

    /// Whether the address belongs to a further adapter.
    func isFurther(_ address: DeviceAddress) -> Bool { state.withLock { $0.further[address] != nil } }

    /// The board of a controller of the kernel; nil for the first board.
    func owner(of controller: UInt16) -> BluetoothBoard? {
        further.first { $0.ownController == controller }
            ?? owner(of: BluetoothDaemon.adapterPath(ofController: controller))
    }

    /// The board of the adapter that an object of the shared bluetoothd is or belongs to; nil for the first board.
    func owner(of path: String) -> BluetoothBoard? {
        guard let adapter = BluetoothDaemon.adapterPath(of: path) else { return nil }
        return state.withLock { state in state.addresses[adapter].flatMap { state.further[$0] } }
    }

    /// Remembers the path of an adapter.
    func note(_ address: DeviceAddress, at path: String) { state.withLock { $0.addresses[path] = address } }

    /// Remembers the path of an adapter if the change contains one.
    func note(_ change: BusObjectTree.Change) {
        guard case .added(let path, let interfaces) = change,
            let address = interfaces[BlueZ.Interface.adapter]?["Address"]?.asString.flatMap({ DeviceAddress($0) })
        else { return }
        note(address, at: path)
    }
}
