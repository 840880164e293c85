import Foundation
import HILPhone

extension ASAccessorySession {
    /// Displays a view to rename an accessory.
    ///
    /// - Parameters:
    ///   - renameOptions: With `ssid`, the SSID changes together with the name.
    ///   - completionHandler: Gets nil after the person has renamed it, else an ``ASError``.
    public func renameAccessory(
        _ accessory: ASAccessory, options renameOptions: ASAccessory.RenameOptions = [],
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        session.renameAccessory(
            accessory.record.id, renamesSSID: renameOptions.contains(.ssid), completion: deliver(completionHandler))
    }

    /// Displays a view to rename an accessory. Throws ``ASError``.
    public func renameAccessory(
        _ accessory: ASAccessory, options renameOptions: ASAccessory.RenameOptions = []
    ) async throws {
        try await completed { self.renameAccessory(accessory, options: renameOptions, completionHandler: $0) }
    }

    /// Removes an accessory after asking the person.
    ///
    /// - Parameter completionHandler: Gets nil after the removal, else an ``ASError``.
    public func removeAccessory(_ accessory: ASAccessory, completionHandler: @escaping ((any Error)?) -> Void) {
        session.removeAccessory(accessory.record.id, completion: deliver(completionHandler))
    }

    /// Removes an accessory after asking the person. Throws ``ASError``.
    public func removeAccessory(_ accessory: ASAccessory) async throws {
        try await completed { self.removeAccessory(accessory, completionHandler: $0) }
    }

    /// Finishes authorization of a partially set-up accessory.
    ///
    /// - Parameters:
    ///   - accessory: An accessory in the state `awaitingAuthorization`.
    ///   - settings: The SSID or bridging identifier to add.
    ///   - completionHandler: Gets nil after success, else an ``ASError``.
    public func finishAuthorization(
        for accessory: ASAccessory, settings: ASAccessorySettings,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        session.finishAuthorization(
            for: accessory.record.id, settings: settings.model, completion: deliver(completionHandler))
    }

    /// Finishes authorization of a partially set-up accessory. Throws ``ASError``.
    public func finishAuthorization(for accessory: ASAccessory, settings: ASAccessorySettings) async throws {
        try await completed { self.finishAuthorization(for: accessory, settings: settings, completionHandler: $0) }
    }

    /// Displays a view to upgrade an accessory with additional technology permissions.
    ///
    /// - Parameters:
    ///   - accessory: An authorized accessory.
    ///   - descriptor: The descriptor by which the accessory was found, with the technology to add.
    ///   - completionHandler: Gets nil after the person has agreed, else an ``ASError``.
    public func updateAuthorization(
        for accessory: ASAccessory, descriptor: ASDiscoveryDescriptor,
        completionHandler: @escaping ((any Error)?) -> Void
    ) {
        session.updateAuthorization(
            for: accessory.record.id, descriptor: descriptor.model, completion: deliver(completionHandler))
    }

    /// Displays a view to upgrade an accessory with additional technology permissions. Throws ``ASError``.
    public func updateAuthorization(for accessory: ASAccessory, descriptor: ASDiscoveryDescriptor) async throws {
        try await completed { self.updateAuthorization(for: accessory, descriptor: descriptor, completionHandler: $0) }
    }

    /// Ends authorization of a partially configured accessory as a failure.
    ///
    /// - Parameter completionHandler: Gets nil after success, else an ``ASError``.
    public func failAuthorization(for accessory: ASAccessory, completionHandler: @escaping ((any Error)?) -> Void) {
        session.failAuthorization(for: accessory.record.id, completion: deliver(completionHandler))
    }

    /// Ends authorization of a partially configured accessory as a failure. Throws ``ASError``.
    public func failAuthorization(for accessory: ASAccessory) async throws {
        try await completed { self.failAuthorization(for: accessory, completionHandler: $0) }
    }
}
