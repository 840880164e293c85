import FoundationEssentials
import HILDBus
import HILPOSIX
import RadioModel

/// A GATT server: offers services through bluetoothd.
///
/// Source: BlueZ 5.82, `doc/org.bluez.GattManager.rst`, `doc/org.bluez.GattCharacteristic.rst`.
package final class GATTServer: Sendable {
    private let root: String
    private let hasServices: Bool
    private let daemon: BluetoothDaemon
    private let paths: [AttributePlace: String]
    /// The place of the first characteristic with a UUID.
    private let places: [BluetoothUUID: AttributePlace]
    /// The sockets of the characteristics that are notified often.
    private let sockets: [AttributePlace: NotifySocket]

    /// Puts the services on the bus. Call ``register(with:within:)`` to offer them.
    ///
    /// - Parameter name: One word, not used by another server of this program.
    package init(
        _ services: [LocalService], of daemon: BluetoothDaemon, named name: String, handler: GATTServerHandler
    ) {
        self.daemon = daemon
        hasServices = !services.isEmpty
        let root = "/hil/gatt_\(name)"
        self.root = root
        var paths: [AttributePlace: String] = [:]
        var places: [BluetoothUUID: AttributePlace] = [:]
        var sockets: [AttributePlace: NotifySocket] = [:]
        daemon.connection.export(BusObject([:], managesObjects: true), at: root)
        let positions = Self.positions(includes: services.map(\.included))
        func path(ofService number: Int) -> String { "\(root)/service\(Self.digits(positions[number]))" }
        for (number, service) in services.enumerated() {
            let path = path(ofService: number)
            daemon.connection.export(
                Self.object(service, including: service.included.map(path(ofService:))), at: path)
            for (index, characteristic) in service.characteristics.enumerated() {
                let place = AttributePlace(service: number, characteristic: index)
                let attribute = LocalAttribute(uuid: characteristic.uuid, place: place)
                let own = "\(path)/char\(Self.digits(index))"
                paths[place] = own
                if places[characteristic.uuid] == nil { places[characteristic.uuid] = place }
                let socket = characteristic.isNotifiedOften ? NotifySocket() : nil
                sockets[place] = socket
                let peers = Peers(of: daemon, handler)
                daemon.connection.export(Self.object(characteristic, attribute, of: path, socket, peers), at: own)
                for (index, descriptor) in characteristic.descriptors.enumerated() {
                    let place = AttributePlace(
                        service: place.service, characteristic: place.characteristic, descriptor: index)
                    let attribute = LocalAttribute(uuid: descriptor.uuid, place: place)
                    daemon.connection.export(
                        Self.object(descriptor, attribute, of: own, peers), at: "\(own)/desc\(Self.digits(index))")
                }
            }
        }
        self.paths = paths
        self.places = places
        self.sockets = sockets
    }

    /// Where each service comes in bluetoothd's table: in the given order, except that a service comes after those that it
    /// includes, because bluetoothd leaves out an included service that it does not know yet.
    ///
    /// - Parameter includes: The places of the services that each service includes. Those of services that include each
    ///   other keep the given order.
    static func positions(includes: [[Int]]) -> [Int] {
        var positions = [Int?](repeating: nil, count: includes.count)
        var next = 0
        var isVisiting = Set<Int>()
        func place(_ number: Int) {
            guard positions[number] == nil, isVisiting.insert(number).inserted else { return }
            for other in includes[number] where includes.indices.contains(other) { place(other) }
            positions[number] = next
            next += 1
        }
        for number in includes.indices { place(number) }
        return positions.map { $0 ?? 0 }
    }

    /// A number in a path. bluetoothd takes objects in the order of their paths, so all numbers have the same length.
    private static func digits(_ number: Int) -> String { number.padded(to: 4) }

    /// Makes bluetoothd offer the services. Does nothing without services: bluetoothd refuses an empty application.
    package func register(with adapter: Adapter, within limit: Duration) async throws(BusError) {
        guard hasServices else { return }
        do throws(BusError) {
            try await adapter.call(
                "RegisterApplication", of: BlueZ.Interface.gattManager, [.path(root), .properties([:])],
                within: limit)
        } catch { guard error.name == BlueZ.ErrorName.alreadyExists else { throw error } }
    }

    /// Withdraws the services. Does no harm if they are not offered.
    package func unregister(from adapter: Adapter, within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await adapter.call(
                "UnregisterApplication", of: BlueZ.Interface.gattManager, [.path(root)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.doesNotExist else { throw error } }
    }

    /// Removes the services from the bus. Call ``unregister(from:within:)`` first.
    package func remove() { daemon.connection.unexport(root) }

    /// Notifies a value of the first characteristic with this UUID; see ``notify(_:at:)``.
    package func notify(_ value: Data, of characteristic: BluetoothUUID) {
        if let place = places[characteristic] { notify(value, at: place) }
    }

    /// Notifies a value to every peer that subscribed. Does nothing if the characteristic is not on this server.
    ///
    /// bluetoothd cuts a value that is longer than the link's MTU − 3.
    package func notify(_ value: Data, at place: AttributePlace) {
        guard let path = paths[place], sockets[place]?.send(value) != true else { return }
        // The path and the values are made here and are valid.
        try? daemon.connection.emit(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", on: path,
            [
                .string(BlueZ.Interface.characteristic), .properties(["Value": .bytes(Array(value))]),
                .strings([]),
            ])
    }
}
