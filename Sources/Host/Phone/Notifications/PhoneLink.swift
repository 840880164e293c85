import Foundation

/// A weak reference to the phone, for sessions and extensions: they must not keep the phone alive.
final class PhoneLink: Sendable {
    weak let phone: Phone?
    let clock: any Clock<Duration>
    /// The ``AccessoryRecord/id`` of the accessory that the extensions were launched for.
    private let accessory: UUID?

    init(_ phone: Phone, accessory: UUID? = nil) {
        self.phone = phone
        self.accessory = accessory
        clock = phone.clock
    }

    /// The phone's policy; the default policy once the phone is gone.
    var policy: HostPolicy { phone?.policy ?? HostPolicy() }

    /// Runs code of an app's extension, with the phone as the current one. Does nothing and returns nil once it is
    /// gone.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value? {
        guard let phone else { return nil }
        return try Phone.$hostedAccessory.withValue(accessory) { try phone.asCurrent(body) }
    }

    /// Runs asynchronous code of an app's extension, with the phone as the current one. Returns nil once it is gone.
    func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value? {
        guard let phone else { return nil }
        return try await Phone.$hostedAccessory.withValue(
            accessory, operation: { try await phone.asCurrent(isolation: isolation, body) },
            isolation: isolation)
    }
}
