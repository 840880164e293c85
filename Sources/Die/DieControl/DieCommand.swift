import BoardProtocol
import RadioModel

/// What the runner may ask of the die; as a person with the die in the hand would.
package enum DieCommand: Sendable, Hashable, Codable {
    /// Advertises, opens the GATT server and the networks. Result: `.address`, its own, when all of it is on the air.
    case powerOn(DieConfiguration)
    /// Off the air, keys and bonds kept. Result: `.done`.
    case powerOff
    /// Rolls: the face is notified to who subscribed. Result: `.done`.
    case roll(face: UInt8)
    /// Opens one more network. Result: `.done` when it beacons.
    case openNetwork(NetworkConfiguration)
    /// Result: `.done`.
    case closeNetwork(ssid: String)
    /// Starts an open network anew with another passphrase, 8 to 63 characters: who was on it is thrown out. Result: `.done`
    /// when it beacons again.
    case changePassphrase(ssid: String, to: String)
    /// Changes the answer to pairing requests from now on. Result: `.done`.
    case setPairing(DieConfiguration.Pairing)
    /// Takes another private address at once, as it would by itself after some minutes. Result: `.done`.
    case rotateAddress
    /// Silences it or not: whether it sounds when it alerts. Result: `.done`.
    case setSilenced(Bool)
    /// The person answers a notification that is on the screen. Result: `.done` when the answer is on its way.
    case respond(DieResponse)
}

/// What the die answers a command with. What it refuses comes as ``RadioModel/RadioError``.
package enum DieAnswer: Sendable, Hashable, Codable {
    case done
    /// Its own address.
    case address(DeviceAddress)
}

/// What the person answers on the die's screen.
package struct DieResponse: Sendable, Hashable, Codable {
    /// The notification, by its app's bundle identifier and name for it.
    package var source: String
    package var notification: String
    /// One of its actions, by its app's name for it.
    package var action: String
    /// What the person enters; nil for an action that takes no text.
    package var text: String?

    package init(source: String, notification: String, action: String, text: String? = nil) {
        self.source = source
        self.notification = notification
        self.action = action
        self.text = text
    }
}
