import Foundation

/// A weak reference to the phone, for sessions and extensions: they must not keep the phone alive.
final class PhoneLink: Sendable {
    weak let phone: Phone?
    let clock: any Clock<Duration>
    /// The extension whose code is called; nil for none.
    let host: ExtensionRun?

    init(_ phone: Phone) {
        self.phone = phone
        host = nil
        clock = phone.clock
    }

    private init(_ other: PhoneLink, hosting host: ExtensionRun) {
        phone = other.phone
        self.host = host
        clock = other.clock
    }

    /// The same for the code of an extension.
    func hosting(_ run: ExtensionRun) -> PhoneLink { PhoneLink(self, hosting: run) }

    /// False once the extension's process has ended.
    var isRunning: Bool { host?.isRunning ?? true }

    /// The phone's policy; the default policy once the phone is gone.
    var policy: HostPolicy { phone?.policy ?? HostPolicy() }

    /// Runs code of an app's extension, with the phone as the current one. Does nothing and returns nil once the phone
    /// is gone or the extension's process has ended.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value? {
        guard let phone, isRunning else { return nil }
        return try Phone.$host.withValue(host) { try phone.asCurrent(body) }
    }

    /// Runs asynchronous code of an app's extension, with the phone as the current one. Returns nil once the phone is
    /// gone or the extension's process has ended.
    func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value? {
        guard let phone, isRunning else { return nil }
        return try await Phone.$host.withValue(
            host, operation: { try await phone.asCurrent(isolation: isolation, body) }, isolation: isolation)
    }
}
