import BoardProtocol
import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The names that the runner and the agent share.
package enum PeripheralKind {
    /// The kind of accessory; see `AgentAccessory.kind`.
    package static let name = "peripheral"
}

/// The commands to an accessory as data.
package enum PeripheralCommand: Sendable, Hashable, Codable {
    /// Switches it on, or restarts it. Existing links end; bonds are kept. Result: `.address`.
    case powerOn(PeripheralDeclaration)
    /// Stops advertising and ends all links. Bonds are kept. Result: `.done`.
    case powerOff
    /// Advertises this content, or nothing. Links stay. Result: `.done`.
    case advertise(PeripheralAdvertising?)
    /// Replaces all services. Connected phones get Service Changed. Result: `.done`.
    case replaceServices([PeripheralService])
    /// Notifies a value to subscribed phones, and keeps it; with a device only to this one, and the value is not kept.
    /// An accessory as data cannot choose a phone. Result: `.done`.
    case notify(Data, AttributePlace, to: DeviceAddress? = nil)
    /// Changes the kept value. Result: `.done`.
    case setValue(Data, AttributePlace)
    /// Result: `.value`: the kept value.
    case value(AttributePlace)
    /// Answers ``PeripheralEvent/requested(_:)``. Result: `.done`.
    case answer(Int, PeripheralAnswer)
    /// Sets how it pairs from now on. Result: `.done`.
    case setPairing(PeripheralPairing)
    /// The person's answer to ``PeripheralEvent/compares(_:)`` or ``PeripheralEvent/asksToPair``. Result: `.done`.
    case answerPairing(Bool)
    /// The number that the person enters after ``PeripheralEvent/asksForPasskey``; nil to cancel. Result: `.done`.
    case enterPasskey(UInt32?)
    /// Changes the private address now. Result: `.done`.
    case rotateAddress
    /// Ends all links. Result: `.done`.
    case disconnect
    /// Deletes all bonds and ends all links; optionally with a new identity resolving key. Result: `.done`.
    case forgetBonds(renewingIdentity: Bool)
    /// Asks the phone that connected last to pair. Result: `.done` when the request is sent.
    case askToPair
    /// Changes the name that a phone reads over a link. Result: `.done`.
    case setName(String)
    /// Result: `.done` when it sends beacons.
    case openNetwork(NetworkConfiguration)
    /// Result: `.done`.
    case closeNetwork(ssid: String)
    /// Result: `.done`.
    case changePassphrase(ssid: String, to: String)
    /// Joins a network of others, and serves on it. Result: `.joined`.
    case joinNetwork(WiFiCredentials)
    /// Leaves the network that it joined. Result: `.done`.
    case leaveNetwork
    /// Looks for networks of others. Result: `.networks`.
    case scanNetworks
    /// Offers these services on all its networks, in place of the previous ones. Result: `.done`.
    case offerServices([BonjourService])
    /// Sends a request over TCP to a service that a phone on its network offers. Result: `.value`: the answer.
    case exchange(Data, with: BonjourName)
    /// Listens for L2CAP channels. Result: `.port`.
    case listen(PeripheralChannel)
    /// Stops listening at a port. Open channels stay. Result: `.done`.
    case stopListening(UInt16)
    /// Opens an L2CAP channel to the phone that connected last. Result: `.channel`.
    case openChannel(port: UInt16)
    /// Looks for a phone that advertises a service, for a number of milliseconds, and connects to it. Result:
    /// `.address`.
    case connect(BluetoothUUID, milliseconds: Int)
    /// Reads a characteristic of the phone. Result: `.value`.
    case readPhone(BluetoothUUID)
    /// Writes a characteristic of the phone. Result: `.done`.
    case writePhone(Data, BluetoothUUID, withResponse: Bool)
    /// Subscribes to a characteristic of the phone, or unsubscribes. Result: `.done`.
    case subscribeToPhone(BluetoothUUID, Bool)
    /// Sends a packet on a channel. Result: `.done`.
    case sendOnChannel(Int, Data)
    /// Result: `.done`.
    case closeChannel(Int)
}

/// The result of a command. Refusals are ``RadioModel/RadioError``s.
package enum PeripheralResult: Sendable, Hashable, Codable {
    case done
    case address(DeviceAddress)
    case value(Data)
    case joined(WiFiLink)
    /// Strongest first.
    case networks([WiFiNetwork])
    case port(UInt16)
    /// The number of a channel, and the longest packet that its peer takes, in bytes.
    case channel(Int, mtu: Int)
}

/// The answer to a phone's access.
package enum PeripheralAnswer: Sendable, Hashable, Codable {
    /// The whole value that a phone reads.
    case value(Data)
    /// A write is done. The board keeps this value; nil to keep the old one.
    case written(Data?)
    /// An error code of the attribute protocol.
    case refused(UInt8)
}

/// An access of a phone that the scenario answers.
package struct PeripheralRequest: Sendable, Hashable, Codable {
    /// Identifies the request in ``PeripheralCommand/answer(_:_:)``.
    package var number: Int
    package var place: AttributePlace
    /// The value that a phone writes; nil for a read.
    package var written: Data?
    /// The phone; nil if bluetoothd does not say.
    package var phone: DeviceAddress?
    /// The offset in the value, in bytes.
    package var offset: Int
    /// The ATT MTU of the link in bytes.
    package var mtu: Int

    package init(
        number: Int, place: AttributePlace, written: Data?, phone: DeviceAddress?, offset: Int, mtu: Int
    ) {
        self.number = number
        self.place = place
        self.written = written
        self.phone = phone
        self.offset = offset
        self.mtu = mtu
    }
}

/// An event of an accessory as data.
public enum PeripheralEvent: Sendable, Hashable, Codable {
    /// A phone connected or disconnected.
    case connected(DeviceAddress)
    case disconnected(DeviceAddress)
    /// A phone was bonded.
    case bonded(DeviceAddress, Bond)
    /// A phone has opened the classic channel over this link.
    case bridged(ClassicLink)
    /// A phone read a value.
    case read(AttributePlace)
    /// A phone wrote a value.
    case written(Data, AttributePlace)
    /// A phone subscribed to a value, or unsubscribed. Without a device, because bluetoothd names none: the first phone
    /// subscribed, or the last unsubscribed.
    case subscription(Bool, AttributePlace, by: DeviceAddress? = nil)
    /// A phone confirmed an indication.
    case confirmed(AttributePlace)
    /// An access that the scenario answers.
    case requested(Request)
    /// The accessory shows this number, and the person compares it.
    case compares(UInt32)
    /// The accessory shows this number, and the person enters it on the phone.
    case showsPasskey(UInt32)
    /// The person enters the number that the phone shows.
    case asksForPasskey
    /// The accessory asks its person whether to pair at all.
    case asksToPair
    /// A station joined or left one of its networks.
    case stationJoined(ssid: String, DeviceAddress)
    case stationLeft(ssid: String, DeviceAddress)
    /// The accessory joined a network of others, or lost it.
    case joinedNetwork(ssid: String)
    case lostNetwork(ssid: String)
    /// The accessory did not find a network that it was to join: it is on a channel of a band that its radio does not know.
    case unheardNetwork(ssid: String, frequency: Int)
    /// The phone notified a value.
    case heard(Data)
    /// An L2CAP channel was opened at this port. The longest packet that the phone takes, in bytes.
    case channelOpened(Int, port: UInt16, mtu: Int)
    /// A packet came on a channel.
    case received(Data, channel: Int)
    /// A channel has ended.
    case channelClosed(Int)

    /// An access of a phone that the scenario answers.
    public struct Request: Sendable, Hashable, Codable {
        package var request: PeripheralRequest

        package init(_ request: PeripheralRequest) { self.request = request }
    }
}

/// The names in JSON for case values without a label.
extension PeripheralEvent {
    enum DeviceKey: String, CodingKey { case _0 = "device" }
    enum PlaceKey: String, CodingKey { case _0 = "place" }
    enum PasskeyKey: String, CodingKey { case _0 = "passkey" }
    enum StationKeys: String, CodingKey { case ssid, _1 = "station" }
    enum BondedCodingKeys: String, CodingKey { case _0 = "device", _1 = "bond" }
    enum BridgedCodingKeys: String, CodingKey { case _0 = "link" }
    enum WrittenCodingKeys: String, CodingKey { case _0 = "value", _1 = "place" }
    enum SubscriptionCodingKeys: String, CodingKey { case _0 = "isOn", _1 = "place", by = "device" }
    enum HeardCodingKeys: String, CodingKey { case _0 = "value" }
    enum RequestedCodingKeys: String, CodingKey { case _0 = "request" }
    enum ChannelOpenedCodingKeys: String, CodingKey { case _0 = "channel", port, mtu }
    enum ReceivedCodingKeys: String, CodingKey { case _0 = "packet", channel }
    enum ChannelClosedCodingKeys: String, CodingKey { case _0 = "channel" }

    typealias ConnectedCodingKeys = DeviceKey
    typealias DisconnectedCodingKeys = DeviceKey
    typealias ReadCodingKeys = PlaceKey
    typealias ConfirmedCodingKeys = PlaceKey
    typealias ComparesCodingKeys = PasskeyKey
    typealias ShowsPasskeyCodingKeys = PasskeyKey
    typealias StationJoinedCodingKeys = StationKeys
    typealias StationLeftCodingKeys = StationKeys
}
