import AccessorySetupKit
import NetworkExtension

extension Lab {
    /// Runs a step, and records whether it ends with this error of AccessorySetupKit: `with: .userCancelled`.
    ///
    /// - Parameters:
    ///   - step: The step's name.
    ///   - text: What should hold, as a sentence: `the app hears that the person cancelled`.
    /// - Throws: Only a failure of the rig, or `RigLacks`.
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

    /// Runs a step in which a picker finds nothing for `time`, and records whether it fails with `.discoveryTimeout`.
    ///
    /// It also records whether the picker looked for the whole time. The phone's discovery timeout is `time` meanwhile.
    ///
    /// - Throws: Only a failure of the rig, or `RigLacks`.
    public func findsNothing<Value>(
        _ text: String, looking time: Duration, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ body: @escaping @MainActor () async throws -> Value
    ) async throws {
        let previous = phone.policy.discoveryTimeout
        phone.policy.discoveryTimeout = time
        defer { phone.policy.discoveryTimeout = previous }
        let began = ContinuousClock.now
        try await fails(
            "look in vain", with: .discoveryTimeout, text, within: time + .seconds(9), fileID: fileID,
            filePath: filePath, line: line, body)
        expect(
            ContinuousClock.now - began >= time, "the picker looked for the whole time", fileID: fileID,
            filePath: filePath, line: line)
    }

    /// Runs a step, and records whether it ends with this error of NetworkExtension: `with: .userDenied`.
    ///
    /// - Throws: Only a failure of the rig, or `RigLacks`.
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
