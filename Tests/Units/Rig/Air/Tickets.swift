import BoardProtocol
import HILPOSIX
import RadioModel
import RigModel

@testable import HILAir

/// Calls of a client whose type of answer follows from the call.
extension Medium {
    mutating func attach(_ id: LinkID, _ ticket: Ticket) -> [Action] { attach(id, ticket.asked()) }
    mutating func detach(_ id: LinkID, _ ticket: Ticket) -> [Action] { detach(id, ticket.asked()) }
    mutating func silence(_ id: LinkID, _ ticket: Ticket) -> [Action] { silence(id, ticket.asked()) }
    mutating func disarm(_ number: Int, _ ticket: Ticket) -> [Action] { disarm(number, ticket.asked()) }
    mutating func add(_ station: AirStation, _ ticket: Ticket) -> [Action] { add(station, ticket.asked()) }
    mutating func remove(_ address: DeviceAddress, _ ticket: Ticket) -> [Action] { remove(address, ticket.asked()) }

    mutating func arm(_ fault: AirFault, firings: Int, _ ticket: Ticket) -> [Action] {
        arm(fault, firings: firings, ticket.asked())
    }

    mutating func move(
        _ path: [AirWaypoint], _ ticket: Ticket, now: ContinuousClock.Instant = .now
    ) -> [Action] { move(path, ticket.asked(), now: now) }
}

extension Ticket {
    fileprivate func asked<Value>() -> Asked<Value> { Asked(ticket: self, reply: Reply()) }

    /// The air's answer to this call.
    func answer<Value: Codable & Sendable>(_ value: Value) -> Medium.Action { .reply(asked().answer(value)) }

    /// The air's answer to this call: it is done.
    var done: Medium.Action { .reply(asked().answer()) }
}

extension [Medium.Action] {
    /// The answers among them, as text: `hci0`, `done`, `refused: …`.
    var answers: [String] {
        compactMap { action in
            guard case .reply(let answer) = action else { return nil }
            switch answer.outcome {
            case .success(let answer): return answer.value is Done ? "done" : "\(answer.value)"
            case .failure(let refusal): return "refused: \(refusal.why)"
            }
        }
    }
}
