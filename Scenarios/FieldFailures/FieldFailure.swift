import AccessorySetupKit
import CoreBluetooth
import HIL

/// Whether an accessory misbehaves as the report says, or was mended.
///
/// A field failure is a scenario over both: what the app needs holds with the mended accessory, and does not with the
/// broken one. A team runs the mended case against its own accessory.
enum Firmware: String, CaseIterable {
    case broken, mended

    static var axis: Axis<Firmware> { Axis("firmware", allCases) }
}

extension Lab {
    /// Records whether what the app needs holds with the mended accessory alone.
    func expect(
        _ firmware: Firmware, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ holds: () async throws -> Bool
    ) async throws {
        let isGood = try await holds()
        expect(
            isGood, equals: firmware == .mended, "\(text), with mended firmware alone", fileID: fileID,
            filePath: filePath, line: line)
    }
}
