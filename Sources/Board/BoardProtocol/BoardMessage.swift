import HILPOSIX
import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The messages between the runner and the agent of a board: JSON in ``HILPOSIX/Frame``s.
///
/// The runner calls. The agent answers each call once, in any order, and sends events at any time.
package enum BoardProtocol {
    /// Sent in ``BoardCall/hello(version:_:)``. Both sides must have the same version.
    package static let version = 26

    /// The kinds of frames on the agent's port.
    package enum FrameKind {
        /// Runner to agent: a ``BoardCall`` with its number.
        package static let call: UInt8 = 1
        /// Agent to runner: an answer.
        package static let answer: UInt8 = 2
        /// Agent to runner: a ``BoardEvent``.
        package static let event: UInt8 = 3
        /// Runner to agent: the next bytes of the payload that ``ProgramCall/offerPayload(_:_:)`` announced. There is no
        /// answer.
        package static let payload: UInt8 = 4
        /// Both ways, after ``ControllerCall/take(_:)``: a ``ControllerFrame``. There is no answer.
        package static let controller: UInt8 = 5
    }

    /// The frames of the calls.
    package static let frameKinds = CallFrameKinds(
        call: FrameKind.call, answer: FrameKind.answer, event: FrameKind.event)

    /// The most bytes of a payload in one frame.
    package static let longestChunk = 256 << 10
    /// The largest file that ``ProgramCall/fetchFile(_:on:_:)`` reads, in bytes: 2 MiB.
    package static let longestFile = 2 << 20
}

/// What a board is used for.
public enum BoardRole: String, Sendable, Hashable, Codable, CaseIterable {
    /// The board is the radios of the simulated phone.
    case host
    /// The board is the accessory.
    case accessory
}

/// What the runner asks of a board's agent, by facet.
package enum BoardCall: Call {
    package typealias Failure = RadioError

    /// The first call of every conversation. It ends the events of the previous conversation.
    case hello(version: Int, Reply<BoardGreeting>)
    case system(SystemCall)
    case fault(FaultCall)
    case controller(ControllerCall)
    case station(StationCall)
    case localNetwork(LocalNetworkCall)
    case home(HomeCall)
    case stranger(StrangerCall)
    case accessory(AccessoryCall)
    case program(ProgramCall)
}

extension Call where Failure == RadioError {
    package static func unanswerable(_ why: String) -> RadioError { .invalid(why) }
}

/// The agent's answer to ``BoardCall/hello(version:_:)``.
package struct BoardGreeting: Sendable, Hashable, Codable {
    package var version: Int
    package var role: BoardRole
    /// Whether the radios were powered on and still exist.
    package var radiosPowered: Bool

    package init(version: Int = BoardProtocol.version, role: BoardRole, radiosPowered: Bool) {
        (self.version, self.role, self.radiosPowered) = (version, role, radiosPowered)
    }
}

/// Calls to any board.
package enum SystemCall: Sendable, Codable {
    /// Sets the board's clock, in nanoseconds since 1970.
    case setClock(nanoseconds: UInt64, Reply<Done>)
    /// Waits for the adapter and the Wi-Fi radio that the air attached, and powers them on.
    case powerRadios(Reply<BoardAddresses>)
    /// Loads into memory the programs that scenarios will start, before the board's snapshot is taken. Answers as
    /// ``versions(_:)``.
    case warmUp(Reply<[String: String]>)
    /// The versions of the kernel, BlueZ, hostapd, wpa_supplicant, OpenSSL and the agent.
    case versions(Reply<[String: String]>)
    /// The state of the board.
    case health(Reply<BoardHealth>)
    /// Needs the board to be on.
    case wake(Reply<Done>)
}

/// The addresses of a board's radios.
package struct BoardAddresses: Sendable, Hashable, Codable {
    /// Nil for a host board, whose Bluetooth is the phone's own.
    package var bluetooth: DeviceAddress?
    /// Nil for a board that a rig only pretends to have.
    package var wifi: DeviceAddress?

    package init(bluetooth: DeviceAddress?, wifi: DeviceAddress?) { (self.bluetooth, self.wifi) = (bluetooth, wifi) }
}

/// Calls to any board: fault injection.
package enum FaultCall: Sendable, Codable {
    /// Ends a daemon by a signal. It stays ended until it is started again. Answered when it has ended.
    case killDaemon(BoardDaemon, signal: Int32, Reply<Done>)
    /// Starts a daemon that was killed. Answered when it accepts commands. Power the radios on after that.
    case startDaemon(BoardDaemon, Reply<Done>)
    /// Waits until the adapter is gone.
    case waitForAdapterRemoval(AdapterID, Reply<Done>)
    /// Kills the agent and with it the daemons. The board's init starts the agent again. There is no answer.
    case killAgent(Reply<Done>)
    /// Fills the board's disk so that only this many bytes are free, until ``freeDisk(_:)``. Answers the free bytes.
    case fillDisk(leaving: Int, Reply<Int>)
    /// Deletes the file that fills the disk. Answers the free bytes.
    case freeDisk(Reply<Int>)
    /// Ends the program and the daemons in order, and writes everything to the disk. Answered when the power can be
    /// switched off. The agent is unusable afterwards.
    case shutDown(Reply<Done>)
}

/// Calls to a host board: the controller of the phone's Bluetooth.
package enum ControllerCall: Sendable, Codable {
    /// Takes the board's Bluetooth adapter from the kernel, for the phone's own host stack. From now on
    /// ``ControllerFrame``s carry its packets. The conversation's end gives it back, too.
    case take(Reply<TakenController>)
    /// Gives the adapter back, powered as before. Does nothing if it was not taken. Answered when the kernel has it.
    case giveBack(Reply<Done>)
}

/// A controller that was taken.
package struct TakenController: Sendable, Hashable, Codable {
    /// The session of its ``ControllerFrame``s.
    package var session: UInt32
    /// The adapter's public address.
    package var address: DeviceAddress

    package init(session: UInt32, address: DeviceAddress) { (self.session, self.address) = (session, address) }
}

/// Calls to a host board: the phone's Wi-Fi.
package enum StationCall: Sendable, Codable {
    /// Switches Wi-Fi on or off, as in Settings. Off first ends joining and leaves the network.
    case setPower(Bool, Reply<Done>)
    /// Starts or stops looking for Wi-Fi Aware services. They are reported in `.wifiAware` events.
    case discoverWiFiAware(Bool, Reply<Done>)
    /// Scans for networks, and asks for one that hides its name, if given.
    case scan(hidden: String?, Reply<[WiFiNetwork]>)
    /// Joins a network and gets an address by DHCP. If that fails, the supplicant is as before.
    case join(WiFiCredentials, Reply<WiFiLink>)
    case leave(Reply<Done>)
    /// Opens a TCP connection over the joined network, sends the request, and reads to the end.
    case exchange(address: String, port: UInt16, request: Data, Reply<Data>)
    /// Opens a TCP connection, or a UDP socket for one peer, over the joined network. It stays open until
    /// ``closeStream(_:_:)``, or until the network or the conversation ends. Answers the number of the stream.
    case openStream(address: String, port: UInt16, by: InternetTransport, Reply<Int>)
    /// Sends on a stream. Send one request at a time; `isLast` ends this direction. Answered when the board's kernel
    /// has taken all bytes. So a peer that does not read makes the runner wait. With UDP, the bytes are one datagram.
    case sendOnStream(Int, Data, isLast: Bool, Reply<Done>)
    /// Waits for bytes from the peer of a stream. They stay in the kernel until this call. Answers 1 to `limit` bytes,
    /// or none when the peer has ended its direction. With UDP, it is one datagram, which may be empty.
    case receiveFromStream(Int, limit: Int, Reply<Data>)
    /// Closes a stream. Calls that wait for it fail.
    case closeStream(Int, Reply<Done>)
}

/// Calls to a host board: the network of a home, with its own router.
package enum HomeCall: Sendable, Codable {
    /// Opens the network. One is open at a time. Answered when it sends beacons and gives addresses. Its stations are
    /// reported in `.homeNetwork` events, except the phone.
    case open(HomeNetworkConfiguration, Reply<Done>)
    /// Restarts the network with another passphrase. Its stations are disconnected.
    case changePassphrase(String, Reply<Done>)
    /// Closes the network. Its stations are notified.
    case close(Reply<Done>)
    /// Accepts TCP connections at the router's address, in place of servers on the internet and of those asked for before.
    /// Answers the ports that are not in use already. They end with the router.
    case playServers(ports: [UInt16], Reply<[UInt16]>)
    /// Waits for a connection to one of these servers. `after` is the number of those already known. Answers at most one.
    case nextClient(after: Int, milliseconds: Int, Reply<[ServedClient]>)
    /// Sends to a client, as ``StationCall/sendOnStream(_:_:isLast:_:)``.
    case sendToClient(Int, Data, isLast: Bool, Reply<Done>)
    /// Waits for bytes from a client, as ``StationCall/receiveFromStream(_:limit:_:)``.
    case receiveFromClient(Int, limit: Int, Reply<Data>)
    /// Closes the connection of a client.
    case closeClient(Int, Reply<Done>)
}

/// A connection to a server that the router plays.
package struct ServedClient: Sendable, Hashable, Codable {
    /// The number of its stream.
    package var stream: Int
    /// The port that it connected to.
    package var port: UInt16
    package var peer: NetworkPlace

    package init(stream: Int, port: UInt16, peer: NetworkPlace) {
        (self.stream, self.port, self.peer) = (stream, port, peer)
    }
}

/// Calls to a host board: strangers with a Wi-Fi radio each, in a network that the phone does not see.
///
/// A stranger is there from the first call with its radio's address on. The air has to attach that radio first.
package enum StrangerCall: Sendable, Codable {
    /// What its station does. Its loss of a network is not reported.
    case station(DeviceAddress, StationCall)
    /// Asks TCP ports of a device in the joined network, or UDP ports.
    case askPorts(DeviceAddress, PortQuestion, Reply<PortAnswers>)
    /// Ends all strangers. Their radios return to the board's other radios.
    case leave(Reply<Done>)
}

/// Ports of a device that somebody asks.
package struct PortQuestion: Sendable, Hashable, Codable {
    /// Its IPv4 address in dotted form.
    package var address: String
    package var transport: InternetTransport
    package var ports: [ClosedRange<UInt16>]
    /// How long the device may take for a port, in milliseconds.
    package var milliseconds: Int

    package init(
        _ address: String, _ transport: InternetTransport, ports: [ClosedRange<UInt16>], milliseconds: Int
    ) {
        (self.address, self.transport, self.ports, self.milliseconds) = (address, transport, ports, milliseconds)
    }
}

/// What came from the ports of a device.
package struct PortAnswers: Sendable, Hashable, Codable {
    /// The TCP ports that accepted a connection, in order.
    package var open: [UInt16] = []
    /// How many refused.
    package var refused = 0
    /// The ports from which nothing came, in order. A UDP port among them may be open.
    package var silent: [UInt16] = []

    package init() {}
}

/// Calls to an accessory board: its adapters and the accessories that the agent hosts.
package enum AccessoryCall: Sendable, Codable {
    /// Gives a further adapter a compartment of the board: its own message bus and bluetoothd, which know no other
    /// adapter. Call it before the adapter is attached.
    case prepareCompartment(AdapterID, Reply<Done>)
    /// Waits for a further adapter, which the air attached with this address, and powers it on. Answers its address.
    case powerAdapter(AdapterID, DeviceAddress, Reply<DeviceAddress>)
    /// A call in the accessory's own format, for the accessory of this kind with this adapter. From now on, that is
    /// the accessory of the adapter. Answers its answer.
    case ask(Data, of: String, on: AdapterID, Reply<Data>)
    /// Opens a network with internet access and starts the internet services there. No accessory can close it.
    /// Answered when phones on the network can reach the services.
    case openInternet(NetworkConfiguration, Reply<Done>)
}

/// Calls to an accessory board: a program of the accessory's maker.
package enum ProgramCall: Sendable, Codable {
    /// Kills the programs that an earlier scenario left, and takes their daemons back.
    ///
    /// - Parameter sparesAhead: Whether to keep a program that ``startAhead(_:_:)`` started for this scenario.
    case end(sparesAhead: Bool, Reply<Done>)
    /// Announces the files of a program. Answers how many bytes to send in frames of the kind
    /// ``BoardProtocol/FrameKind/payload``; 0 if the board already has them.
    case offerPayload(PayloadID, Reply<Int>)
    /// Starts a program; each adapter has one at a time, and a further adapter needs a compartment. Its lines and its
    /// end are reported in `.programPrinted` and `.programEnded` events. Answers the number of the run, which those
    /// events carry.
    ///
    /// If a program with an equal request was started ahead, the client takes that over, with all its events since the
    /// start.
    case start(ProgramRequest, on: AdapterID, Reply<Int>)
    /// Starts a program for a later client, which takes it over by ``start(_:on:_:)``. Until then its events are kept.
    /// Answered when it is ready and still runs.
    case startAhead(ProgramStart, Reply<Done>)
    /// Checks that the program that was started ahead runs.
    case checkAhead(Reply<Done>)
    /// Waits until the program is ready. It does not wait for a line, which the runner sees itself. Answers whether it
    /// is ready within the time.
    case awaitReadiness(ProgramReadiness, milliseconds: Int, on: AdapterID, Reply<Bool>)
    /// Writes to the program's standard input. Answered when the program's pipe has taken it all.
    case send(Data, on: AdapterID, Reply<Done>)
    /// Ends the program and all processes that it started. First it asks by SIGTERM and waits for the given time.
    case stop(graceMilliseconds: Int, on: AdapterID, Reply<ProgramExit>)
    /// Reads a regular file, absolute or relative to the program's working folder: at most
    /// ``BoardProtocol/longestFile`` bytes.
    case fetchFile(String, on: AdapterID, Reply<Data>)
    /// Runs a command that ends on its own.
    case runCommand([String], milliseconds: Int, on: AdapterID, Reply<CommandOutcome>)
}

/// A daemon of a board. Each can be killed.
public enum BoardDaemon: String, Sendable, Hashable, Codable, CaseIterable {
    /// On an accessory board.
    case bluetoothd
    /// On an accessory board.
    case hostapd
    /// On a host board.
    case supplicant = "wpa_supplicant"
    /// On an accessory board: the simulated internet, after a network with internet access was opened.
    case internet
}

/// The state of a board.
package struct BoardHealth: Sendable, Hashable, Codable {
    /// The board's clock in nanoseconds since 1970.
    package var clock: UInt64
    /// A number of the kernel that changes with each boot.
    package var boot: String
    /// The free bytes of its disk.
    package var freeDisk: Int
    /// Whether its radios exist and are powered on.
    package var areRadiosPowered: Bool
    /// The running daemons of its role. bluetoothd counts if it answers on the bus, also if another program started it.
    package var daemons: [BoardDaemon]
    /// The devices that have a bond with it.
    package var bonds: [DeviceAddress]
    /// The networks that it has joined or opened.
    package var networks: [String]
    /// The daemons that the accessory's program runs in place of the board.
    package var owned: Set<OwnedDaemon>

    package init(
        clock: UInt64, boot: String = "", freeDisk: Int = 0, areRadiosPowered: Bool = true, daemons: [BoardDaemon] = [],
        bonds: [DeviceAddress] = [], networks: [String] = [], owned: Set<OwnedDaemon> = []
    ) {
        self.clock = clock
        self.boot = boot
        self.freeDisk = freeDisk
        self.areRadiosPowered = areRadiosPowered
        self.daemons = daemons
        self.bonds = bonds
        self.networks = networks
        self.owned = owned
    }
}
