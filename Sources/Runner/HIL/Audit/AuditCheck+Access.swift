import HILBluetoothHost
import HILRecord
import RadioModel

// Which attributes are open, and to whom.
extension AuditCheck {
    /// The services whose attributes every accessory shows: Generic Access, Generic Attribute, Device Information.
    private static let commonServices: Set<BluetoothUUID> = [
        BluetoothUUID(short: 0x1800), BluetoothUUID(short: 0x1801), BluetoothUUID(short: 0x180A),
    ]

    static let access = [
        AuditCheck("access.matrix", .setUp) { scene in
            let (stranger, device) = try await scene.approach()
            let table = try await AttributeMap.read(of: device, by: stranger)
            var rows: [AuditMatrix.Row] = []
            for value in table.values where !commonServices.contains(value.service) {
                let seen = try await value.probe(device, by: stranger)
                let mayUse = scene.expectations.opens(value.uuid)
                rows.append(value.row([.nobody: seen.mapValues { AuditMatrix.Cell($0, expected: mayUse) }]))
            }
            let matrix = AuditMatrix(rows)
            scene.record(matrix)
            let open = matrix.breaches(at: .nobody).joined(separator: ", ")
            scene.note(
                "\(table.values.count) characteristics; a stranger without a key can use what is declared\(open.isEmpty ? "" : ", and \(open)")"
            )
            return open.isEmpty ? .holds : .breached("a stranger without a key can \(open)")
        },
        AuditCheck("access.hidden", .setUp) { scene in
            let (stranger, device) = try await scene.approach()
            let shown = Set(try await stranger.attributes(of: device).map(\.handle))
            guard let last = shown.max() else { return .doesNotApply("it has no attributes") }
            var hidden: [UInt16] = []
            for handle in 1...min(last &+ 64, 0xFFFE) where !shown.contains(handle) {
                let answer = try await stranger.request(.readRequest(handle: handle), of: device)
                if case .errorResponse(_, _, .invalidHandle) = answer { continue }
                hidden.append(handle)
            }
            scene.note(
                "\(shown.count) attributes are shown, up to handle \(HandleRange.text(last)); \(hidden.count) others answered"
            )
            return hidden.isEmpty
                ? .holds
                : .breached("handle \(HandleRange.text(hidden[0])) answers, and discovery does not show it")
        },
    ]
}

/// The characteristics of a device, as anybody discovers them.
struct AttributeMap: Sendable {
    struct Value: Sendable {
        let service, uuid: BluetoothUUID
        let handle: UInt16
        let isReadable, isWritable: Bool
        /// The handle of its Client Characteristic Configuration.
        var configuration: UInt16?

        /// Its UUID, as short as it is: `2A19`.
        var name: String { Hex.text(uuid.shortest) }
    }

    private(set) var values: [Value] = []

    @MainActor
    static func read(of device: DeviceAddress, by stranger: Stranger) async throws -> AttributeMap {
        var map = AttributeMap()
        var service = BluetoothUUID(short: 0)
        for attribute in try await stranger.attributes(of: device) {
            switch attribute.type {
            case AttributeType.primaryService, AttributeType.secondaryService:
                guard
                    case .readResponse(let value) = try await stranger.request(
                        .readRequest(handle: attribute.handle), of: device)
                else { continue }
                service = BluetoothUUID(bytes: value.reversed()) ?? service
            case AttributeType.characteristic:
                guard
                    case .readResponse(let value) = try await stranger.request(
                        .readRequest(handle: attribute.handle), of: device), value.count >= 5
                else { continue }
                let handle = UInt16(value[1]) | UInt16(value[2]) << 8
                guard let uuid = BluetoothUUID(bytes: value[3...].reversed()) else { continue }
                // Read is 0x02, Write Without Response 0x04, Write 0x08 (volume 3, part G, 3.3.1.1).
                map.values.append(
                    Value(
                        service: service, uuid: uuid, handle: handle,
                        isReadable: value[0] & 0x02 != 0, isWritable: value[0] & 0x08 != 0))
            case AttributeType.clientConfiguration:
                if !map.values.isEmpty { map.values[map.values.count - 1].configuration = attribute.handle }
            default: break
            }
        }
        return map
    }
}
