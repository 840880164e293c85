import Foundation
import HILTiming
import PeripheralModel
import RadioModel

// Patterns for the events of an accessory as data.

extension EventPattern where Event == PeripheralEvent, Value == Data {
    /// A phone wrote a value, which the board took; the value is the whole value.
    ///
    /// - Parameter place: ``RunningPeripheral/place(of:in:number:)``; nil for any characteristic.
    public static func written(_ place: AttributePlace? = nil) -> Self {
        Self("a phone to write a value") {
            switch $0 {
            case .written(let value, let at) where place == nil || place == at: value
            case .requested(let request) where place == nil || place == request.request.place: request.request.written
            default: nil
            }
        }
    }

    /// The phone notified a value; the value is that.
    public static var heard: Self {
        Self("the phone to notify a value") { if case .heard(let value) = $0 { value } else { nil } }
    }

    /// A packet came on an L2CAP channel; the value is the packet.
    ///
    /// - Parameter number: The number of the channel; nil for any.
    public static func received(onChannel number: Int? = nil) -> Self {
        Self("a packet on an L2CAP channel") {
            if case .received(let packet, let channel) = $0, number == nil || number == channel { packet } else { nil }
        }
    }
}

extension EventPattern where Event == PeripheralEvent, Value == Void {
    /// A phone read a value.
    public static func read(_ place: AttributePlace? = nil) -> Self {
        Self("a phone to read a value") {
            if case .read(let at) = $0, place == nil || place == at { () } else { nil }
        }
    }

    /// The first phone subscribed to a value, or the last unsubscribed.
    public static func subscription(_ isOn: Bool, _ place: AttributePlace? = nil) -> Self {
        Self("a phone to \(isOn ? "subscribe" : "unsubscribe")") {
            if case .subscription(isOn, let at, _) = $0, place == nil || place == at { () } else { nil }
        }
    }

    /// The accessory waits for the number that the phone shows.
    public static var asksForPasskey: Self {
        Self("the accessory to ask for a number") { $0 == .asksForPasskey ? () : nil }
    }
}

extension EventPattern where Event == PeripheralEvent, Value == UInt32 {
    /// The accessory shows a number to compare; the value is the number.
    public static var compares: Self {
        Self("the accessory to show a number to compare") { if case .compares(let number) = $0 { number } else { nil } }
    }

    /// The accessory shows a number for the person to enter on the phone; the value is the number.
    public static var showsPasskey: Self {
        Self("the accessory to show a number") { if case .showsPasskey(let number) = $0 { number } else { nil } }
    }
}

extension EventPattern where Event == PeripheralEvent, Value == Bond {
    /// A phone was bonded; the value is the strength of the key.
    public static var bonded: Self {
        Self("the accessory to be bonded") { if case .bonded(_, let bond) = $0 { bond } else { nil } }
    }
}

extension EventPattern where Event == PeripheralEvent, Value == DeviceAddress {
    /// A phone connected; the value is its address.
    public static var connected: Self {
        Self("a phone to connect") { if case .connected(let phone) = $0 { phone } else { nil } }
    }

    /// A station joined one of its networks; the value is its address.
    public static var stationJoined: Self {
        Self("a station to join") { if case .stationJoined(_, let station) = $0 { station } else { nil } }
    }

    /// A phone disconnected; the value is its address.
    public static var disconnected: Self {
        Self("a phone to disconnect") { if case .disconnected(let phone) = $0 { phone } else { nil } }
    }
}

extension EventPattern where Event == PeripheralEvent, Value == String {
    /// The accessory joined a network of others; the value is its name.
    public static var joinedNetwork: Self {
        Self("the accessory to join a network") { if case .joinedNetwork(let ssid) = $0 { ssid } else { nil } }
    }

    /// The accessory lost the network that it had joined; the value is its name.
    public static var lostNetwork: Self {
        Self("the accessory to lose its network") { if case .lostNetwork(let ssid) = $0 { ssid } else { nil } }
    }

    /// The accessory did not find a network, because its radio does not know the network's band; the value is its name.
    public static var unheardNetwork: Self {
        Self("the accessory not to hear a network") { if case .unheardNetwork(let ssid, _) = $0 { ssid } else { nil } }
    }
}

extension EventPattern where Event == PeripheralEvent, Value == Int {
    /// A phone opened an L2CAP channel; the value is its number.
    public static var channelOpened: Self {
        Self("a phone to open an L2CAP channel") {
            if case .channelOpened(let number, _, _) = $0 { number } else { nil }
        }
    }

    /// An L2CAP channel has ended; the value is its number.
    public static var channelClosed: Self {
        Self("an L2CAP channel to end") { if case .channelClosed(let number) = $0 { number } else { nil } }
    }
}
