import BoardProtocol
import HILTiming
import RadioModel

/// Connects a worker to the rigs of one kind.
package protocol RigConnector: Sendable {
    /// The ``RigDescription/kind`` of its rigs.
    var kind: String { get }

    /// Connects to a running rig: greets both agents, and opens the rig's other facets.
    ///
    /// - Throws: ``RigFailure`` with the part that does not answer, and the remedy.
    func connect(to endpoint: RigEndpoint) async throws -> RigConnection
}

/// A worker's connection to a rig: its boards, and the facets that this rig has.
package struct RigConnection: Sendable {
    /// The capabilities of the rig.
    package let description: RigDescription
    package let host: BoardClient
    /// The accessory board; an ``AbsentBoard`` if there is none.
    package let accessory: BoardClient
    /// Why there is no accessory board; nil if there is one.
    package var absence: String?
    /// The boards without power at first. Any command that needs one switches it on and plugs its radios in.
    package var asleep: Set<BoardRole> = []
    /// Whether the phone is in a person's hand, and the host board has no part.
    package var isPhoneInHand = false
    /// The events of the air; empty if the rig has none.
    package var events = EventLog<AirEvent>()
    package var air: (any AirControl)?
    package var distance: (any DistanceControl)?
    package var capture: (any CaptureControl)?
    package var adapters: (any AdapterControl)?
    package var hostStacks: (any HostStackControl)?
    /// Where the phone's own host stack gets its controller.
    package var phoneController: (any PhoneControllerControl)?
    package var power: (any PowerControl)?
    /// The home of a bench; nil for the router of a virtual rig, or one that shares the phone's radio.
    package var home: BenchHomeConnection?

    /// A connection with two boards and no other facets.
    package init(_ description: RigDescription, host: BoardClient, accessory: BoardClient) {
        self.description = description
        self.host = host
        self.accessory = accessory
    }

    /// The agent of a board.
    package func board(_ role: BoardRole) -> BoardClient { role == .host ? host : accessory }

    /// Whether there is this board, with its power on from the start.
    package func has(_ role: BoardRole) -> Bool {
        !asleep.contains(role) && (role == .host || absence == nil)
    }
}

/// Control over the air: ``Capability/air``.
package protocol AirControl: Sendable {
    /// Arms a fault, to fire this many times, and returns its number.
    ///
    /// Each firing is reported as ``AirEvent/fired(fault:packet:count:of:)``.
    func arm(_ fault: AirFault, firings: Int) async throws -> Int

    /// Disarms a fault, and returns how often it fired.
    func disarm(_ number: Int) async throws -> Int

    /// Puts a station on the air. It replaces a station with the same address.
    func add(_ station: AirStation) async throws

    /// Takes the station with this address off the air.
    func remove(_ address: DeviceAddress) async throws
}

/// A distance between the boards that can be set: ``Capability/distance``.
package protocol DistanceControl: Sendable {
    /// Sets the distance between the boards, in metres; nil is out of range.
    func set(metres: Double?) async throws

    /// Sets the distance between the home's router and a board, in metres; nil is out of range.
    func set(metres: Double?, ofHomeFrom board: BoardRole) async throws

    /// Moves the boards along a path, from their present distance; returns at its end.
    func walk(along path: [AirWaypoint]) async throws
}

/// A capture of everything on the air, as a pcapng file: ``Capability/capture``.
///
/// A board's Bluetooth adapters have interfaces named `host-hci0`, `accessory-hci1` and so on. Their packets begin with
/// four bytes of direction, then H4 (link type 201).
package protocol CaptureControl: Sendable {
    /// Writes every packet from now on into a new file at this absolute path.
    func start(into path: String) async throws

    /// The whole file so far, with every packet that was sent before this call.
    func soFar() async throws -> [UInt8]

    /// Ends the file.
    ///
    /// - Throws: ``RigFailure`` if the file is not complete.
    func stop() async throws
}

/// Radios that can be plugged in and pulled out: ``Capability/adapters``.
package protocol AdapterControl: Sendable {
    /// Plugs a radio into a board, and returns its address once the board's kernel has it. A radio that is already
    /// plugged in stays so.
    ///
    /// - Parameter adapter: Which of the board's Bluetooth adapters. A board has only one Wi-Fi radio; the host board
    ///   has further ones, for the home's router, ``AdapterID/homeRouter``, and for ``AdapterID/strangers``.
    func attach(_ radio: AirRadio, to board: BoardRole, adapter: AdapterID) async throws -> DeviceAddress

    /// Pulls a radio out of a board; returns when the board's kernel has noticed.
    func detach(_ radio: AirRadio, from board: BoardRole, adapter: AdapterID) async throws

    /// Takes a radio of a board without power off the air at once; the board cannot notice. With Bluetooth, all its
    /// adapters go.
    func silence(_ radio: AirRadio, of board: BoardRole) async throws
}

/// A switch for the power of each board: ``Capability/power``.
package protocol PowerControl: Sendable {
    /// Switches the power off: the board stops, and the content of its memory is lost. Its disk keeps all written data.
    func cut(_ board: BoardRole) async throws

    /// Switches the power on again. Returns when the board has begun to boot.
    func restore(_ board: BoardRole) async throws
}
