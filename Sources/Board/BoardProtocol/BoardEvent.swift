import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An event that a board sends without a request.
package enum BoardEvent: Sendable, Codable {
    /// An event of the phone's Wi-Fi, on a host board.
    case radio(RadioEvent)
    /// An event of the accessory of this kind with this adapter, in the accessory's own format.
    case accessory(Data, of: String, on: AdapterID)
    /// The agent refused bytes that are not a frame, or a frame that is not a request.
    case refused(String)
    /// An event of the home's network, on a host board.
    case homeNetwork(HomeNetworkEvent)
    /// A station joined one of the board's networks with this pairwise master key (32 bytes; IEEE 802.11-2020,
    /// 12.7.1.3). Secret: it decrypts the capture. Write it to the key file beside the capture and nowhere else.
    case wifiKey(Data)
    /// The program of an adapter with this run's number printed these lines, or the board left some out.
    case programPrinted([ProgramLine], run: Int, on: AdapterID)
    /// The program with this run's number has ended. All its lines were reported before.
    case programEnded(ProgramExit, wasAsked: Bool, run: Int, on: AdapterID)
    /// A daemon ended unexpectedly. The text says how; `after` is the accessory's answer about a phone that was gone, if
    /// it gave one just before.
    case daemonLost(name: String, how: String, after: LateAnswer? = nil)
    /// The agent left out this many advertising reports of the controller since the last event, because the runner could
    /// not take them as fast.
    case reportsDropped(Int)
    /// The board's system could not run for this many seconds, until just now.
    case stood(seconds: Double)
    /// The board had no power until a command needed it; the runner's side says this, not the agent.
    case woke(afterSeconds: Double)
    /// The agent restarted: it had ended, or the board was reset. Commands that it was working on are lost. Start the
    /// conversation again with `hello`.
    case agentStarted
}

/// An event of the phone's radio.
public enum RadioEvent: Sendable, Hashable, Codable {
    /// A device was heard for the first time, or something about it has changed. A change of RSSI counts.
    case advertisement(Advertisement)
    /// Bluetooth went on or off.
    case bluetoothPower(Bool)
    /// A link to a device is up.
    case connected(DeviceAddress)
    /// A link to a device has ended; the reason names who ended it, or how it was lost.
    case disconnected(DeviceAddress, reason: String)
    /// A request to a device failed for want of a proper answer: in time, and in the form of its protocol. The phone is about
    /// to end the link, and starts no other request on it.
    case requestFailed(DeviceAddress, reason: String)
    /// A pairing in which nobody compares or enters a number: may the phone pair? Answer with `answerPairing`.
    case askPairing(DeviceAddress)
    /// Numeric comparison: both devices show the same six digits. Answer with `answerPairing`.
    case confirmPasskey(DeviceAddress, passkey: UInt32)
    /// Passkey entry: the device shows a number. Answer with `enterPasskey`.
    case enterPasskey(DeviceAddress)
    /// Passkey entry: the person enters this number on the device.
    case showPasskey(DeviceAddress, passkey: UInt32)
    /// A device has paired, and both ends keep the key.
    case bonded(DeviceAddress, Bond)
    /// A device has paired without bonding: the key is for this link only.
    case pairedOnce(DeviceAddress, Bond)
    /// A pairing has failed, whichever end began it; the reason names what failed, who ended it, and when.
    case pairingFailed(DeviceAddress, reason: String)
    /// A device with a private address sent its identity address while pairing. From now on it is reported under that
    /// address.
    case addressChanged(DeviceAddress, to: DeviceAddress)
    /// A device has notified or indicated a value.
    case valueChanged(DeviceAddress, CharacteristicID, value: Data)
    /// A device says that its services have changed: they have to be discovered again.
    case servicesChanged(DeviceAddress)
    /// The ATT MTU of a link in bytes, 23 to 517, after its exchange.
    case mtuChanged(DeviceAddress, Int)
    /// A device has asked for other connection parameters, and the radio has agreed.
    case parametersRequested(DeviceAddress, ConnectionParameters)
    /// A device did something odd that does no harm, in words that follow its name; nil if no device is concerned.
    case noticed(DeviceAddress?, String)
    /// A joined network is lost; the reason names who ended it, or how it was lost.
    case wifiLost(ssid: String, reason: String)
    /// Wi-Fi went on or off.
    case wifiPower(Bool)
    /// A Wi-Fi Aware service was heard for the first time, or something about it has changed.
    case wifiAware(WiFiAwareService)
}

/// The names in JSON for case values without a label.
extension RadioEvent {
    enum DeviceKey: String, CodingKey { case _0 = "device" }
    enum AdvertisementCodingKeys: String, CodingKey { case _0 = "advertisement" }
    enum PowerKey: String, CodingKey { case _0 = "isOn" }
    enum ReasonKeys: String, CodingKey { case _0 = "device", reason }
    enum ConfirmPasskeyCodingKeys: String, CodingKey { case _0 = "device", passkey }
    enum ShowPasskeyCodingKeys: String, CodingKey { case _0 = "device", passkey }
    enum BondedCodingKeys: String, CodingKey { case _0 = "device", _1 = "bond" }
    enum AddressChangedCodingKeys: String, CodingKey { case _0 = "device", to }
    enum ValueChangedCodingKeys: String, CodingKey { case _0 = "device", _1 = "characteristic", value }
    enum MtuChangedCodingKeys: String, CodingKey { case _0 = "device", _1 = "mtu" }
    enum ParametersRequestedCodingKeys: String, CodingKey { case _0 = "device", _1 = "parameters" }
    enum NoticedCodingKeys: String, CodingKey { case _0 = "device", _1 = "text" }
    enum WifiAwareCodingKeys: String, CodingKey { case _0 = "service" }

    typealias BluetoothPowerCodingKeys = PowerKey
    typealias WifiPowerCodingKeys = PowerKey
    typealias ConnectedCodingKeys = DeviceKey
    typealias DisconnectedCodingKeys = ReasonKeys
    typealias PairingFailedCodingKeys = ReasonKeys
    typealias RequestFailedCodingKeys = ReasonKeys
    typealias ServicesChangedCodingKeys = DeviceKey
    typealias EnterPasskeyCodingKeys = DeviceKey
    typealias AskPairingCodingKeys = DeviceKey
    typealias PairedOnceCodingKeys = BondedCodingKeys
}
