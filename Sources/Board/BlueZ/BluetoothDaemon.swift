import DBus
import RadioModel
import Timing

/// bluetoothd, as it is reached over the system bus: a mirror of its objects, and its calls.
///
/// It may be started before bluetoothd, and outlives it: what bluetoothd forgets when it restarts is registered again
/// by whoever observes ``BusObjectTree/Change/serviceFound``.
package final class BluetoothDaemon: Sendable {
    package let connection: BusConnection
    /// bluetoothd's objects.
    package let objects: BusObjectTree

    /// - Parameter observer: Told of every change of the objects, in order, on the connection's thread.
    package init(_ connection: BusConnection, observer: @escaping @Sendable (BusObjectTree.Change) -> Void) {
        self.connection = connection
        objects = BusObjectTree(of: BlueZ.service, on: connection, observer: observer)
    }

    /// Starts the mirror.
    package func start(within limit: Duration) async throws(BusError) {
        try await objects.start(within: limit)
    }

    /// One of bluetoothd's objects.
    package func object(_ path: String) -> BusProxy { BusProxy(connection, service: BlueZ.service, path: path) }

    /// The first adapter whose address is meant, waiting for it at most `limit`.
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

    /// A device that bluetoothd knows by this address; nil if it does not.
    package func device(_ address: DeviceAddress) -> Device? {
        Self.path(of: address, in: objects.objects).map { Device(daemon: self, path: $0) }
    }

    /// A device, waiting for bluetoothd to know it at most `limit`.
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
        // The path is of the address at discovery; the property follows when a private address is resolved.
        return known.keys.first { path in
            path.hasSuffix(suffix) && known[path]?[BlueZ.Interface.device]?["Address"]?.asString == text
        } ?? known.first { $0.value[BlueZ.Interface.device]?["Address"]?.asString == text }?.key
    }

    /// Every device that an adapter has a link to.
    package func connectedDevices(of adapter: Adapter) -> [Device] {
        objects.objects.filter { path, interfaces in
            path.hasPrefix(adapter.path + "/") && interfaces[BlueZ.Interface.device]?["Connected"]?.asBool == true
        }.map { Device(daemon: self, path: $0.key) }
    }

    /// The path of the adapter that an object belongs to: its own, or that of one of its devices; nil for any other object.
    package static func adapterPath(of path: String) -> String? {
        let parts = path.split(separator: "/", maxSplits: 3)
        guard parts.count >= 3, parts[0] == "org", parts[1] == "bluez", parts[2].hasPrefix("hci") else { return nil }
        return "/org/bluez/\(parts[2])"
    }

    /// The path of the kernel's controller of this number: 0 is `hci0`.
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

    /// The adapter's own address, as bluetoothd knows it.
    package var address: DeviceAddress? {
        daemon.objects.properties(of: path, BlueZ.Interface.adapter)?["Address"]?.asString.flatMap { DeviceAddress($0) }
    }

    /// Whether it is powered, as bluetoothd last told.
    package var isPowered: Bool {
        daemon.objects.properties(of: path, BlueZ.Interface.adapter)?["Powered"]?.asBool == true
    }

    /// Switches it on or off, and returns when it is.
    package func setPowered(_ isOn: Bool, within limit: Duration) async throws {
        if isPowered != isOn {
            // bluetoothd may be about to do the same by its own policy, and says `Busy` then; the wait below decides.
            do throws(BusError) {
                try await proxy.set("Powered", of: BlueZ.Interface.adapter, to: .boolean(isOn), within: limit)
            } catch { guard error.name == "org.bluez.Error.Busy" else { throw error } }
        }
        let path = path
        _ = try await daemon.objects.first(within: limit, waitingFor: "the adapter to be \(isOn ? "on" : "off")") {
            $0[path]?[BlueZ.Interface.adapter]?["Powered"]?.asBool == isOn ? true : nil
        }
    }

    /// Whether pairing requests of strangers are answered at all; if not, the kernel says `Pairing Not Supported`.
    package func setPairable(_ isPairable: Bool, within limit: Duration) async throws {
        try await proxy.set("Pairable", of: BlueZ.Interface.adapter, to: .boolean(isPairable), within: limit)
        let path = path
        _ = try await daemon.objects.first(within: limit, waitingFor: "the adapter to be pairable or not") {
            $0[path]?[BlueZ.Interface.adapter]?["Pairable"]?.asBool == isPairable ? true : nil
        }
    }

    /// The number in the adapter's name: 0 for `hci0`.
    package var number: UInt16 { path.split(separator: "/").last.flatMap { UInt16($0.dropFirst(3)) } ?? 0 }

    /// Starts an LE discovery. bluetoothd tells over the bus of changes only; the kernel's channel tells of each
    /// packet.
    package func startDiscovery(within limit: Duration) async throws(BusError) {
        let filter: [String: BusValue] = ["Transport": "le", "DuplicateData": false]
        try await proxy.call(
            "SetDiscoveryFilter", of: BlueZ.Interface.adapter, [.properties(filter)], within: limit)
        do throws(BusError) {
            try await proxy.call("StartDiscovery", of: BlueZ.Interface.adapter, within: limit)
        } catch { guard error.name == BlueZ.ErrorName.inProgress else { throw error } }
    }

    /// Stops the discovery that this program started, if it did.
    package func stopDiscovery(within limit: Duration) async throws(BusError) {
        do throws(BusError) { try await orderStop(within: limit) } catch {
            guard error.name == BlueZ.ErrorName.inProgress else { throw error }
            // A connection that began meanwhile has stopped it in the kernel, and bluetoothd has heard so before the kernel's
            // refusal to stop what is stopped: now it only has to forget who asked for it.
            try await orderStop(within: limit)
        }
    }

    private func orderStop(within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await proxy.call("StopDiscovery", of: BlueZ.Interface.adapter, within: limit)
        } catch {
            // "No discovery started", or the adapter is off.
            guard error.name == BlueZ.ErrorName.failed || error.name == BlueZ.ErrorName.notReady else { throw error }
        }
    }

    /// Forgets a device: disconnects it, and deletes its bond and what is known of it.
    package func remove(_ device: Device, within limit: Duration) async throws(BusError) {
        do throws(BusError) {
            try await proxy.call("RemoveDevice", of: BlueZ.Interface.adapter, [.path(device.path)], within: limit)
        } catch { guard error.name == BlueZ.ErrorName.doesNotExist else { throw error } }
    }

    /// Calls a method of one of the adapter's managers.
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
    package var isPaired: Bool { properties?["Paired"]?.asBool == true }
    /// The address that it has now: of a bonded device its own, never a private one.
    package var address: DeviceAddress? { daemon.address(ofDeviceAt: path) }
    /// Whether that is a random address, rather than a public one.
    package var isRandom: Bool { properties?["AddressType"]?.asString == "random" }

    /// Connects, and returns when the services are resolved.
    ///
    /// - Parameter isLinked: Whether the device is connected by LE, which ``isConnected`` does not tell from BR/EDR.
    /// - Throws: ``BusError``, `NotConnected` if the link is lost again at once; ``TimedOut`` for the services.
    package func connect(isLinked: Bool, within limit: Duration) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        let path = path
        if isConnected && !isLinked {
            // The kernel has lost the link, and bluetoothd is yet to hear of it: it would take the old one for the new.
            _ = try await daemon.objects.first(within: limit, waitingFor: "bluetoothd to hear of the link's end") {
                $0[path]?[BlueZ.Interface.device]?["Connected"]?.asBool == true ? nil : true
            }
        }
        // Asked for a device that LE connects already, bluetoothd would connect it by BR/EDR too.
        if !isLinked {
            try await proxy.call("Connect", of: BlueZ.Interface.device, within: limit)
            // Where the attribute channel's socket is faster than the kernel's news of the link, bluetoothd 5.82 knows that it
            // is connected and tells nobody ("already connected", says its log).
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
    }

    /// Whether a device that is bonded for both transports is connected by LE when asked for.
    package var prefersLE: Bool { properties?["PreferredBearer"]?.asString == "le" }

    /// Has a device that is bonded for both transports connected by LE from here on; bluetoothd would take the one that it
    /// heard last. It also has the kernel connect the device by itself.
    package func preferLE(within limit: Duration) async throws(BusError) {
        try await proxy.set("PreferredBearer", of: BlueZ.Interface.device, to: "le", within: limit)
    }

    /// Disconnects, and returns when the link is gone.
    ///
    /// - Throws: ``SystemError``, or ``TimedOut``.
    package func disconnect(
        through management: ManagementChannel, controller: UInt16, within limit: Duration
    ) async throws {
        guard isConnected, let address = daemon.address(ofDeviceAt: path) else { return }
        try management.disconnect(address, isRandom: isRandom, controller: controller)
        let path = path
        _ = try await daemon.objects.first(within: limit, waitingFor: "the device to be disconnected") {
            $0[path]?[BlueZ.Interface.device]?["Connected"]?.asBool == true ? nil : true
        }
    }

    /// Gives up an attempt to connect, if there is one.
    package func cancelConnecting(within limit: Duration) async throws(BusError) {
        try await unlessGone { () throws(BusError) in
            try await proxy.call("Disconnect", of: BlueZ.Interface.device, within: limit)
        }
    }

    /// Does something that a device needs no more whose object is gone: bluetoothd lets go of a stranger as soon as the pairing
    /// with it has failed.
    private func unlessGone(_ body: () async throws(BusError) -> Void) async throws(BusError) {
        do throws(BusError) { try await body() } catch {
            guard [BusError.Name.unknownObject, BusError.Name.unknownMethod].contains(error.name) else { throw error }
        }
    }

    /// Gives up a pairing that ``pair(within:)`` began, if it goes on.
    ///
    /// bluetoothd deletes the bond where it knows of no pairing any more.
    package func cancelPairing(within limit: Duration) async throws(BusError) {
        try await unlessGone { () throws(BusError) in
            do throws(BusError) {
                try await proxy.call("CancelPairing", of: BlueZ.Interface.device, within: limit)
            } catch { guard error.name == BlueZ.ErrorName.doesNotExist else { throw error } }
        }
    }

    /// Pairs; the agent is asked in between.
    package func pair(within limit: Duration) async throws(BusError) {
        try await proxy.call("Pair", of: BlueZ.Interface.device, within: limit)
    }
}
