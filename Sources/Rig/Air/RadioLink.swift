import BoardProtocol
import HILPOSIX
import RigModel
import VirtualRadio

/// One radio of one board. A board has one port for Bluetooth, which carries all its adapters, and one for Wi-Fi.
struct LinkID: Hashable, CustomStringConvertible {
    let board: BoardRole
    let radio: AirRadio
    /// Which of the board's Bluetooth adapters.
    var adapter = AdapterID.first

    /// The radios that two boards have from the start, one for each port.
    static let all = BoardRole.allCases.flatMap { board in AirRadio.allCases.map { LinkID(board: board, radio: $0) } }

    /// The radio whose port carries this one's messages.
    var port: LinkID { LinkID(board: board, radio: radio) }
    /// Whether a board can have this radio. It has only one for Wi-Fi; the host board may have further ones, for the
    /// home's router and for strangers.
    var exists: Bool {
        adapter == .first || radio == .bluetooth && adapter.exists || self == .homeRouter || isOfStranger
    }

    var description: String {
        "the \(board.rawValue) board's \(radio.rawValue) port" + (adapter == .first ? "" : ", adapter \(adapter)")
    }
}

/// Identifies a call whose answer is due: the client, and the call's number.
struct Ticket: Hashable {
    let client: Int
    let call: UInt32
}

/// A call whose answer is due, with the type of the answer.
struct Asked<Value: Codable & Sendable>: Hashable {
    let ticket: Ticket
    let reply: Reply<Value>

    func answer(_ value: Value) -> AirAnswer { AirAnswer(ticket: ticket, outcome: .success(reply(value))) }

    func refuse(_ why: String) -> AirAnswer { AirAnswer(ticket: ticket, outcome: .failure(AirRefusal(why))) }
}

extension Asked<Done> {
    func answer() -> AirAnswer { AirAnswer(ticket: ticket, outcome: .success(reply())) }
}

/// The air's answer to a call.
struct AirAnswer: Equatable {
    let ticket: Ticket
    let outcome: Result<Answer, AirRefusal>

    static func == (one: AirAnswer, other: AirAnswer) -> Bool {
        switch (one.outcome, other.outcome) {
        case (.success(let answer), .success(let second)): one.ticket == other.ticket && answer.isSame(as: second)
        case (.failure(let refusal), .failure(let second)): one.ticket == other.ticket && refusal == second
        case (.success, .failure), (.failure, .success): false
        }
    }
}

/// The state of the conversation with one radio port: a pure state machine.
///
/// The air resets the port, the port answers that it is ready, and then the air plugs in a device if a client wants
/// one. A board that restarts reports ready with token 0. The air resets it again, so that it gets its device back.
struct RadioLink {
    private enum State: Equatable {
        case disconnected
        /// The board has its device from an earlier air; its port is not connected yet.
        case resumed
        case resetting(token: UInt32)
        case ready
        case attaching
        case attached
        case detaching
    }

    /// An action that the medium does for the link.
    enum Action: Equatable {
        case send(RadioMessage)
        /// Give the board a fresh controller or radio.
        case plugIn
        /// Take the controller or radio away.
        case unplug
        case reply(AirAnswer)
        case tell(AirEvent)
    }

    let id: LinkID
    /// The link's state, for clients.
    private(set) var status: AirStatus.Link
    private var state = State.disconnected
    private var isWanted = false
    private var attaching: [Asked<String>] = []
    private var detaching: [Asked<Done>] = []

    init(_ id: LinkID) {
        self.id = id
        status = AirStatus.Link(board: id.board, radio: id.radio, adapter: id.adapter)
    }

    /// Whether packets may be carried.
    var isOpen: Bool { state == .attaching || state == .attached }

    /// Whether the board's kernel has the device.
    var isAttached: Bool { state == .attached }

    /// Counts a message from the board.
    mutating func countReceived() { status.framesFromBoard += 1 }
    /// Counts a message to the board.
    mutating func countSent() { status.framesToBoard += 1 }

    /// Counts bytes or packets that were refused.
    mutating func refuse(_ why: String) -> AirEvent {
        status.refusedFrames += 1
        status.lastRefusal = why
        return .refused(from: "\(id)", why: why)
    }

    /// Notes that the board already has its device, from an earlier air. Its port is not reset when it connects.
    mutating func resume(name: String) {
        status.name = name
        isWanted = true
        state = .resumed
    }

    /// Handles that the port's socket is connected.
    ///
    /// - Parameter token: Any number but 0 that was not used before.
    mutating func connected(token: UInt32) -> [Action] {
        status.isConnected = true
        guard state == .resumed else { return reset(token: token) }
        state = .attached
        return attached(as: status.name ?? "")
    }

    /// Handles that the port's socket is gone.
    mutating func lost() -> [Action] {
        let actions = gone(reason: "\(id) is gone")
        state = .disconnected
        status.isConnected = false
        let refused = detaching.map { Action.reply($0.refuse("\(id) is gone")) }
        detaching = []
        return actions + refuseAttaching("\(id) is gone") + refused + [.tell(.lost(id.board, id.radio))]
    }

    /// Plugs the radio in, for a client.
    mutating func attach(_ asked: Asked<String>) -> [Action] {
        isWanted = true
        if state == .attached { return [.reply(asked.answer(status.name ?? ""))] }
        attaching.append(asked)
        return state == .ready ? plugIn() : []
    }

    /// Pulls the radio out.
    ///
    /// - Parameter asked: Nil if no client waits for the board to notice.
    mutating func detach(_ asked: Asked<Done>?) -> [Action] {
        isWanted = false
        let replies = refuseAttaching("the radio was detached meanwhile")
        switch state {
        case .attaching, .attached:
            if let asked { detaching.append(asked) }
            state = .detaching
            status.name = nil
            return replies + [.unplug, .send(.detach)]
        case .detaching:
            if let asked { detaching.append(asked) }
            return replies
        case .resumed:
            state = .disconnected
            status.name = nil
            return replies + [.unplug] + (asked.map { [.reply($0.answer())] } ?? [])
        case .disconnected, .resetting, .ready: return replies + (asked.map { [.reply($0.answer())] } ?? [])
        }
    }

    /// Handles a message about the device itself, as opposed to its packets.
    ///
    /// - Parameter token: For a reset, if one is needed: any number but 0 that was not used before.
    mutating func receive(_ message: RadioMessage, token: UInt32) -> [Action] {
        switch (message, state) {
        case (.ready(0), .disconnected): return []
        case (.ready(0), _):
            // The radio of a board that starts is not plugged in, so a pending detach is done.
            let replies = detached()
            return gone(reason: "the board's radio program restarted") + replies + reset(token: token)
        case (.ready(let answer), .resetting(let asked)) where answer == asked:
            state = .ready
            return isWanted ? plugIn() : []
        case (.attached(let name), .attaching):
            state = .attached
            status.name = name
            return attached(as: name)
                + [.tell(.attached(id.board, id.radio, adapter: id.adapter, name: name))]
        case (.detached(let reason), .attaching), (.detached(let reason), .attached):
            let actions = gone(reason: reason)
            state = .ready
            isWanted = false
            return actions + refuseAttaching("\(id): \(reason)")
        case (.detached, .detaching):
            state = .ready
            return detached() + [.tell(.detached(id.board, id.radio, adapter: id.adapter, reason: ""))]
                + (isWanted ? plugIn() : [])
        default: return []
        }
    }

    /// Answers the clients that wait for the radio.
    private mutating func attached(as name: String) -> [Action] {
        defer { attaching = [] }
        return attaching.map { .reply($0.answer(name)) }
    }

    private mutating func refuseAttaching(_ why: String) -> [Action] {
        defer { attaching = [] }
        return attaching.map { .reply($0.refuse(why)) }
    }

    /// Answers the clients that wait for the radio's end.
    private mutating func detached() -> [Action] {
        defer { detaching = [] }
        return detaching.map { .reply($0.answer()) }
    }

    private mutating func reset(token: UInt32) -> [Action] {
        state = .resetting(token: token)
        return [.send(.reset(token: token))]
    }

    private mutating func plugIn() -> [Action] {
        state = .attaching
        return [.plugIn, .send(.attach(address: status.address, channels: 1))]
    }

    /// Handles that the device is gone without a request.
    private mutating func gone(reason: String) -> [Action] {
        let wasThere = isOpen
        status.name = nil
        return wasThere ? [.unplug, .tell(.detached(id.board, id.radio, adapter: id.adapter, reason: reason))] : []
    }
}
