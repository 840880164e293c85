import Foundation

/// The phone as its sessions and extensions see it: they outlive no phone, and keep none alive.
final class PhoneLink: Sendable {
    weak let phone: Phone?
    let clock: any Clock<Duration>
    /// The accessory that the extensions are for, ``AccessoryRecord/id``.
    private let accessory: UUID?

    init(_ phone: Phone, accessory: UUID? = nil) {
        self.phone = phone
        self.accessory = accessory
        clock = phone.clock
    }

    /// What the phone does where Apple documents nothing; the defaults once the phone is gone.
    var policy: HostPolicy { phone?.policy ?? HostPolicy() }

    /// Runs code of an app's extension, with the phone as the current one; nil once the phone is gone.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value? {
        guard let phone else { return nil }
        return try Phone.$hostedAccessory.withValue(accessory) { try phone.asCurrent(body) }
    }

    /// Runs code of an app's extension that takes its time.
    func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value? {
        guard let phone else { return nil }
        return try await Phone.$hostedAccessory.withValue(
            accessory, operation: { try await phone.asCurrent(isolation: isolation, body) },
            isolation: isolation)
    }
}
