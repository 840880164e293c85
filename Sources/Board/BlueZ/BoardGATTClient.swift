import FoundationEssentials
import Glibc
import HILDBus
import HILPOSIX
import RadioModel

/// A client of the attribute server of a connected device.
///
/// Source: BlueZ 5.82, `doc/org.bluez.GattService.rst`, `doc/org.bluez.GattCharacteristic.rst`.
package struct BoardGATTClient: Sendable {
    private let daemon: BluetoothDaemon
    private let device: String

    package init(_ device: Device) {
        daemon = device.daemon
        self.device = device.path
    }

    /// The ATT MTU of the link in bytes, as any characteristic reports it; 23 if the device has no characteristic.
    package var mtu: Int {
        for (path, interfaces) in daemon.objects.objects where path.hasPrefix(device + "/") {
            if let mtu = interfaces[BlueZ.Interface.characteristic]?["MTU"]?.asInt { return mtu }
        }
        return 23
    }

    /// The object path of the first characteristic with this UUID, by handle; nil if the device has none.
    package func path(of uuid: BluetoothUUID) -> String? {
        BoardGATTClient.path(of: uuid, on: device, in: daemon.objects.objects)
    }

    /// Reads a complete value.
    package func read(_ path: String, within limit: Duration) async throws(BusError) -> Data {
        let reply = try await request("ReadValue", at: path, [.properties([:])], within: limit)
        guard let bytes = reply.first?.asBytes else {
            throw BusError(
                name: BusError.Name.invalidArguments, message: "the reply holds no bytes", action: "reading \(path)")
        }
        return Data(bytes)
    }

    /// Writes a value. With a response it waits for the peer; without, it does not.
    package func write(
        _ value: Data, to path: String, withResponse: Bool, within limit: Duration
    ) async throws(BusError) {
        let member = "WriteValue"
        let arguments: [BusValue] = [
            .bytes(Array(value)), .properties(["type": withResponse ? "request" : "command"]),
        ]
        if withResponse {
            try await request(member, at: path, arguments, within: limit)
        } else {
            try await daemon.object(path).call(
                member, of: BlueZ.Interface.characteristic, arguments, within: limit)
        }
    }

    /// Makes a request to the peer, and repeats it once if bluetoothd lost it.
    ///
    /// When the peer answers that a request needs pairing, bluetoothd begins to pair and keeps the request until the
    /// kernel lets it send again. But on a busy board the answer may arrive before bluetoothd has looked at its socket
    /// again. Then it still assumes that it may send. The kernel refuses that during the pairing, and bluetoothd ends
    /// the request with the error 0x0E (BlueZ 5.82, `src/shared/att.c`, `can_write_data`). It keeps the second request
    /// until the pairing has ended.
    ///
    /// A peer may give the same error itself. So only a request to an unpaired device is repeated.
    @discardableResult
    private func request(
        _ member: String, at path: String, _ arguments: [BusValue], within limit: Duration
    ) async throws(BusError) -> [BusValue] {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        let wasPaired = daemon.objects.properties(of: device, BlueZ.Interface.device)?["Paired"]?.asBool == true
        let (proxy, interface) = (daemon.object(path), BlueZ.Interface.characteristic)
        do throws(BusError) {
            return try await proxy.call(member, of: interface, arguments, within: limit)
        } catch {
            guard !wasPaired, error.name == BlueZ.ErrorName.failed, AttributeErrorCode(of: error) == .unlikely,
                error.message.hasSuffix("0x0e")
            else { throw error }
            return try await proxy.call(
                member, of: interface, arguments, within: clock.now.duration(to: deadline))
        }
    }

    /// Subscribes, and returns when the peer has accepted.
    ///
    /// - Parameter handler: Called on its own thread with each value, in order. Repeated values are included.
    package func subscribe(
        to path: String, within limit: Duration, _ handler: @escaping @Sendable (Data) -> Void
    ) async throws(BusError) -> NotificationChannel {
        let reply = try await daemon.object(path).call(
            "AcquireNotify", of: BlueZ.Interface.characteristic, [.properties([:])], within: limit)
        guard let descriptor = reply.first?.asDescriptor, descriptor.raw >= 0 else {
            throw BusError(
                name: BusError.Name.invalidArguments, message: "the reply holds no descriptor",
                action: "subscribing to \(path)")
        }
        return NotificationChannel(descriptor, path: path, handler)
    }

    /// Unsubscribes, and returns when bluetoothd has ended the subscription.
    package func unsubscribe(_ channel: NotificationChannel, within limit: Duration) async throws {
        channel.close()
        let path = channel.path
        _ = try await daemon.objects.first(within: limit, waitingFor: "the subscription to end") {
            $0[path]?[BlueZ.Interface.characteristic]?["NotifyAcquired"]?.asBool == true ? nil : true
        }
    }

    // MARK: - Reading bluetoothd's objects

    /// Finds a characteristic among the objects below a device. The paths contain the handles:
    /// `…/service000a/char000b`.
    static func path(of uuid: BluetoothUUID, on device: String, in objects: BusObjectTree.Objects) -> String? {
        let found: [(path: String, handle: UInt16)] = objects.compactMap { path, interfaces in
            guard path.hasPrefix(device + "/"),
                let text = interfaces[BlueZ.Interface.characteristic]?["UUID"]?.asString,
                BluetoothUUID(text) == uuid, let last = path.split(separator: "/").last, last.hasPrefix("char"),
                let handle = UInt16(last.dropFirst(4), radix: 16)
            else { return nil }
            return (path, handle)
        }
        return found.min { $0.handle < $1.handle }?.path
    }
}

/// Receives notified values of one characteristic. Each is one packet on a socket that bluetoothd writes to.
package final class NotificationChannel: Sendable {
    let path: String
    private let socket: Descriptor

    init(_ socket: Descriptor, path: String, _ handler: @escaping @Sendable (Data) -> Void) {
        self.path = path
        self.socket = socket
        startThread(named: "notify") {
            // The longest attribute value has 512 bytes. bluetoothd closes the socket when the link is lost.
            while NotificationChannel.hasMore(socket), let value = try? socket.read(upTo: 1024) { handler(Data(value)) }
            socket.close()
        }
    }

    deinit { close() }

    /// Whether the subscription has ended: the link was lost, or it was closed.
    package var hasEnded: Bool { socket.raw < 0 }

    /// Ends the subscription. Calling it again does no harm.
    package func close() { socket.shutDown() }

    /// Waits for the next packet. Needed because the socket does not block and an empty value looks like the end.
    private static func hasMore(_ socket: Descriptor) -> Bool {
        var file = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        while poll(&file, 1, -1) < 0 { guard errno == EINTR else { return false } }
        var length: Int32 = 0
        let isHungUp = file.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
        // Packets that were sent before the end must still be read.
        return !isHungUp || (ioctl(socket.raw, UInt(FIONREAD), &length) == 0 && length > 0)
    }
}
