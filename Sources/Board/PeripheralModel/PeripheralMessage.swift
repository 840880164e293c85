import BoardProtocol
import HILPOSIX
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

/// What a scenario asks of an accessory as data. Refusals are ``RadioModel/RadioError``s.
package enum PeripheralCall: Sendable, Codable {
    /// Switches it on, or restarts it. Existing links end; bonds are kept. Answers its Bluetooth address.
    case powerOn(PeripheralDeclaration, Reply<DeviceAddress>)
    /// Stops advertising and ends all links. Bonds are kept.
    case powerOff(Reply<Done>)
    /// Advertises this content, or nothing. Links stay.
    case advertise(PeripheralAdvertising?, Reply<Done>)
    /// Replaces all services. Connected phones get Service Changed.
    case replaceServices([PeripheralService], Reply<Done>)
    /// Notifies a value to subscribed phones, and keeps it.
    case notify(Data, AttributePlace, Reply<Done>)
    /// Changes the kept value.
    case setValue(Data, AttributePlace, Reply<Done>)
    /// Answers the kept value.
    case value(AttributePlace, Reply<Data>)
    /// Answers ``PeripheralEvent/requested(_:)``.
    case answer(Int, PeripheralAnswer, Reply<Done>)
    /// Sets how it pairs from now on.
    case setPairing(PeripheralPairing, Reply<Done>)
    /// The person's answer to ``PeripheralEvent/compares(_:)`` or ``PeripheralEvent/asksToPair``.
    case answerPairing(Bool, Reply<Done>)
    /// The number that the person enters after ``PeripheralEvent/asksForPasskey``; nil to cancel.
    case enterPasskey(UInt32?, Reply<Done>)
    /// Changes the private address now.
    case rotateAddress(Reply<Done>)
    /// Ends all links.
    case disconnect(Reply<Done>)
    /// Deletes all bonds and ends all links; optionally with a new identity resolving key.
    case forgetBonds(renewingIdentity: Bool, Reply<Done>)
    /// Asks the phone that connected last to pair. Answered when the request is sent.
    case askToPair(Reply<Done>)
    /// Changes the name that a phone reads over a link.
    case setName(String, Reply<Done>)
    case network(PeripheralNetworkCall)
    case channel(PeripheralChannelCall)
    case phone(PeripheralPhoneCall)
}

/// What a scenario asks of an accessory as data: its networks, and the services there.
package enum PeripheralNetworkCall: Sendable, Codable {
    /// Answered when the network sends beacons.
    case open(NetworkConfiguration, Reply<Done>)
    case close(ssid: String, Reply<Done>)
    case changePassphrase(ssid: String, to: String, Reply<Done>)
    /// Joins a network of others, and serves on it.
    case join(WiFiCredentials, Reply<WiFiLink>)
    /// Leaves the network that it joined.
    case leave(Reply<Done>)
    /// Looks for networks of others. Answers them, strongest first.
    case scan(Reply<[WiFiNetwork]>)
    /// Offers these services on all its networks, in place of the previous ones.
    case offerServices([BonjourService], Reply<Done>)
    /// Sends a request over TCP to a service that a phone on its network offers. Answers the answer.
    case exchange(Data, with: BonjourName, Reply<Data>)
}

/// What a scenario asks of an accessory as data: L2CAP channels.
package enum PeripheralChannelCall: Sendable, Codable {
    /// Listens for channels. Answers the port.
    case listen(PeripheralChannel, Reply<UInt16>)
    /// Stops listening at a port. Open channels stay.
    case stopListening(UInt16, Reply<Done>)
    /// Opens a channel to the phone that connected last.
    case open(port: UInt16, Reply<OpenChannel>)
    /// Sends a packet on a channel.
    case send(Int, Data, Reply<Done>)
    case close(Int, Reply<Done>)
}

/// A channel that an accessory as data has opened.
package struct OpenChannel: Sendable, Hashable, Codable {
    package var number: Int
    /// The longest packet that its peer takes, in bytes.
    package var mtu: Int

    package init(number: Int, mtu: Int) { (self.number, self.mtu) = (number, mtu) }
}

/// What a scenario asks of an accessory as data that uses a phone's own services.
package enum PeripheralPhoneCall: Sendable, Codable {
    /// Looks for a phone that advertises a service, for a number of milliseconds, and connects to it. Answers its
    /// address.
    case connect(BluetoothUUID, milliseconds: Int, Reply<DeviceAddress>)
    /// Reads a characteristic of the phone.
    case read(BluetoothUUID, Reply<Data>)
    /// Writes a characteristic of the phone.
    case write(Data, BluetoothUUID, withResponse: Bool, Reply<Done>)
    /// Subscribes to a characteristic of the phone, or unsubscribes.
    case subscribe(BluetoothUUID, Bool, Reply<Done>)
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
    /// Identifies the request in ``PeripheralCall/answer(_:_:_:)``.
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
    /// The link to a phone has ended.
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
    /// A station left one of its networks.
    case stationLeft(ssid: String, DeviceAddress)
    /// The accessory joined a network of others, or lost it.
    case joinedNetwork(ssid: String)
    /// It lost a network of others that it had joined.
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
