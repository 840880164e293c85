import BoardProtocol
import HILPOSIX
import RadioModel

/// The actions of a person with the die in hand.
package enum DieCommand: Sendable, Hashable, Codable {
    /// Switches it on: advertises, offers the GATT services, opens the networks. Done when all of that is done.
    case powerOn(DieConfiguration)
    /// Switches it off. Keys and bonds are kept.
    case powerOff
    /// Rolls. The face is notified to subscribed phones.
    case roll(face: UInt8)
    /// Opens another network. Done when it sends beacons.
    case openNetwork(NetworkConfiguration)
    /// Closes a network.
    case closeNetwork(ssid: String)
    /// Restarts an open network with another passphrase of 8 to 63 characters. Its stations are disconnected. Done when
    /// it sends beacons again.
    case changePassphrase(ssid: String, to: String)
    /// Sets the answer to pairing requests from now on.
    case setPairing(DieConfiguration.Pairing)
    /// Changes the private address now. The die would do so itself after some minutes.
    case rotateAddress
    /// Switches silent mode on or off.
    case setSilenced(Bool)
    /// Answers a notification on the screen. Done when the answer is being sent.
    case respond(DieResponse)
}

/// What a scenario asks of the die. Refusals are ``RadioModel/RadioError``s.
package enum DieCall: Sendable, Hashable, Codable {
    /// Carries out ``DieCommand/powerOn(_:)``. Answers the Bluetooth address of the die.
    case powerOn(DieConfiguration, Reply<DeviceAddress>)
    /// Carries out any other command.
    case perform(DieCommand, Reply<Done>)
}

/// A person's answer on the die's screen.
package struct DieResponse: Sendable, Hashable, Codable {
    /// The bundle identifier of the notification's app, and the app's name for the notification.
    package var source: String
    package var notification: String
    /// The app's name for one of the notification's actions.
    package var action: String
    /// The text that the person entered; nil for an action without a text.
    package var text: String?

    package init(source: String, notification: String, action: String, text: String? = nil) {
        self.source = source
        self.notification = notification
        self.action = action
        self.text = text
    }
}
