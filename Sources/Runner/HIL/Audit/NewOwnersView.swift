import HILBluetoothHost
import HILTiming
import RadioModel

/// What somebody reads of an accessory who has just become its owner.
struct NewOwnersView: Sendable {
    let map: AttributeMap
    /// What was read, by handles.
    private(set) var values: [UInt16: [UInt8]] = [:]
    /// Whether the accessory has paired.
    private(set) var hasPaired = false

    /// Lets a stranger be the owner: it reads what anybody may, pairs, and reads once more.
    ///
    /// - Parameter when: The end of a sentence: `before its owner came`.
    /// - Returns: Nil if the accessory does not advertise.
    @MainActor
    static func take(in scene: AuditScene, _ when: String) async throws -> NewOwnersView? {
        let stranger = try await scene.appear()
        guard let heard = try await scene.hear(by: stranger) else {
            await stranger.leave()
            return nil
        }
        let device = heard.device.address
        try await stranger.connect(to: device)
        var view = NewOwnersView(map: try await AttributeMap.read(of: device, by: stranger))
        try await view.read(of: device, by: stranger)
        let mark = scene.told.mark
        let pairing = try await stranger.pair(with: device, .reads { await scene.shownNumber(since: mark) })
        view.hasPaired = scene.hasPaired(pairing, "as a new owner, \(when)")
        if view.hasPaired { try await view.read(of: device, by: stranger) }
        await stranger.leave()
        scene.note("a new owner read \(view.values.count) values, \(when)")
        return view
    }

    @MainActor
    private mutating func read(of device: DeviceAddress, by stranger: Stranger) async throws {
        for value in map.values where value.isReadable {
            let request = ATTPDU.readRequest(handle: value.handle)
            if case .readResponse(let bytes) = try await stranger.request(request, of: device) {
                values[value.handle] = bytes
            }
        }
    }

    private init(map: AttributeMap) { self.map = map }
}

/// What is left of an owner's values after a factory reset.
struct LeftValues {
    /// What its owner's phone wrote, and what its owner told it otherwise, with handle 0.
    let writes: [OwnersWrites.Write]
    /// The values before the owner came, and after the reset, by handles.
    let fresh, left: [UInt16: [UInt8]]

    /// A value is recognised inside of another one from this length on, in bytes.
    private static let tellingLength = 4

    /// The values, by their handles, that were others before the owner came, and have what the owner wrote.
    var handles: [UInt16] {
        left.filter { handle, value in
            guard let before = fresh[handle], before != value, !value.isEmpty else { return false }
            return writes.contains { write in
                (write.handle == handle && write.value == value)
                    || (value.count >= LeftValues.tellingLength && write.value.contains(value))
                    || (write.value.count >= LeftValues.tellingLength && value.contains(write.value))
            }
        }.keys.sorted()
    }

    /// The values of the owner, by their handles, that could not be read before the owner came, or after the reset.
    ///
    /// - Parameter readable: The handles of values that can be read at all.
    func unread(of readable: Set<UInt16>) -> [UInt16] {
        Set(writes.map(\.handle)).filter { readable.contains($0) && (fresh[$0] == nil || left[$0] == nil) }.sorted()
    }
}
