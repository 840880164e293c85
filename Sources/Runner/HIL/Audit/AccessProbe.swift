import HILBluetoothHost
import HILRecord
import RadioModel

/// Tries what an accessory's characteristics offer, by levels: who has no key, a weak one, a good one, another phone's.
@MainActor
struct AccessProbe {
    private let scene: AuditScene

    /// The services whose attributes every accessory shows: Generic Access, Generic Attribute, Device Information.
    private static let commonServices: Set<BluetoothUUID> = [
        BluetoothUUID(short: 0x1800), BluetoothUUID(short: 0x1801), BluetoothUUID(short: 0x180A),
    ]

    init(_ scene: AuditScene) { self.scene = scene }

    /// What is open at each level, of an accessory that is set up.
    func matrix() async throws -> AuditMatrix {
        var matrix = AuditMatrix([])
        let (nobody, device) = try await scene.approach()
        try await add(.nobody, to: &matrix, of: device, by: nobody)
        await nobody.leave()
        try await addPairedWithoutNumber(to: &matrix)
        try await addPairedWithNumber(to: &matrix)
        return matrix
    }

    private func addPairedWithoutNumber(to matrix: inout AuditMatrix) async throws {
        let (stranger, device) = try await scene.approach(.stranger { $0.hidesItself() })
        let received = await stranger.watchPairing()
        let mark = scene.told.mark
        let pairing = try await stranger.pair(with: device)
        if scene.hasPaired(pairing, "without a number") {
            let isMeant = await scene.personHasAgreed(since: mark, received)
            try await add(.pairedWithoutNumber, to: &matrix, of: device, by: stranger, isMeant: isMeant)
        } else {
            matrix.notTried[.pairedWithoutNumber] = "it does not pair without a number"
        }
        await stranger.leave()
    }

    private func addPairedWithNumber(to matrix: inout AuditMatrix) async throws {
        let (stranger, device) = try await scene.approach()
        let pairing = try await stranger.pair(with: device)
        guard scene.hasPaired(pairing, "with a number"), pairing.bond?.isAuthenticated == true else {
            matrix.notTried[.pairedWithNumber] = "nobody can compare or enter a number"
            matrix.notTried[.otherPhone] = "it pairs with no other phone"
            return await stranger.leave()
        }
        try await add(.pairedWithNumber, to: &matrix, of: device, by: stranger)
        await stranger.disconnect(from: device)
        do {
            try await stranger.connectAgain(to: device)
            try await add(.otherPhone, to: &matrix, of: device, by: stranger)
        } catch StackFailure.bondRefused { matrix.notTried[.otherPhone] = "it keeps no other phone's bond" }
        await stranger.leave()
    }

    /// - Parameter isMeant: Whether the accessory's person has let this stranger pair.
    private func add(
        _ level: AuditMatrix.Level, to matrix: inout AuditMatrix, of device: DeviceAddress, by stranger: Stranger,
        isMeant: Bool = false
    ) async throws {
        for value in try await values(of: device, by: stranger) {
            let allowed = scene.expectations.allows(level, value)
            let expected: (AuditMatrix.Operation) -> Bool? = { allowed($0) == false && isMeant ? nil : allowed($0) }
            var cells: [AuditMatrix.Operation: AuditMatrix.Cell] = [:]
            for (operation, seen) in try await value.probe(device, by: stranger) {
                cells[operation] = AuditMatrix.Cell(seen, expected: expected(operation))
            }
            if let place = matrix.rows.firstIndex(where: { $0.handle == Int(value.handle) }) {
                matrix.rows[place].cells[level] = cells
            } else {
                matrix.rows.append(value.row([level: cells]))
            }
        }
    }

    /// What somebody can do now: `read FF01`.
    func row(of device: DeviceAddress, by stranger: Stranger) async throws -> Set<String> {
        var open: Set<String> = []
        for value in try await values(of: device, by: stranger) {
            for (operation, seen) in try await value.probe(device, by: stranger) where seen == .yes {
                open.insert("\(operation == .subscribe ? "subscribe to" : operation.rawValue) \(value.name)")
            }
        }
        return open
    }

    private func values(of device: DeviceAddress, by stranger: Stranger) async throws -> [AttributeMap.Value] {
        try await AttributeMap.read(of: device, by: stranger).values.filter {
            !AccessProbe.commonServices.contains($0.service)
        }
    }
}

extension AuditExpectations {
    /// Whether the team means a level to use a characteristic, by operations; nil if it says nothing about it.
    fileprivate func allows(
        _ level: AuditMatrix.Level, _ value: AttributeMap.Value
    ) -> (AuditMatrix.Operation) -> Bool? {
        guard isDeclared else { return { _ in nil } }
        if opens(value.uuid) { return { _ in true } }
        let others: Bool? =
            switch level {
            case .nobody: false
            // Who shows nothing cannot tell its owner from a stranger.
            case .pairedWithoutNumber: display == .nothing && pairsWhenSetUp != .never ? nil : false
            // A number is compared or entered by an act of the owner.
            case .pairedWithNumber, .otherPhone: nil
            }
        let takesSigned = signs(value.uuid)
        return { $0 == .write && takesSigned ? true : others }
    }
}

extension AuditMatrix.Level {
    /// Who it is, as the subject of a sentence.
    var who: String {
        switch self {
        case .nobody: "a stranger without a key"
        case .pairedWithoutNumber: "a stranger who paired without a number"
        case .pairedWithNumber: "a stranger who paired with a number"
        case .otherPhone: "another phone"
        }
    }
}
