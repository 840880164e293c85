import BoardProtocol
import HILPOSIX
import HILTiming
import RadioModel

/// Strangers near a host board: each has a station with a radio of its own, in a network that the phone does not see.
actor Strangers {
    private let folder: AgentFolder
    private let journal: Journal
    private let channelsInUse: @Sendable () -> [Int]?
    private let gate = Gate()
    private var stations: [DeviceAddress: StationBoard] = [:]

    /// - Parameter channelsInUse: Returns the channels to listen on now, as centre frequencies in MHz; nil if they are
    ///   not known.
    init(folder: AgentFolder, journal: Journal, channelsInUse: @escaping @Sendable () -> [Int]?) {
        (self.folder, self.journal, self.channelsInUse) = (folder, journal, channelsInUse)
    }

    /// The station with this radio. It is made at the first call.
    func station(at radio: DeviceAddress) async throws -> StationBoard {
        await gate.enter()
        defer { gate.leave() }
        if let station = stations[radio] { return station }
        let own = try AgentFolder(path: folder.file("stranger-\(stations.count)"))
        let station = StationBoard(
            folder: own, journal: journal, interfaceName: nil, radioAddress: radio, in: try NetworkNamespace(),
            channelsInUse: channelsInUse
        ) { [journal] event in journal.write("a stranger: \(event)", from: "agent") }
        // Kept from now on, so that what was started ends with the others.
        stations[radio] = station
        try await station.start()
        _ = try await station.power()
        return station
    }

    /// Ends all of them. Their radios return to the board's other radios.
    func leave() async {
        await gate.enter()
        defer { gate.leave() }
        for station in stations.values { await station.stop() }
        stations = [:]
    }
}

extension Board {
    func perform(_ call: StrangerCall) async throws -> Answer {
        guard let strangers else {
            throw RadioError.invalid("this is an accessory board: strangers need a host board")
        }
        switch call {
        case .station(let radio, let call): return try await strangers.station(at: radio).perform(call)
        case .askPorts(let radio, let question, let reply):
            return reply(try await strangers.station(at: radio).ask(question))
        case .leave(let reply):
            await strangers.leave()
            return reply()
        }
    }
}
