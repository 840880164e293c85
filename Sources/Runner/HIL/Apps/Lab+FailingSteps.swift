import AccessorySetupKit
import NetworkExtension

extension Lab {
    /// Does a step, and records whether AccessorySetupKit ends it with this error: `with: .userCancelled`.
    ///
    /// - Throws: A fault of the rig only.
    public func fails<Value>(
        _ step: String, with code: ASError.Code, _ text: String, within limit: Duration = .seconds(10),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        _ body: @escaping @MainActor () async throws -> Value
    ) async throws {
        try await expect(
            throwing: ASError.self, text, fileID: fileID, filePath: filePath, line: line, where: { $0.code == code }
        ) {
            _ = try await self.step(step, within: limit, fileID: fileID, filePath: filePath, line: line, body)
        }
    }

    /// Does a step in which a picker looks around for `time`, and records whether it finds nothing and uses all of that time.
    ///
    /// - Throws: A fault of the rig only.
    public func findsNothing<Value>(
        _ text: String, looking time: Duration, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ body: @escaping @MainActor () async throws -> Value
    ) async throws {
        let usual = phone.policy.discoveryTimeout
        phone.policy.discoveryTimeout = time
        defer { phone.policy.discoveryTimeout = usual }
        let began = ContinuousClock.now
        try await fails(
            "look in vain", with: .discoveryTimeout, text, within: time + .seconds(9), fileID: fileID,
            filePath: filePath, line: line, body)
        expect(
            ContinuousClock.now - began >= time, "the picker looked for the whole time", fileID: fileID,
            filePath: filePath, line: line)
    }

    /// Does a step, and records whether NetworkExtension ends it with this error: `with: .userDenied`.
    ///
    /// - Throws: A fault of the rig only.
    public func fails(
        _ step: String, with code: NEHotspotConfigurationError, _ text: String, within limit: Duration = .seconds(10),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
        _ body: @escaping @MainActor () async throws -> Void
    ) async throws {
        try await expect(
            throwing: NSError.self, text, fileID: fileID, filePath: filePath, line: line,
            where: { $0.domain == NEHotspotConfigurationErrorDomain && $0.code == code.rawValue }
        ) {
            try await self.step(step, within: limit, fileID: fileID, filePath: filePath, line: line, body)
        }
    }
}
