import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The messages between the runner and the agent of a board: JSON in ``HILPOSIX/Frame``s.
///
/// The runner sends requests. The agent answers each request once, in any order, and sends events at any time.
package enum BoardProtocol {
    /// Sent in ``BoardCommand/hello(version:)``. Both sides must have the same version.
    package static let version = 23

    /// The kinds of frames on the agent's port.
    package enum FrameKind {
        /// Runner to agent: a ``BoardRequest``.
        package static let request: UInt8 = 1
        /// Agent to runner: a ``BoardReply``.
        package static let reply: UInt8 = 2
        /// Agent to runner: a ``BoardEvent``.
        package static let event: UInt8 = 3
        /// Runner to agent: the next bytes of the payload that ``BoardCommand/offerPayload(_:)`` announced. There is no
        /// answer.
        package static let payload: UInt8 = 4
        /// Both ways, after ``BoardCommand/takeController``: a ``ControllerFrame``. There is no answer.
        package static let controller: UInt8 = 5
    }

    /// The most bytes of a payload in one frame.
    package static let longestChunk = 256 << 10
    /// The largest file that ``BoardCommand/fetchFile(_:on:)`` reads, in bytes: 2 MiB.
    package static let longestFile = 2 << 20
}

/// What a board is used for.
public enum BoardRole: String, Sendable, Hashable, Codable, CaseIterable {
    /// The board is the radios of the simulated phone.
    case host
    /// The board is the accessory.
    case accessory
}

/// A request. Its reply carries the same number.
package struct BoardRequest: Sendable, Codable {
    package var id: UInt32
    package var command: BoardCommand

    package init(id: UInt32, command: BoardCommand) {
        self.id = id
        self.command = command
    }
}

/// The answer to a request. Each request gets one.
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

/// The commands to a board.
package enum BoardCommand: Sendable, Codable {
    // Any board
    /// The first command of every conversation. It ends the events of the previous conversation. Result: `.hello`.
    case hello(version: Int)
    /// Sets the board's clock, in nanoseconds since 1970. Result: `.done`.
    case setClock(nanoseconds: UInt64)
    /// Waits for the adapter and the Wi-Fi radio that the air attached, and powers them on. Result: `.adapter`.
    case powerRadios
    /// Loads into memory the programs that scenarios will start, before the board's snapshot is taken. Result:
    /// `.versions`.
    case warmUp
    /// The versions of the kernel, BlueZ, hostapd, wpa_supplicant, OpenSSL and the agent. Result: `.versions`.
    case versions
    /// The state of the board. Result: `.health`.
    case health

    /// Needs the board to be on. Result: `.done`.
    case wake

    // Any board: fault injection
    /// Ends a daemon by a signal. It stays ended until it is started again. Result: `.done` when it has ended.
    case killDaemon(BoardDaemon, signal: Int32)
    /// Starts a daemon that was killed. Result: `.done` when it accepts commands. Power the radios on after that.
    case startDaemon(BoardDaemon)
    /// Waits until the adapter is gone. Result: `.done`.
    case waitForAdapterRemoval(AdapterID)
    /// Kills the agent and with it the daemons. The board's init starts the agent again. No result.
    case killAgent
    /// Fills the board's disk so that only this many bytes are free, until ``freeDisk``. Result: `.number`: the free
    /// bytes.
    case fillDisk(leaving: Int)
    /// Deletes the file that fills the disk. Result: `.number`: the free bytes.
    case freeDisk
    /// Ends the program and the daemons in order, and writes everything to the disk. Result: `.done` when the power can
    /// be switched off. The agent is unusable afterwards.
    case shutDown

    // A host board: the phone's Wi-Fi, and the controller of its Bluetooth
    /// Switches Wi-Fi on or off, as in Settings. Off first ends joining and leaves the network. Result: `.done`.
    case setWiFiPower(Bool)
    /// Starts or stops looking for Wi-Fi Aware services. They are reported in `.wifiAware` events. Result: `.done`.
    case discoverWiFiAware(Bool)
    /// Takes the board's Bluetooth adapter from the kernel, for the phone's own host stack. From now on
    /// ``ControllerFrame``s carry its packets. The conversation's end gives it back, too. Result: `.controller`.
    case takeController
    /// Gives the adapter back, powered as before. Does nothing if it was not taken. Result: `.done` when the kernel has
    /// it.
    case giveControllerBack
    /// Scans for networks. Result: `.networks`.
    case scanWiFi
    /// Scans for networks, and asks for one that hides its name. Result: `.networks`.
    case scanForHidden(ssid: String)
    /// Joins a network and gets an address by DHCP. If that fails, the supplicant is as before. Result: `.link`.
    case joinWiFi(WiFiCredentials)
    /// Result: `.done`.
    case leaveWiFi
    /// Opens the network of a home, with its own router. One is open at a time. Result: `.done` when it sends beacons and
    /// gives addresses. Its stations are reported in `.homeNetwork` events, except the phone.
    case openHomeNetwork(HomeNetworkConfiguration)
    /// Restarts the home's network with another passphrase. Its stations are disconnected. Result: `.done`.
    case changeHomePassphrase(String)
    /// Closes the home's network. Its stations are notified. Result: `.done`.
    case closeHomeNetwork
    /// Opens a TCP connection over the joined network, sends the request, and reads to the end. Result: `.value`.
    case exchange(address: String, port: UInt16, request: Data)
    /// Opens a TCP connection, or a UDP socket for one peer, over the joined network. It stays open until
    /// ``closeStream(_:)``, or until the network or the conversation ends. Result: `.number`, which identifies the
    /// stream.
    case openStream(address: String, port: UInt16, by: InternetTransport)
    /// Sends on a stream. Send one request at a time; `isLast` ends this direction. Result: `.done` when the board's
    /// kernel has taken all bytes. So a peer that does not read makes the runner wait. With UDP, the bytes are one
    /// datagram.
    case sendOnStream(Int, Data, isLast: Bool)
    /// Waits for bytes from the peer of a stream. They stay in the kernel until this command. Result: `.value`: 1 to
    /// `limit` bytes, or no bytes when the peer has ended its direction. With UDP, it is one datagram, which may be
    /// empty.
    case receiveFromStream(Int, limit: Int)
    /// Closes a stream. Commands that wait for it fail. Result: `.done`.
    case closeStream(Int)
    /// Services, names and incoming connections on the joined network.
    case localNetwork(LocalNetworkCommand)

    // An accessory board
    /// Gives a further adapter a compartment of the board: its own message bus and bluetoothd, which know no other
    /// adapter. Send it before the adapter is attached. Result: `.done`.
    case prepareCompartment(AdapterID)
    /// Waits for a further adapter, which the air attached with this address, and powers it on. Result: `.address`.
    case powerAdapter(AdapterID, DeviceAddress)
    /// A command in the accessory's own format, for the accessory of this kind with this adapter. From now on, that is
    /// the accessory of the adapter. Result: `.value`: its answer.
    case accessory(Data, of: String, on: AdapterID)
    /// Opens a network with internet access and starts the internet services there. No accessory can close it. Result:
    /// `.done` when phones on the network can reach the services.
    case openInternet(NetworkConfiguration)

    // An accessory board: a program of the accessory's maker
    /// Kills the programs that an earlier scenario left, and takes their daemons back. Result: `.done`.
    ///
    /// - Parameter sparesAhead: Whether to keep a program that ``startProgramAhead(_:)`` started for this scenario.
    case endProgram(sparesAhead: Bool)
    /// Announces the files of a program. Result: `.number`: how many bytes to send in frames of the kind
    /// ``BoardProtocol/FrameKind/payload``; 0 if the board already has them.
    case offerPayload(PayloadID)
    /// Starts a program; each adapter has one at a time, and a further adapter needs a compartment. Its lines and its
    /// end are reported in `.programPrinted` and `.programEnded` events. Result: `.number` of the run, which those
    /// events carry.
    ///
    /// If a program with an equal request was started ahead, the client takes that over, with all its events since the
    /// start.
    case startProgram(ProgramRequest, on: AdapterID)
    /// Starts a program for a later client, which takes it over by ``startProgram(_:on:)``. Until then its events are
    /// kept. Result: `.done` when it is ready and still runs.
    case startProgramAhead(ProgramStart)
    /// Checks that the program that was started ahead runs. Result: `.done`.
    case checkProgramAhead
    /// Waits until the program is ready. It does not wait for a line, which the runner sees itself. Result: `.number`:
    /// 1 if the program is ready within the time, otherwise 0.
    case awaitProgram(ProgramReadiness, milliseconds: Int, on: AdapterID)
    /// Writes to the program's standard input. Result: `.done` when the program's pipe has taken it all.
    case sendToProgram(Data, on: AdapterID)
    /// Ends the program and all processes that it started. First it asks by SIGTERM and waits for the given time.
    /// Result: `.exit`.
    case stopProgram(graceMilliseconds: Int, on: AdapterID)
    /// Reads a regular file, absolute or relative to the program's working folder. Result: `.value`, at most
    /// ``BoardProtocol/longestFile`` bytes.
    case fetchFile(String, on: AdapterID)
    /// Runs a command that ends on its own. Result: `.command`.
    case runCommand([String], milliseconds: Int, on: AdapterID)
}

/// The result of a command.
package enum BoardResult: Sendable, Codable {
    case done
    case hello(version: Int, role: BoardRole, radiosPowered: Bool)
    case adapter(bluetooth: DeviceAddress?, wifi: DeviceAddress)
    case address(DeviceAddress)
    case versions([String: String])
    case value(Data)
    case number(Int)
    /// The session of the ``ControllerFrame``s, and the adapter's public address.
    case controller(session: UInt32, DeviceAddress)
    case networks([WiFiNetwork])
    case link(WiFiLink)
    case localNetwork(LocalNetworkResult)
    case health(BoardHealth)
    case exit(ProgramExit)
    case command(CommandOutcome)
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
