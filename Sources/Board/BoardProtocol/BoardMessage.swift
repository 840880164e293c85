import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The conversation between the runner's side and a board's agent: JSON in ``Framing/Frame``s.
///
/// The runner asks, the agent answers each request once, in any order, and tells events in between.
package enum BoardProtocol {
    /// Told in ``BoardCommand/hello(version:)``; both sides must have the same.
    package static let version = 7

    /// Kinds of frames on the agent's port.
    package enum FrameKind {
        /// Runner to agent: a ``BoardRequest``.
        package static let request: UInt8 = 1
        /// Agent to runner: a ``BoardReply``.
        package static let reply: UInt8 = 2
        /// Agent to runner: a ``BoardEvent``.
        package static let event: UInt8 = 3
    }
}

/// What a board is for.
public enum BoardRole: String, Sendable, Hashable, Codable, CaseIterable {
    /// The radios of the simulated phone.
    case host
    /// The accessory.
    case accessory
}

/// One request, with the number that its reply will carry.
package struct BoardRequest: Sendable, Codable {
    package var id: UInt32
    package var command: BoardCommand

    package init(id: UInt32, command: BoardCommand) {
        self.id = id
        self.command = command
    }
}

/// The one answer to a request.
package struct BoardReply: Sendable, Codable {
    package var id: UInt32
    package var outcome: Outcome

    package enum Outcome: Sendable, Codable {
        case success(BoardResult)
        case failure(RadioError)
    }

    package init(id: UInt32, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}

/// What the runner may ask of a board.
package enum BoardCommand: Sendable, Codable {
    // Any board
    /// First of every conversation. A new one ends the events of the one before. Result: `.hello`.
    case hello(version: Int)
    /// Sets the board's clock, in nanoseconds since 1970. Result: `.done`.
    case setClock(nanoseconds: UInt64)
    /// Waits for the adapter and the Wi-Fi radio that the air attached, and powers them. Result: `.adapter`.
    case powerRadios
    /// Has in memory what a scenario will start, before the board's snapshot is taken. Result: `.versions`.
    case warmUp
    /// Versions of kernel, BlueZ, hostapd, wpa_supplicant, OpenSSL and the agent. Result: `.versions`.
    case versions
    /// How the board is. Result: `.health`.
    case health

    // Any board: misfortunes, on request
    /// Ends a daemon by a signal; it stays dead until it is started. Result: `.done` when it has ended.
    case killDaemon(BoardDaemon, signal: Int32)
    /// Starts a daemon that was killed. Result: `.done` when it can be spoken to; the radios are to be powered then.
    case startDaemon(BoardDaemon)
    /// Waits until the adapter is there no more. Result: `.done`.
    case awaitUnplugging(AdapterID)
    /// Kills the agent itself, and with it the daemons; the board's init starts it anew. No result.
    case killAgent
    /// Leaves only so many bytes on the board's disk, until ``freeDisk``. Result: `.number` of bytes that are left.
    case fillDisk(leaving: Int)
    /// Gives the room back. Result: `.number` of bytes that are left.
    case freeDisk
    /// What a board's disk keeps through a power cut: the bonds. Result: `.value`, for ``restoreDisk(_:)`` alone.
    case saveDisk
    /// Puts back what was saved, and starts bluetoothd anew on it. Result: `.done`.
    case restoreDisk(Data)

    // A host board: the phone's radio
    /// Bluetooth on or off, as in Settings. Off ends pairings, attempts to connect and links first. Result: `.done`.
    case setBluetoothPower(Bool)
    /// Wi-Fi on or off, as in Settings. Off ends an attempt to join, and leaves the network first. Result: `.done`.
    case setWiFiPower(Bool)
    /// Starts or stops discovery of LE devices; what is heard comes as `.advertisement` events. Result: `.done`.
    case discover(Bool)
    /// Connects by LE. Result: `.done` when connected and the services are resolved.
    case connect(DeviceAddress)
    /// Result: `.done` when disconnected.
    case disconnect(DeviceAddress)
    /// Pairs with a connected or known device; may ask through `.confirmPasskey`. Result: `.bond`.
    case pair(DeviceAddress)
    /// The person's answer to `.confirmPasskey`. Result: `.done`.
    case answerPairing(DeviceAddress, accept: Bool)
    /// Connects to a paired device by classic Bluetooth too, with the key that was derived from the LE bond's, and lets go
    /// of it again. Result: `.bridge`: the link as it was.
    ///
    /// The port (PSM) is that of the channel which is opened for it.
    case bridge(DeviceAddress, port: UInt16)
    /// Deletes the bond and everything known of the device. Result: `.done`.
    case forget(DeviceAddress)
    /// The services of a connected device. Result: `.services`.
    case services(DeviceAddress)
    /// Result: `.value`.
    case read(DeviceAddress, CharacteristicID)
    /// Result: `.done`; without response as soon as it is queued.
    case write(DeviceAddress, CharacteristicID, value: Data, withResponse: Bool)
    /// Subscribes or unsubscribes; values come as `.valueChanged`. Result: `.done`.
    case setNotifying(DeviceAddress, CharacteristicID, Bool)
    /// The link's ATT MTU, bytes. Result: `.number`.
    case mtu(DeviceAddress)
    /// Starts or stops to look for Wi-Fi Aware services; what is heard comes as `.wifiAware` events. Result: `.done`.
    case discoverWiFiAware(Bool)
    /// How strongly a connected device is heard, dBm. Result: `.number`.
    case signal(DeviceAddress)
    /// Result: `.value`.
    case readDescriptor(DeviceAddress, DescriptorID)
    /// Result: `.done`.
    case writeDescriptor(DeviceAddress, DescriptorID, value: Data)
    /// Scans; result: `.networks`.
    case scanWiFi
    /// Joins and gets an address by DHCP. On failure the supplicant is back in the state before. Result: `.link`.
    case joinWiFi(WiFiCredentials)
    /// Result: `.done`.
    case leaveWiFi
    /// Opens a TCP connection over the joined network, sends, and reads to the end. Result: `.value`.
    case exchange(address: String, port: UInt16, request: Data)
    /// Opens a TCP connection over the joined network, which stays open until ``closeStream(_:)``, or until the network or
    /// the conversation ends. Result: `.number`, by which the stream is called.
    case openStream(address: String, port: UInt16)
    /// Sends on a stream, one request after the other; the last one ends this direction. Result: `.done` when the board's
    /// kernel has taken all of it, so that a peer that does not read holds the runner back.
    case sendOnStream(Int, Data, isLast: Bool)
    /// Waits for bytes of a stream's peer, which stay with the kernel until they are asked for. Result: `.value`: 1 to
    /// `limit` bytes, or none when the peer has ended its direction.
    case receiveFromStream(Int, limit: Int)
    /// Result: `.done`. Whatever waits for the stream gets an error.
    case closeStream(Int)

    // An accessory board
    /// Waits for a further adapter, which the air attached with this address, and powers it. Result: `.address`.
    case powerAdapter(AdapterID, DeviceAddress)
    /// For the accessory that has this adapter, in its own words. Result: `.value`, the accessory's answer.
    case accessory(Data, on: AdapterID)
    /// Opens a network that leads to the internet, which no accessory closes, and starts the services there. Result: `.done`
    /// when phones on the network can reach them.
    case openInternet(NetworkConfiguration)
}

/// What a request gave.
package enum BoardResult: Sendable, Codable {
    case done
    case hello(version: Int, role: BoardRole, radiosPowered: Bool)
    case adapter(bluetooth: DeviceAddress, wifi: DeviceAddress)
    case address(DeviceAddress)
    case versions([String: String])
    case bond(Bond)
    case bridge(BridgeLink)
    case services([GATTService])
    case value(Data)
    case number(Int)
    case networks([WiFiNetwork])
    case link(WiFiLink)
    case health(BoardHealth)
}

/// A daemon of a board that can be killed.
public enum BoardDaemon: String, Sendable, Hashable, Codable, CaseIterable {
    case bluetoothd
    /// Of an accessory board.
    case hostapd
    /// Of a host board.
    case supplicant = "wpa_supplicant"
    /// Of an accessory board: what stands in for the internet, once a network that leads there was opened.
    case internet
}

/// How a board is.
package struct BoardHealth: Sendable, Hashable, Codable {
    /// Its clock, nanoseconds since 1970.
    package var clock: UInt64
    /// A number of the kernel's that is another one after each boot.
    package var boot: String
    /// Bytes that its disk has room for.
    package var freeDisk: Int
    /// Whether its radios are there and powered.
    package var arePowered: Bool
    /// The daemons of its role that run; bluetoothd where it answers on the bus, whoever started it.
    package var daemons: [BoardDaemon]
    /// Devices that it has a bond with.
    package var bonds: [DeviceAddress]
    /// Networks that it is on, or that it opened.
    package var networks: [String]

    package init(
        clock: UInt64, boot: String = "", freeDisk: Int = 0, arePowered: Bool = true, daemons: [BoardDaemon] = [],
        bonds: [DeviceAddress] = [], networks: [String] = []
    ) {
        self.clock = clock
        self.boot = boot
        self.freeDisk = freeDisk
        self.arePowered = arePowered
        self.daemons = daemons
        self.bonds = bonds
        self.networks = networks
    }
}

/// What a board tells unasked.
package enum BoardEvent: Sendable, Codable {
    case radio(RadioEvent)
    /// What the accessory tells that has this adapter, in its own words.
    case accessory(Data, on: AdapterID)
    /// The agent refused bytes that were no frame, or a frame that was no request.
    case refused(String)
    /// A station got onto one of the accessory's networks with this pairwise master key (32 bytes; IEEE 802.11-2020,
    /// 12.7.1.3). Secret: it opens the capture, so it goes into the key file beside that, and nowhere else.
    case wifiKey(Data)
    /// A daemon ended that should not have: a finding, and a rig error. The text says how.
    case daemonLost(name: String, how: String)
    /// The agent was started, though a runner was there already: the one before ended, or the board was reset. What it
    /// was asked is lost, and the conversation begins anew with `hello`.
    case agentStarted
}

/// What the phone's radio notices.
public enum RadioEvent: Sendable, Hashable, Codable {
    /// A device was heard, or heard again with something new; RSSI changes count as new.
    case advertisement(Advertisement)
    case bluetoothPower(Bool)
    case connected(DeviceAddress)
    case disconnected(DeviceAddress, reason: String)
    /// Numeric comparison: the same six digits stand on both ends; answer with `answerPairing`.
    case confirmPasskey(DeviceAddress, passkey: UInt32)
    case bonded(DeviceAddress, Bond)
    /// A device that had a private address told while pairing who it is: it is heard under its own address from here on.
    case addressChanged(DeviceAddress, to: DeviceAddress)
    case valueChanged(DeviceAddress, CharacteristicID, value: Data)
    case servicesChanged(DeviceAddress)
    case wifiLost(ssid: String, reason: String)
    case wifiPower(Bool)
    /// A Wi-Fi Aware service was heard, or heard again with something new.
    case wifiAware(WiFiAwareService)
}

/// What an event in JSON calls the values of its cases that have no label.
extension RadioEvent {
    enum DeviceKey: String, CodingKey { case _0 = "device" }
    enum AdvertisementCodingKeys: String, CodingKey { case _0 = "advertisement" }
    enum PowerKey: String, CodingKey { case _0 = "isOn" }
    enum DisconnectedCodingKeys: String, CodingKey { case _0 = "device", reason }
    enum ConfirmPasskeyCodingKeys: String, CodingKey { case _0 = "device", passkey }
    enum BondedCodingKeys: String, CodingKey { case _0 = "device", _1 = "bond" }
    enum AddressChangedCodingKeys: String, CodingKey { case _0 = "device", to }
    enum ValueChangedCodingKeys: String, CodingKey { case _0 = "device", _1 = "characteristic", value }
    enum WifiAwareCodingKeys: String, CodingKey { case _0 = "service" }

    typealias BluetoothPowerCodingKeys = PowerKey
    typealias WifiPowerCodingKeys = PowerKey
    typealias ConnectedCodingKeys = DeviceKey
    typealias ServicesChangedCodingKeys = DeviceKey
}
