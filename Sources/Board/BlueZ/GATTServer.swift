import FoundationEssentials
import HILDBus
import RadioModel

/// A GATT service that a board offers.
public struct LocalService: Sendable {
    public var uuid: BluetoothUUID
    public var characteristics: [LocalCharacteristic]

    public init(uuid: BluetoothUUID, characteristics: [LocalCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A GATT characteristic that a board offers.
public struct LocalCharacteristic: Sendable {
    public var uuid: BluetoothUUID
    public var properties: GATTCharacteristic.Properties
    /// Whether access and subscription need a link with an authenticated LE Secure Connections key.
    public var needsSecureConnections: Bool
    /// Whether it is notified often. Its values then take a faster path to bluetoothd.
    public var isNotifiedOften: Bool
    /// The text of the user description descriptor, for people; nil for no descriptor.
    public var description: String?

    public init(
        uuid: BluetoothUUID, properties: GATTCharacteristic.Properties, needsSecureConnections: Bool,
        isNotifiedOften: Bool = false, description: String? = nil
    ) {
        self.uuid = uuid
        self.properties = properties
        self.needsSecureConnections = needsSecureConnections
        self.isNotifiedOften = isNotifiedOften
        self.description = description
    }

    /// The flags of BlueZ. `secure-…` must come together with the plain flag: alone it would not permit access.
    var flags: [String] {
        var flags: [String] = []
        if properties.contains(.read) { flags += needsSecureConnections ? ["read", "secure-read"] : ["read"] }
        if properties.contains(.write) { flags += needsSecureConnections ? ["write", "secure-write"] : ["write"] }
        if properties.contains(.writeWithoutResponse) {
            // BlueZ has no flag for a protected write without response alone; the protected request comes with it.
            flags += ["write-without-response"] + (needsSecureConnections ? ["secure-write"] : [])
        }
        if properties.contains(.notify) { flags += needsSecureConnections ? ["notify", "secure-notify"] : ["notify"] }
        if properties.contains(.indicate) {
            flags += needsSecureConnections ? ["indicate", "secure-indicate"] : ["indicate"]
        }
        return flags
    }
}

/// Handles accesses of the peers of a GATT server. Called on the bus's thread, in order; must not block.
public struct GATTServerHandler: Sendable {
    /// One access of a peer.
    public struct Access: Sendable {
        public let characteristic: BluetoothUUID
        /// The peer; nil if bluetoothd does not say.
        public let device: DeviceAddress?
        /// The offset in the value, in bytes.
        public let offset: Int
        /// The ATT MTU of the link in bytes; nil if bluetoothd does not say.
        public let mtu: Int?
    }

    /// Responds to a write.
    public typealias Respond = (Result<Void, AttributeErrorCode.Refusal>) -> Void

    /// Returns the whole value. The server cuts it at the offset.
    public var read: @Sendable (Access) -> Result<Data, AttributeErrorCode.Refusal>
    /// Handles a written value. It must respond once, before it notifies anything in return.
    public var write: @Sendable (Access, Data, Respond) -> Void
    /// Called with true when the first peer has subscribed, and with false when the last has unsubscribed.
    public var subscribe: @Sendable (BluetoothUUID, Bool) -> Void

    public init(
        read: @escaping @Sendable (Access) -> Result<Data, AttributeErrorCode.Refusal>,
        write: @escaping @Sendable (Access, Data, Respond) -> Void,
        subscribe: @escaping @Sendable (BluetoothUUID, Bool) -> Void
    ) {
        self.read = read
        self.write = write
        self.subscribe = subscribe
    }
}

extension AttributeErrorCode {
    /// The refusal of an access by a server.
    public struct Refusal: Error, Sendable, Hashable {
        public let code: AttributeErrorCode
        public init(_ code: AttributeErrorCode) { self.code = code }

        /// The D-Bus error that makes bluetoothd send the code.
        var busError: String {
            switch code {
            case .readNotPermitted, .writeNotPermitted: BlueZ.ErrorName.notPermitted
            case .invalidOffset: BlueZ.ErrorName.invalidOffset
            case .invalidLength: BlueZ.ErrorName.invalidValueLength
            case .insufficientAuthorization: BlueZ.ErrorName.notAuthorized
            case .requestNotSupported: BlueZ.ErrorName.notSupported
            default: BlueZ.ErrorName.failed
            }
        }
    }
}

/// A GATT server: offers services through bluetoothd.
///
/// Source: BlueZ 5.82, `doc/org.bluez.GattManager.rst`, `doc/org.bluez.GattCharacteristic.rst`.
package final class GATTServer: Sendable {
    private let root: String
    private let daemon: BluetoothDaemon
    private let paths: [BluetoothUUID: String]
    /// The sockets of the characteristics that are notified often.
    private let sockets: [BluetoothUUID: NotifySocket]

    /// Puts the services on the bus. Call ``register(with:within:)`` to offer them.
    ///
    /// - Parameter name: One word, not used by another server of this program.
    package init(
        _ services: [LocalService], of daemon: BluetoothDaemon, named name: String, handler: GATTServerHandler
    ) {
        self.daemon = daemon
        let root = "/hil/gatt_\(name)"
        self.root = root
        var paths: [BluetoothUUID: String] = [:]
        var sockets: [BluetoothUUID: NotifySocket] = [:]
        daemon.connection.export(BusObject([:], managesObjects: true), at: root)
        for (index, service) in services.enumerated() {
            let path = "\(root)/service\(index)"
            let properties: [String: BusValue] = ["UUID": .string(service.uuid.description), "Primary": true]
            daemon.connection.export(
                BusObject([BlueZ.Interface.service: .init(properties: { properties })]), at: path)
            for (index, characteristic) in service.characteristics.enumerated() {
                let place = "\(path)/char\(index)"
                paths[characteristic.uuid] = place
                let socket = characteristic.isNotifiedOften ? NotifySocket() : nil
                sockets[characteristic.uuid] = socket
                daemon.connection.export(
                    Self.object(
                        characteristic, of: path, socket, address: { daemon.address(ofDeviceAt: $0) }, handler),
                    at: place)
                if let text = characteristic.description {
                    daemon.connection.export(Self.descriptor(text, of: place), at: "\(place)/desc0")
                }
            }
        }
        self.paths = paths
        self.sockets = sockets
    }

    /// Makes bluetoothd offer the services.
    package func register(with adapter: Adapter, within limit: Duration) async throws(BusError) {
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

    /// Notifies a value to every peer that subscribed. Does nothing if the characteristic is not on this server.
    ///
    /// bluetoothd cuts a value that is longer than the link's MTU − 3.
    package func notify(_ value: Data, of characteristic: BluetoothUUID) {
        guard let path = paths[characteristic], sockets[characteristic]?.send(value) != true else { return }
        // The path and the values are made here and are valid.
        try? daemon.connection.emit(
            "PropertiesChanged", of: "org.freedesktop.DBus.Properties", on: path,
            [
                .string(BlueZ.Interface.characteristic), .properties(["Value": .bytes(Array(value))]),
                .strings([]),
            ])
    }

    private static func object(
        _ characteristic: LocalCharacteristic, of service: String, _ socket: NotifySocket?,
        address: @escaping @Sendable (String) -> DeviceAddress?, _ handler: GATTServerHandler
    ) -> BusObject {
        var properties: [String: BusValue] = [
            "UUID": .string(characteristic.uuid.description), "Service": .path(service),
            "Flags": .strings(characteristic.flags),
        ]
        // If this property exists, bluetoothd asks for a socket.
        if socket != nil { properties["NotifyAcquired"] = false }
        let uuid = characteristic.uuid
        let access: @Sendable (BusValue?) -> GATTServerHandler.Access = { options in
            let options = options?.asDictionary ?? [:]
            return .init(
                characteristic: uuid, device: options["device"]?.asString.flatMap(address),
                offset: options["offset"]?.asInt ?? 0, mtu: options["mtu"]?.asInt)
        }
        var methods: [String: @Sendable (BusCall) -> Void] = [
            "ReadValue": { call in answerRead(call, access(call.arguments.first), handler) },
            "WriteValue": { call in
                guard call.arguments.count == 2, let value = call.arguments[0].asBytes else {
                    return call.fail(BlueZ.ErrorName.invalidArguments, "wrong arguments")
                }
                handler.write(access(call.arguments[1]), Data(value)) { result in
                    switch result {
                    case .success: call.reply()
                    case .failure(let refusal): call.fail(refusal.busError)
                    }
                }
            },
            "StartNotify": { call in
                call.reply()
                handler.subscribe(uuid, true)
            },
            "StopNotify": { call in
                call.reply()
                handler.subscribe(uuid, false)
            },
            "Confirm": { $0.reply() },
        ]
        if let socket {
            methods["AcquireNotify"] = { call in
                acquire(socket, call, mtu: access(call.arguments.first).mtu)
                handler.subscribe(uuid, true)
            }
        }
        return BusObject([
            BlueZ.Interface.characteristic: .init(properties: { [properties] in properties }, methods: methods)
        ])
    }

    /// Gives bluetoothd its end of a socket. If this fails, bluetoothd subscribes by D-Bus signals instead.
    private static func acquire(_ socket: NotifySocket, _ call: BusCall, mtu: Int?) {
        do {
            let end = try socket.open()
            call.reply([.descriptor(end), .uint16(UInt16(clamping: mtu ?? 23))])
        } catch { call.fail(BlueZ.ErrorName.notSupported, "\(error)") }
    }

    /// The descriptor for the user description, UUID 2901.
    private static func descriptor(_ text: String, of characteristic: String) -> BusObject {
        let properties: [String: BusValue] = [
            "UUID": "2901", "Characteristic": .path(characteristic), "Flags": .strings(["read"]),
        ]
        let value = BusValue.bytes(Array(text.utf8))
        return BusObject([
            BlueZ.Interface.descriptor: .init(
                properties: { properties }, methods: ["ReadValue": { $0.reply([value]) }])
        ])
    }

    private static func answerRead(_ call: BusCall, _ access: GATTServerHandler.Access, _ handler: GATTServerHandler) {
        switch handler.read(access) {
        case .success(let value) where access.offset <= value.count:
            call.reply([.bytes(Array(value.dropFirst(access.offset)))])
        case .success: call.fail(BlueZ.ErrorName.invalidOffset)
        case .failure(let refusal): call.fail(refusal.busError)
        }
    }
}
