import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel
import VirtualRadio

/// The virtual medium between the boards, without its sockets: frames and requests in, actions out.
///
/// Packets of one board reach the other only through the Bluetooth controllers or the 802.11 medium.
struct Medium {
    /// An action that the server does for the medium.
    enum Action: Equatable {
        case send(RadioMessage, LinkID)
        case capture(CapturedPacket)
        case reply(AirAnswer)
        case tell(AirEvent)
        /// An H4 packet for the program of a host stack.
        case deliver([UInt8], to: AdapterID)
        /// A line for the log.
        case log(String)
    }

    let makeController: (DeviceAddress) throws -> any BluetoothController
    private let radios: [LinkID]
    var links: [LinkID: RadioLink]
    var bluetooth: BluetoothMedium
    /// The controllers that wait for a host stack or have one.
    var hostStacks: [AdapterID: HostStack] = [:]
    var wifi = WiFiMedium()
    var geometry = Geometry()
    let faults: FaultInjector
    let stations = Stations()
    var walk: (path: Walk, asked: Asked<Done>)?
    /// The channels in use, in MHz, as last sent to the boards' Wi-Fi radios.
    private var toldChannels: [UInt16] = []
    private var lastToken: UInt32

    /// - Parameters:
    ///   - radios: The radios that the boards have from the start.
    ///   - firstToken: The first token for resets; different in every run, so that old answers do not match.
    ///   - makeController: Makes a Bluetooth controller with an address.
    init(
        radios: [LinkID] = LinkID.all, firstToken: UInt32, faults: FaultInjector = FaultInjector(),
        makeController: @escaping (DeviceAddress) throws -> any BluetoothController
    ) {
        lastToken = firstToken
        self.faults = faults
        bluetooth = BluetoothMedium(faults: faults, population: stations)
        self.makeController = makeController
        self.radios = radios
        links = Dictionary(uniqueKeysWithValues: radios.map { ($0, RadioLink($0)) })
    }

    /// Whether ``tick(now:)`` must be called every ``BluetoothMedium/tickInterval``.
    var needsTicks: Bool { bluetooth.needsTicks || faults.needsTicks || !stations.isEmpty || walk != nil }

    /// The state of the medium. The server adds the capture and the clients.
    var status: AirStatus {
        AirStatus(
            distance: geometry.distance, bluetoothSignal: geometry.signal(.bluetooth),
            wifiSignal: geometry.signal(.wifi),
            links: (radios + furtherLinks).compactMap { links[$0]?.status }, capturePath: nil, capturedPackets: 0,
            refusedClientFrames: 0)
    }

    /// The adapters that clients added to those that the boards have from the start.
    private var furtherLinks: [LinkID] {
        links.keys.filter { $0.adapter != .first }.sorted {
            AirAdapter(board: $0.board, number: $0.adapter) < AirAdapter(board: $1.board, number: $1.adapter)
        }
    }

    /// All radios whose messages travel through a port; the port's own radio is first.
    private func links(on port: LinkID) -> [LinkID] { [port] + furtherLinks.filter { $0.port == port } }

    /// Takes over a board's radio from an earlier air. The recording contains the packets with which the board's kernel
    /// set it up.
    ///
    /// - Throws: ``AirError`` if no controller can be made.
    mutating func resume(_ id: LinkID, _ recording: RadioRecording) throws(AirError) {
        guard plugIn(id).isEmpty else { throw AirError("no controller can be made for \(id)") }
        for message in recording.messages {
            switch message {
            // The board already has the answers.
            case .packet(let packet): _ = bluetooth.receive(packet, from: AirAdapter(id), geometry: geometry)
            case .hears(let address, let now): wifi.hears(address, now, on: AirPlace(id))
            default: break
            }
        }
        links[id]?.resume(name: recording.name)
    }

    /// Handles that a port's socket is connected.
    mutating func connected(_ id: LinkID) -> [Action] {
        links(on: id).flatMap { link in
            let token = nextToken()
            return perform(on: link) { $0.connected(token: token) }
        }
    }

    /// Handles that a port's socket is gone.
    mutating func lost(_ id: LinkID) -> [Action] { links(on: id).flatMap { perform(on: $0) { $0.lost() } } }

    /// Handles bytes from a board.
    mutating func receive(_ item: FrameReader.Item, on id: LinkID) -> [Action] {
        switch item {
        case .refused(let why): return refuse(why, on: id)
        case .frame(let frame):
            do {
                let message = try RadioMessage(frame)
                links[id]?.countReceived()
                return try receive(message, throughPort: id) + afterFaults()
            } catch { return refuse("\(error)", on: id) }
        }
    }

    /// Plugs in a radio for a client.
    mutating func attach(_ id: LinkID, _ asked: Asked<String>) -> [Action] {
        if links[id] == nil {
            guard links[id.port] != nil else {
                return [.reply(asked.refuse("the rig has no \(id.board.rawValue) board"))]
            }
            guard id.exists else {
                let most =
                    "a board has at most \(AdapterID.limit) Bluetooth adapters, and one Wi-Fi radio, "
                    + "the host board a second one for the home's router, and two for strangers"
                let lack = "the \(id.board.rawValue) board has no \(id.radio) adapter \(id.adapter)"
                return [.reply(asked.refuse("\(lack): \(most)"))]
            }
            let isConnected = links[id.port]?.status.isConnected == true
            links[id] = RadioLink(id)
            let token = nextToken()
            let greeting = isConnected ? perform(on: id) { $0.connected(token: token) } : []
            return greeting + perform(on: id) { $0.attach(asked) }
        }
        return perform(on: id) { $0.attach(asked) }
    }

    mutating func detach(_ id: LinkID, _ asked: Asked<Done>) -> [Action] {
        guard links[id] != nil else { return [.reply(asked.answer())] }
        return perform(on: id) { $0.detach(asked) }
    }

    mutating func silence(_ id: LinkID, _ asked: Asked<Done>) -> [Action] {
        guard links[id] != nil else { return [.reply(asked.answer())] }
        let all = id.adapter == .first ? links(on: id) : [id]
        return all.flatMap { perform(on: $0) { $0.detach(nil) } } + [.reply(asked.answer())]
    }

    /// Sets the distance between the boards, and ends a walk.
    ///
    /// - Parameter metres: The distance in metres; nil is out of range.
    @discardableResult
    mutating func setDistance(_ metres: Double?) -> [Action] {
        geometry.distance = metres
        return endWalk { $0.refuse("another distance was set") }
    }

    /// Sets the distance between the home's router and a board.
    ///
    /// - Parameter metres: The distance in metres; nil is out of range.
    mutating func setHome(_ metres: Double?, from board: BoardRole) { geometry.home[board] = metres }

    /// Does all timed work: the walk, held packets, stations and Bluetooth controllers.
    mutating func tick(now: ContinuousClock.Instant) -> [Action] {
        let walked = step(at: now)
        let released = faults.takeDue().flatMap { release($0) }
        let spoken = stations.takeDue(at: now).flatMap { speak($0) }
        return walked + released + spoken + actions(for: bluetooth.tick(geometry: geometry, now: now)) + afterFaults()
    }

    /// Handles a message from a port, which carries all adapters of its board.
    private mutating func receive(
        _ message: RadioMessage, throughPort port: LinkID
    ) throws(MalformedRadioMessage) -> [Action] {
        switch message {
        case .of(let number, let message):
            let id = LinkID(board: port.board, radio: port.radio, adapter: AdapterID(rawValue: Int(number)))
            guard links[id] != nil else { return refuse("a message of \(id), which does not exist", on: port) }
            links[id]?.countReceived()
            return receive(message, on: id)
        // A board that has just started has lost all its adapters.
        case .ready(token: 0): return links(on: port).flatMap { receive(message, on: $0) }
        default: return receive(message, on: port)
        }
    }

    private mutating func receive(_ message: RadioMessage, on id: LinkID) -> [Action] {
        switch message {
        case .note(let text): return [.log("\(id): \(text)")]
        case .ready, .attached, .detached:
            let token = nextToken()
            return perform(on: id) { $0.receive(message, token: token) }
        case .packet(let packet) where id.radio == .bluetooth:
            guard links[id]?.isOpen == true else { return [] }
            return [.capture(.hci(AirAdapter(id), sentByHost: true, packet))] + command(packet, on: AirAdapter(id))
        case .transmit(let transmission) where id.radio == .wifi: return carry(transmission, from: AirPlace(id))
        case .hears(let address, let now) where id.radio == .wifi:
            wifi.hears(address, now, on: AirPlace(id))
            return tellChannels()
        default: return refuse("a message that does not belong on this port", on: id)
        }
    }

    mutating func actions(for outcomes: [BluetoothMedium.Outcome]) -> [Action] {
        outcomes.flatMap { outcome -> [Action] in
            switch outcome {
            case .hci(let board, let packet): return event(packet, on: board)
            case .note(let board, let text): return [.log("\(board): \(text)")]
            case .refused(let board, let why):
                if let stack = hostStack(of: board) { return [.tell(.hostStack(stack, .refused(why: why)))] }
                return refuse(why, on: board.link)
            }
        }
    }

    mutating func send(_ message: RadioMessage, on id: LinkID) -> [Action] {
        links[id]?.countSent()
        guard id.adapter != .first else { return [.send(message, id)] }
        return [.send(.of(adapter: UInt8(truncatingIfNeeded: id.adapter.rawValue), message), id.port)]
    }

    private mutating func refuse(_ why: String, on id: LinkID) -> [Action] {
        guard let event = links[id]?.refuse(why) else { return [] }
        return [.tell(event)]
    }

    mutating func perform(
        on id: LinkID, _ step: (inout RadioLink) -> [RadioLink.Action]
    ) -> [Action] {
        var link = links[id] ?? RadioLink(id)
        let wanted = step(&link)
        let isNew = link.isAttached && links[id]?.isAttached == false
        links[id] = link
        let actions = wanted.flatMap { action -> [Action] in
            switch action {
            case .send(let message): return send(message, on: id)
            case .reply(let answer): return [.reply(answer)]
            case .tell(let event): return [.tell(event)]
            case .unplug:
                id.radio == .bluetooth ? bluetooth.unplug(AirAdapter(id)) : wifi.unplug(AirPlace(id))
                return []
            case .plugIn: return plugIn(id)
            }
        }
        guard id.radio == .wifi else { return actions }
        return actions + (isNew && id.adapter == .first ? send(.channels(channelsInUse), on: id) : []) + tellChannels()
    }

    /// The channels that networks and stations use, in MHz.
    private var channelsInUse: [UInt16] { wifi.frequencies.union(stations.frequencies).sorted() }

    /// Sends the boards the channels in use, if these have changed. A router does not look for networks.
    mutating func tellChannels() -> [Action] {
        let now = channelsInUse
        guard now != toldChannels else { return [] }
        toldChannels = now
        let listeners = BoardRole.allCases.map { LinkID(board: $0, radio: .wifi) }
        return listeners.filter { links[$0]?.isAttached == true }.flatMap { send(.channels(now), on: $0) }
    }

    private mutating func plugIn(_ id: LinkID) -> [Action] {
        guard id.radio == .bluetooth else {
            wifi.plugIn(AirPlace(id))
            return []
        }
        do {
            let address = AirAddress.of(.bluetooth, on: id.board, adapter: id.adapter)
            bluetooth.plugIn(try makeController(address), on: AirAdapter(id))
            return []
        } catch { return refuse("no controller can be made: \(error)", on: id) }
    }

    private mutating func nextToken() -> UInt32 {
        lastToken = lastToken == .max ? 1 : lastToken + 1
        return lastToken
    }
}
