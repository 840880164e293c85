import FoundationEssentials
import HILDBus
import RadioModel

/// The objects of a GATT server on the bus.
extension GATTServer {
    /// Passes accesses of peers to the handler.
    struct Peers: Sendable {
        private let daemon: BluetoothDaemon
        let handler: GATTServerHandler

        init(of daemon: BluetoothDaemon, _ handler: GATTServerHandler) {
            self.daemon = daemon
            self.handler = handler
        }

        func access(_ attribute: LocalAttribute, _ options: BusValue?) -> GATTServerHandler.Access {
            let options = options?.asDictionary ?? [:]
            return .init(
                attribute: attribute,
                device: options["device"]?.asString.flatMap { daemon.address(ofDeviceAt: $0) },
                offset: options["offset"]?.asInt ?? 0, mtu: options["mtu"]?.asInt)
        }

        func read(_ attribute: LocalAttribute, _ call: BusCall) {
            let access = access(attribute, call.arguments.first)
            handler.read(access) { result in
                switch result {
                case .success(let value) where access.offset <= value.count:
                    call.reply([.bytes(Array(value.dropFirst(access.offset)))])
                case .success: call.fail(BlueZ.ErrorName.invalidOffset)
                case .failure(let refusal): call.fail(refusal.busError.name, refusal.busError.text)
                }
            }
        }

        func write(_ attribute: LocalAttribute, _ call: BusCall) {
            guard call.arguments.count == 2, let value = call.arguments[0].asBytes else {
                return call.fail(BlueZ.ErrorName.invalidArguments, "wrong arguments")
            }
            handler.write(access(attribute, call.arguments[1]), Data(value)) { result in
                switch result {
                case .success: call.reply()
                case .failure(let refusal): call.fail(refusal.busError.name, refusal.busError.text)
                }
            }
        }
    }

    /// - Parameter included: The paths of the services that it includes.
    static func object(_ service: LocalService, including included: [String]) -> BusObject {
        let properties: [String: BusValue] = [
            "UUID": .string(service.uuid.description), "Primary": .boolean(service.isPrimary),
            "Includes": .array(of: "o", included.map { .path($0) }),
        ]
        return BusObject([BlueZ.Interface.service: .init(properties: { properties })])
    }

    static func object(
        _ characteristic: LocalCharacteristic, _ attribute: LocalAttribute, of service: String,
        _ socket: NotifySocket?, _ peers: Peers
    ) -> BusObject {
        var properties: [String: BusValue] = [
            "UUID": .string(characteristic.uuid.description), "Service": .path(service),
            "Flags": .strings(characteristic.flags),
        ]
        // If this property exists, bluetoothd asks for a socket.
        if socket != nil { properties["NotifyAcquired"] = false }
        let handler = peers.handler
        var methods: [String: @Sendable (BusCall) -> Void] = [
            "ReadValue": { peers.read(attribute, $0) },
            "WriteValue": { peers.write(attribute, $0) },
            "StartNotify": { call in
                call.reply()
                handler.subscribe(attribute, true)
            },
            "StopNotify": { call in
                call.reply()
                handler.subscribe(attribute, false)
            },
            "Confirm": { call in
                call.reply()
                handler.confirmed(attribute)
            },
        ]
        if let socket {
            methods["AcquireNotify"] = { call in
                acquire(socket, call, mtu: peers.access(attribute, call.arguments.first).mtu)
                handler.subscribe(attribute, true)
            }
        }
        return BusObject([
            BlueZ.Interface.characteristic: .init(properties: { [properties] in properties }, methods: methods)
        ])
    }

    static func object(
        _ descriptor: LocalDescriptor, _ attribute: LocalAttribute, of characteristic: String, _ peers: Peers
    ) -> BusObject {
        let properties: [String: BusValue] = [
            "UUID": .string(descriptor.uuid.description), "Characteristic": .path(characteristic),
            "Flags": .strings(descriptor.flags),
        ]
        let fixed = descriptor.fixedValue.map { BusValue.bytes($0) }
        return BusObject([
            BlueZ.Interface.descriptor: .init(
                properties: { properties },
                methods: [
                    "ReadValue": { call in
                        if let fixed { call.reply([fixed]) } else { peers.read(attribute, call) }
                    },
                    "WriteValue": { peers.write(attribute, $0) },
                ])
        ])
    }

    /// Gives bluetoothd its end of a socket. If this fails, bluetoothd subscribes by D-Bus signals instead.
    private static func acquire(_ socket: NotifySocket, _ call: BusCall, mtu: Int?) {
        do {
            let end = try socket.open()
            call.reply([.descriptor(end), .uint16(UInt16(clamping: mtu ?? 23))])
        } catch { call.fail(BlueZ.ErrorName.notSupported, "\(error)") }
    }
}
