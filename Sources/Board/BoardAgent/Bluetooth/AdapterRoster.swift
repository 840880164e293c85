import BlueZ
import DBus
import RadioModel
import Synchronization

/// Which of a board's adapters belongs to which of its ``BluetoothBoard``s. bluetoothd and the kernel tell of all of them in one
/// place, by the numbers that the kernel gave them.
final class AdapterRoster: Sendable {
    private struct State {
        /// The boards of the adapters that were asked for; all else is the first one's.
        var further: [DeviceAddress: BluetoothBoard] = [:]
        /// By path. It stays for what is told of an adapter that is gone.
        var addresses: [String: DeviceAddress] = [:]
    }

    private let state = Mutex(State())

    /// From now on the adapter of this address is the board's.
    func add(_ board: BluetoothBoard, at address: DeviceAddress) { state.withLock { $0.further[address] = board } }

    /// Every board but the first.
    var further: [BluetoothBoard] {
        state.withLock { $0.further.values.sorted { $0.adapterID < $1.adapterID } }
    }

    /// Whether an address belongs to one of them.
    func isFurther(_ address: DeviceAddress) -> Bool { state.withLock { $0.further[address] != nil } }

    /// The board of the adapter that an object is or belongs to; nil is the first one.
    func owner(of path: String) -> BluetoothBoard? {
        guard let adapter = BluetoothDaemon.adapterPath(of: path) else { return nil }
        return state.withLock { state in state.addresses[adapter].flatMap { state.further[$0] } }
    }

    /// Notes where an adapter is.
    func note(_ address: DeviceAddress, at path: String) { state.withLock { $0.addresses[path] = address } }

    /// Notes what a change says of where an adapter is.
    func note(_ change: BusObjectTree.Change) {
        guard case .added(let path, let interfaces) = change,
            let address = interfaces[BlueZ.Interface.adapter]?["Address"]?.asString.flatMap({ DeviceAddress($0) })
        else { return }
        note(address, at: path)
    }
}
