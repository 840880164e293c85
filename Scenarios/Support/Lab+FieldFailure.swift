import AccessorySetupKit
import CoreBluetooth
import HIL

extension Lab {
    /// Records whether the app's need is met with the mended accessory only.
    func expect(
        _ firmware: Firmware, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ holds: () async throws -> Bool
    ) async throws {
        let isGood = try await holds()
        expect(
            isGood, equals: firmware == .mended, "\(text), with mended firmware only", fileID: fileID,
            filePath: filePath, line: line)
    }

    /// Records whether the person's need is met with the mended app only.
    func expect(
        _ app: AppVersion, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ holds: () async throws -> Bool
    ) async throws {
        let isGood = try await holds()
        expect(
            isGood, equals: app == .mended, "\(text), with the mended app only", fileID: fileID, filePath: filePath,
            line: line)
    }

    /// Whether the picker offers a lamp, and the app sets it up without pairing.
    func isOffered(in app: GadgetApp) async throws -> Bool {
        phone.policy.discoveryTimeout = .seconds(4)
        do {
            return try await step("look for it", within: .seconds(15)) { try await app.add(pairing: false) }
                .state == .authorized
        } catch ASError.discoveryTimeout { return false }
    }

    /// Whether the app reads a value of the lamp over a new link, by default its protected name. Then the link ends.
    func isUsable(_ identifier: UUID, reading uuid: String = "FF02", by probe: CentralProbe) async throws -> Bool {
        do {
            let peripheral = try await probe.connect(identifier)
            peripheral.readValue(for: try peripheral.found(uuid))
            let value = try await probe.next(.value, within: .seconds(10))
            probe.central.cancelPeripheralConnection(peripheral)
            try await probe.next(.disconnected, within: .seconds(10))
            return !value.isEmpty
        } catch is CBError { return false }
    }
}
