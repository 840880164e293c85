import HILDBus
import HILTiming
import RadioModel

/// bluetoothd, as seen over the system bus: a copy of its objects, and its methods.
///
/// It may be created before bluetoothd starts, and it outlives it. When bluetoothd restarts, it has forgotten all
/// registrations: observe ``BusObjectTree/Change/serviceFound`` and register again.
package final class BluetoothDaemon: Sendable {
    package let connection: BusConnection
    /// The objects of bluetoothd.
    package let objects: BusObjectTree

    /// - Parameter observer: Called for every change of the objects, in order, on the connection's thread.
    package init(_ connection: BusConnection, observer: @escaping @Sendable (BusObjectTree.Change) -> Void) {
        self.connection = connection
        objects = BusObjectTree(of: BlueZ.service, on: connection, observer: observer)
    }

    /// Starts to follow the objects of bluetoothd.
    package func start(within limit: Duration) async throws(BusError) {
        try await objects.start(within: limit)
    }

    /// One of bluetoothd's objects.
    package func object(_ path: String) -> BusProxy { BusProxy(connection, service: BlueZ.service, path: path) }

    /// Waits for an adapter whose address passes `isMeant`. Of several, it returns the first by path.
    ///
    /// - Throws: ``TimedOut``.
    package func adapter(
        within limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
        where isMeant: @escaping @Sendable (DeviceAddress) -> Bool = { _ in true }
    ) async throws -> Adapter {
        let path = try await objects.first(within: limit, waitingFor: "a Bluetooth adapter", clock: clock) { objects in
            objects.filter { _, interfaces in
                let address = interfaces[BlueZ.Interface.adapter]?["Address"]?.asString
                return address.flatMap { DeviceAddress($0) }.map(isMeant) ?? false
            }.keys.min()
        }
        return Adapter(daemon: self, path: path)
    }

    /// The device with this address; nil if bluetoothd does not know it.
    package func device(_ address: DeviceAddress) -> Device? {
        Self.path(of: address, in: objects.objects).map { Device(daemon: self, path: $0) }
    }

    /// Waits until bluetoothd knows a device with this address.
    ///
    /// - Throws: ``TimedOut``.
    package func device(_ address: DeviceAddress, within limit: Duration) async throws -> Device {
        let path = try await objects.first(within: limit, waitingFor: "bluetoothd to know \(address)") {
            Self.path(of: address, in: $0)
        }
        return Device(daemon: self, path: path)
    }

    private static func path(of address: DeviceAddress, in known: BusObjectTree.Objects) -> String? {
        let text = address.description
        let suffix = "/dev_" + text.split(separator: ":").joined(separator: "_")
        // The path holds the address at discovery. The property changes when a private address is resolved.
        return known.keys.first { path in
            path.hasSuffix(suffix) && known[path]?[BlueZ.Interface.device]?["Address"]?.asString == text
        } ?? known.first { $0.value[BlueZ.Interface.device]?["Address"]?.asString == text }?.key
    }

    /// The devices that have a bond with bluetoothd.
    ///
    /// `Paired` is not enough: bluetoothd 5.82 keeps it false until it has discovered the services of a device that
    /// connected to it, and an accessory's bluetoothd does not do that (`src/device.c`, `device_set_paired`).
    package static func bonds(in objects: BusObjectTree.Objects) -> [DeviceAddress] {
        objects.keys.sorted().compactMap { path in
            let device = objects[path]?[BlueZ.Interface.device]
            guard device?["Bonded"]?.asBool == true else { return nil }
            return device?["Address"]?.asString.flatMap { DeviceAddress($0) }
        }
    }

    /// The devices that are connected to an adapter.
    package func connectedDevices(of adapter: Adapter) -> [Device] { devices(of: adapter).filter(\.isConnected) }

    /// The devices that an adapter knows, with a bond or without.
    package func devices(of adapter: Adapter) -> [Device] {
        objects.objects.filter { path, interfaces in
            path.hasPrefix(adapter.path + "/") && interfaces[BlueZ.Interface.device] != nil
        }.map { Device(daemon: self, path: $0.key) }
    }

    /// The path of the adapter of an object: the adapter itself or one of its devices; nil for other objects.
    package static func adapterPath(of path: String) -> String? {
        let parts = path.split(separator: "/", maxSplits: 3)
        guard parts.count >= 3, parts[0] == "org", parts[1] == "bluez", parts[2].hasPrefix("hci") else { return nil }
        return "/org/bluez/\(parts[2])"
    }

    /// The path of the adapter for a controller number of the kernel: 0 is `hci0`.
    package static func adapterPath(ofController number: UInt16) -> String { "/org/bluez/hci\(number)" }

    /// The address of the device at an object path.
    package func address(ofDeviceAt path: String) -> DeviceAddress? {
        objects.properties(of: path, BlueZ.Interface.device)?["Address"]?.asString.flatMap { DeviceAddress($0) }
    }
}

/// A Bluetooth adapter of the board.
package struct Adapter: Sendable {
    let daemon: BluetoothDaemon
    package let path: String

    private var proxy: BusProxy { daemon.object(path) }

    /// The adapter's address, as bluetoothd reports it.
    package var address: DeviceAddress? {
        daemon.objects.properties(of: path, BlueZ.Interface.adapter)?["Address"]?.asString.flatMap { DeviceAddress($0) }
    }

    /// Whether the adapter is powered on, as bluetoothd last reported it.
    package var isPowered: Bool {
        daemon.objects.properties(of: path, BlueZ.Interface.adapter)?["Powered"]?.asBool == true
    }

    /// Switches the adapter on or off, and returns when that is done.
    package func setPowered(_ isOn: Bool, within limit: Duration) async throws {
        if isPowered != isOn {
            try await order("Powered", to: .boolean(isOn), within: limit)
        }
        let path = path
        _ = try await daemon.objects.first(within: limit, waitingFor: "the adapter to be \(isOn ? "on" : "off")") {
            $0[path]?[BlueZ.Interface.adapter]?["Powered"]?.asBool == isOn ? true : nil
        }
    }

    /// Sets whether unknown devices can pair. If not, the kernel answers them with `Pairing Not Supported`.
    package func setPairable(_ isPairable: Bool, within limit: Duration) async throws {
        try await set("Pairable", to: .boolean(isPairable), within: limit) { $0?.asBool == isPairable }
    }

    /// Sets whether devices can find the adapter by classic Bluetooth.
    package func setDiscoverable(_ isDiscoverable: Bool, within limit: Duration) async throws {
        try await set("Discoverable", to: .boolean(isDiscoverable), within: limit) { $0?.asBool == isDiscoverable }
    }

    /// Sets the adapter's name, which is also the GAP service's Device Name; empty for the system's.
    package func setAlias(_ name: String, within limit: Duration) async throws {
        try await set("Alias", to: .string(name), within: limit) { $0?.asString == name || name.isEmpty }
    }

    private func set(
        _ property: String, to value: BusValue, within limit: Duration,
        until isSet: @escaping @Sendable (BusValue?) -> Bool
    ) async throws {
        try await order(property, to: value, within: limit)
        let path = path
        _ = try await daemon.objects.first(within: limit, waitingFor: "the adapter's \(property) to be set") {
            isSet($0[path]?[BlueZ.Interface.adapter]?[property]) ? true : nil
        }
    }

    /// Sets a property of the adapter. If bluetoothd answers `Busy`, tries again after a change of the adapter: while
    /// its own policy changes the property, it accepts no other change.
    private func order(_ property: String, to value: BusValue, within limit: Duration) async throws {
        let path = path
        try await withDeadline(
            limit, waitingFor: "bluetoothd to finish its own change: it is busy with \(property)"
        ) {
            while true {
                let before = daemon.objects.properties(of: path, BlueZ.Interface.adapter)
                do throws(BusError) {
                    return try await proxy.set(property, of: BlueZ.Interface.adapter, to: value, within: limit)
                } catch { guard error.name == BlueZ.ErrorName.busy else { throw error } }
                _ = try await daemon.objects.first(within: limit, waitingFor: "a change of the adapter") {
                    $0[path]?[BlueZ.Interface.adapter] == before ? nil : true
                }
            }
        }
    }

    /// The number in the adapter's name: 0 for `hci0`.
    package var number: UInt16 { path.split(separator: "/").last.flatMap { UInt16($0.dropFirst(3)) } ?? 0 }

    /// Starts LE discovery. bluetoothd reports only changes on the bus; the kernel's management channel reports each
    /// packet.
    package func startDiscovery(within limit: Duration) async throws(BusError) {
        let filter: [String: BusValue] = ["Transport": "le", "DuplicateData": false]
        try await proxy.call(
            "SetDiscoveryFilter", of: BlueZ.Interface.adapter, [.properties(filter)], within: limit)
        do throws(BusError) {
            try await proxy.call("StartDiscovery", of: BlueZ.Interface.adapter, within: limit)
        } catch { guard error.name == BlueZ.ErrorName.inProgress else { throw error } }
    }

    /// Stops the discovery if this program started one.
    package func stopDiscovery(within limit: Duration) async throws(BusError) {
        do throws(BusError) { try await orderStop(within: limit) } catch {
            guard error.name == BlueZ.ErrorName.inProgress else { throw error }
            // A connection that started meanwhile stopped the discovery in the kernel, and bluetoothd learned that
            // before the kernel refused the stop. Now bluetoothd only needs to forget who asked for the discovery.
            try await orderStop(within: limit)
        }
    }

    private func orderStop(within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await proxy.call("StopDiscovery", of: BlueZ.Interface.adapter, within: limit)
        } catch {
            // The error is "No discovery started", or the adapter is off.
            guard error.name == BlueZ.ErrorName.failed || error.name == BlueZ.ErrorName.notReady else { throw error }
        }
    }

    /// Forgets a device: disconnects it and deletes its bond and everything known about it.
    package func remove(_ device: Device, within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await proxy.call("RemoveDevice", of: BlueZ.Interface.adapter, [.path(device.path)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.doesNotExist else { throw error } }
    }

    /// Calls a method of the adapter object.
    func call(
        _ member: String, of interface: String, _ arguments: [BusValue], within limit: Duration
    ) async throws(BusError) {
        try await proxy.call(member, of: interface, arguments, within: limit)
    }
}

/// A remote device that bluetoothd knows.
package struct Device: Sendable {
    let daemon: BluetoothDaemon
    package let path: String

    private var proxy: BusProxy { daemon.object(path) }
    private var properties: [String: BusValue]? { daemon.objects.properties(of: path, BlueZ.Interface.device) }

    package var isConnected: Bool { properties?["Connected"]?.asBool == true }
    /// The current address. For a bonded device this is its identity address, not a private one.
    package var address: DeviceAddress? { daemon.address(ofDeviceAt: path) }
    /// Whether the address is random rather than public.
    package var isRandom: Bool { properties?["AddressType"]?.asString == "random" }

    /// Connects, and returns when the services are discovered.
    ///
    /// - Parameter isLinked: Whether the device is connected by LE. ``isConnected`` is also true for BR/EDR.
    /// - Throws: ``BusError``: `NotConnected` if the link is lost again at once; ``TimedOut`` for the services.
    package func connect(isLinked: Bool, within limit: Duration) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        let path = path
        if isConnected && !isLinked {
            // The kernel has lost the link, but bluetoothd does not know that yet: it would mistake the old link for
            // the new one.
            _ = try await daemon.objects.first(within: limit, waitingFor: "bluetoothd to learn of the link's end") {
                $0[path]?[BlueZ.Interface.device]?["Connected"]?.asBool == true ? nil : true
            }
        }
        // If the device is already connected by LE, bluetoothd would connect it by BR/EDR too.
        if !isLinked {
            try await proxy.call("Connect", of: BlueZ.Interface.device, within: limit)
            // If the socket of the attribute channel is faster than the kernel's event for the link, bluetoothd 5.82
            // knows that the device is connected but does not report it (its log says "already connected").
            if !isConnected { try await daemon.objects.read(path, BlueZ.Interface.device, within: limit) }
        }
        let isResolved = try await daemon.objects.first(
            within: clock.now.duration(to: deadline), waitingFor: "the services of the device"
        ) { objects -> Bool? in
            guard let device = objects[path]?[BlueZ.Interface.device], device["Connected"]?.asBool == true else {
                return false
            }
            return device["ServicesResolved"]?.asBool == true ? true : nil
        }
        guard isResolved else {
            throw BusError(
                name: BlueZ.ErrorName.notConnected, message: "the link was lost before the services were resolved",
                action: "connecting to \(path)")
        }
        try await hearServices(within: clock.now.duration(to: deadline))
    }

    /// Waits until bluetoothd has told the objects of the services that it calls resolved.
    ///
    /// It tells each object's news in that object's turn, so `ServicesResolved` may come before the characteristics.
    /// But it tells everything before it answers a call (BlueZ 5.82, `gdbus/object.c`, `g_dbus_send_message`).
    package func hearServices(within limit: Duration) async throws(BusError) {
        try await proxy.call(
            "GetAll", of: "org.freedesktop.DBus.Properties", [.string(BlueZ.Interface.device)], within: limit)
    }

    /// Disconnects, and returns when the link is gone.
    ///
    /// A report of the kernel also counts. If a link is ended just after it was encrypted, Linux 6.12 may not inform
    /// bluetoothd: it takes the answer to its next command, Write Authenticated Payload Timeout, for the end of the
    /// request to disconnect. bluetoothd then assumes that the link exists until the next one, or until it is powered
    /// off.
    ///
    /// - Returns: Whether bluetoothd knows that the link is gone.
    /// - Throws: ``SystemError``, or ``TimedOut``.
    @discardableResult
    package func disconnect(
        through management: ManagementChannel, controller: UInt16, within limit: Duration
    ) async throws -> Bool {
        guard isConnected, let address = daemon.address(ofDeviceAt: path) else { return true }
        try management.disconnect(address, isRandom: isRandom, controller: controller)
        do { try await waitUntilDisconnected(within: .milliseconds(300)) } catch is TimedOut {
            // After a pairing, bluetoothd knows the device by its identity at once, and Linux 6.12 the link 200 ms later.
            guard isConnected, let identity = self.address else { return true }
            let second = try await management.ask(
                .disconnect(identity, isRandom: isRandom), controller: controller, within: limit)
            if second.status == ManagementReply.notConnected { return !isConnected }
            try await waitUntilDisconnected(within: limit)
        }
        return true
    }

    private func waitUntilDisconnected(within limit: Duration) async throws {
        let path = path
        _ = try await daemon.objects.first(within: limit, waitingFor: "the device to be disconnected") {
            $0[path]?[BlueZ.Interface.device]?["Connected"]?.asBool == true ? nil : true
        }
    }

    /// Cancels a connection attempt if there is one.
    package func cancelConnecting(within limit: Duration) async throws(BusError) {
        do throws(BusError) { try await proxy.call("Disconnect", of: BlueZ.Interface.device, within: limit) } catch {
            // The device's object is gone: then there is nothing left to do.
            guard [BusError.Name.unknownObject, BusError.Name.unknownMethod].contains(error.name) else { throw error }
        }
    }

    /// Pairs. bluetoothd asks the pairing agent meanwhile.
    package func pair(within limit: Duration) async throws(BusError) {
        try await proxy.call("Pair", of: BlueZ.Interface.device, within: limit)
    }
}
