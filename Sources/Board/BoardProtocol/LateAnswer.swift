import RadioModel

/// An accessory's answer to its Bluetooth daemon about a phone whose link had ended, or that it has not answered.
package struct LateAnswer: Sendable, Hashable, Codable {
    /// The daemon's call: `ReadValue`.
    package var call: String
    /// The object that was called: `/com/example/service0/char1`.
    package var object: String
    /// The phone's address, private as it may be.
    package var phone: DeviceAddress?
    /// How long after the end of the link it came, in seconds; nil if none came.
    package var late: Double?
    /// How long before the end of the daemon it came, in seconds; without an answer, how long before it the link ended.
    package var before: Double

    package init(call: String, object: String, phone: DeviceAddress?, late: Double?, before: Double) {
        self.call = call
        self.object = object
        self.phone = phone
        self.late = late
        self.before = before
    }
}
