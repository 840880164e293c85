import BoardProtocol
import RadioModel
import Timing

/// Connects a worker to the rigs of one kind.
package protocol RigConnector: Sendable {
    /// The ``RigDescription/kind`` of its rigs.
    var kind: String { get }

    /// Connects to a rig that runs: greets both agents, and opens what else the rig has.
    ///
    /// - Throws: What does not answer, and what to do about it.
    func connect(to endpoint: RigEndpoint) async throws -> RigConnection
}

/// A rig in the hands of the scenario language: two boards, and each facet that this rig has.
package struct RigConnection: Sendable {
    /// What the rig has.
    package let description: RigDescription
    package let host: BoardClient
    package let accessory: BoardClient
    /// What the air tells unasked; nothing where there is no air.
    package var events = EventLog<AirEvent>()
    package var air: (any AirControl)?
    package var distance: (any DistanceControl)?
    package var capture: (any CaptureControl)?
    package var adapters: (any AdapterControl)?
    package var power: (any PowerControl)?

    /// Two boards, and nothing more.
    package init(_ description: RigDescription, host: BoardClient, accessory: BoardClient) {
        self.description = description
        self.host = host
        self.accessory = accessory
    }

    /// The agent of a board.
    package func board(_ role: BoardRole) -> BoardClient { role == .host ? host : accessory }
}

/// An air that does what a scenario asks: ``Capability/air``.
package protocol AirControl: Sendable {
    /// Has the air misbehave so many times, and gives the fault's number. Each firing is told as ``AirEvent/fired(fault:packet:count:of:)``.
    func arm(_ fault: AirFault, firings: Int) async throws -> Int

    /// Ends a fault, and gives how often it fired.
    func disarm(_ number: Int) async throws -> Int

    /// Puts a station on the air, in place of one with its address.
    func add(_ station: AirStation) async throws

    /// Takes the station with this address off the air.
    func remove(_ address: DeviceAddress) async throws
}

/// A distance between the boards that can be set: ``Capability/distance``.
package protocol DistanceControl: Sendable {
    /// Puts the boards this many metres apart; nil is out of each other's range.
    func set(metres: Double?) async throws

    /// Walks along a path, from where the boards are; returns at its end.
    func walk(along path: [AirWaypoint]) async throws
}

/// A capture of everything on the air, as a pcapng file: ``Capability/capture``.
///
/// Interfaces are named `host-hci0`, `accessory-hci1` and so on for a board's Bluetooth adapters. Their packets begin with the
/// direction in four bytes, then H4 (link type 201).
package protocol CaptureControl: Sendable {
    /// Writes every packet from now on into a new file at this absolute path.
    func start(into path: String) async throws

    /// The whole file, up to a packet that has just passed.
    func soFar() async throws -> [UInt8]

    /// Ends the file.
    ///
    /// - Throws: When it is not complete.
    func stop() async throws
}

/// Radios that can be plugged in and pulled out: ``Capability/adapters``.
package protocol AdapterControl: Sendable {
    /// Plugs a radio into a board, and gives its address once the board's kernel has it. One that is plugged in stays so.
    ///
    /// - Parameter adapter: Which of the board's Bluetooth adapters; of Wi-Fi a board has one radio.
    func attach(_ radio: AirRadio, to board: BoardRole, adapter: AdapterID) async throws -> DeviceAddress

    /// Pulls a radio out of a board; returns when the board's kernel has noticed.
    func detach(_ radio: AirRadio, from board: BoardRole, adapter: AdapterID) async throws

    /// Takes a radio off the air at once, of a board that has no power and cannot notice. With Bluetooth go all adapters.
    func silence(_ radio: AirRadio, of board: BoardRole) async throws
}

/// A switch for the power of each board: ``Capability/power``.
package protocol PowerControl: Sendable {
    /// Whether what is on a board's disk outlives its power.
    var keepsDisks: Bool { get }

    /// Off: nothing runs on the board any more, and what its memory held is lost.
    func cut(_ board: BoardRole) async throws

    /// On again: the board boots. Returns when it has begun to.
    func restore(_ board: BoardRole) async throws
}
