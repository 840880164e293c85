import HILBluetoothHost
import HILRecord
import RadioModel

// Which attributes are open, and to whom.
extension AuditCheck {
    static let access = [
        AuditCheck("access.matrix", .setUp) { scene in
            let matrix = try await AccessProbe(scene).matrix()
            scene.record(matrix)
            guard scene.expectations.isDeclared else { return .undeclared }
            let open = AuditMatrix.Level.allCases.compactMap { level in
                let breaches = matrix.breaches(at: level)
                return breaches.isEmpty ? nil : "\(level.who) can \(breaches.joined(separator: ", "))"
            }
            scene.note(
                "\(matrix.rows.count) characteristics; \(open.isEmpty ? "only what is declared is open" : open.joined(separator: "; "))"
            )
            return open.isEmpty ? .holds : .breached(open.joined(separator: "; "))
        },
        AuditCheck("access.reconnection", .new) { scene in
            let (stranger, device) = try await scene.approach()
            let before = try await AccessProbe(scene).row(of: device, by: stranger)
            let pairing = try await stranger.pair(with: device)
            guard scene.hasPaired(pairing, "before its owner did") else {
                return .doesNotApply("it gives a stranger no key that the next link could lack")
            }
            let paired = try await AccessProbe(scene).row(of: device, by: stranger)
            guard paired != before else { return .doesNotApply("a key opens nothing that was closed before") }
            await stranger.disconnect(from: device)
            await stranger.forget(device)
            let after: Set<String>
            do {
                try await stranger.connectAgain(to: device)
                after = try await AccessProbe(scene).row(of: device, by: stranger)
            } catch StackFailure.gatt(
                .timedOut(let what))
            {
                // Some answer nothing until the link is encrypted.
                scene.note("on a new link without the key it answers nothing: \(what)")
                return .holds
            }
            let open = after.subtracting(before).sorted()
            scene.note(
                "on a new link without the key a stranger can \(open.isEmpty ? "do no more than without one" : open.joined(separator: ", "))"
            )
            guard !open.isEmpty else { return .holds }
            return .breached(
                "on a new link without encryption, who had a key before can \(open.joined(separator: ", "))")
        },
        AuditCheck("access.replay", .setUp) { scene in
            try scene.requireOwnersWrites()
            let (stranger, device) = try await scene.approach()
            let map = try await AttributeMap.read(of: device, by: stranger)
            var came = RepeatedWrites()
            for write in scene.ownersWrites.all {
                // Subscriptions do nothing by themselves, and are in the matrix.
                guard let value = map.values.first(where: { $0.handle == write.handle }) else { continue }
                let isMeant = scene.expectations.opens(value.uuid) && !scene.expectations.signs(value.uuid)
                let attempt = RepeatedWrite(
                    scene: scene, stranger: stranger, device: device, map: map, write: write)
                let what = "\(write.value.count) bytes to \(value.uuid.shortText)\(write.form.words)"
                let outcome: RepeatedWrite.Outcome
                do { outcome = try await attempt.run() } catch let failure as StackFailure {
                    scene.note("the link was lost when a stranger repeated \(what): \(failure)")
                    outcome = .unseen
                    try await stranger.connectAgain(to: device)
                }
                came.add(what, isMeant: isMeant, outcome)
            }
            scene.note(came.words)
            return came.finding
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
        /// Whether it is written without an answer.
        let takesCommands: Bool
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
                        isReadable: value[0] & 0x02 != 0, isWritable: value[0] & 0x08 != 0,
                        takesCommands: value[0] & 0x04 != 0))
            case AttributeType.clientConfiguration:
                if !map.values.isEmpty { map.values[map.values.count - 1].configuration = attribute.handle }
            default: break
            }
        }
        return map
    }
}
