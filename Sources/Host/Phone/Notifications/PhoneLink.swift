/// The phone as its sessions and extensions see it: they outlive no phone, and keep none alive.
final class PhoneLink: Sendable {
    weak let phone: Phone?
    let clock: any Clock<Duration>

    init(_ phone: Phone) {
        self.phone = phone
        clock = phone.clock
    }

    /// What the phone does where Apple documents nothing; the defaults once the phone is gone.
    var policy: HostPolicy { phone?.policy ?? HostPolicy() }

    /// Runs code of an app's extension, with the phone as the current one; nil once the phone is gone.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value? {
        try phone?.asCurrent(body)
    }
}
