import BoardProtocol
import Foundation
import RadioModel
import RigModel
import Timing

/// A typed conversation with an accessory that the agent of the accessory board hosts, for a handle of that kind of accessory.
///
/// Both ends read and write JSON: commands, answers and events are the kind's own types, and nobody between knows them. The
/// methods of a handle pass on their caller's `#fileID`, `#filePath` and `#line`, so that an error points at the scenario's line.
public final class AccessoryLink<
    Command: Encodable & Sendable, Answer: Decodable & Sendable, Event: Decodable & Sendable
>: Sendable {
    /// The Bluetooth adapter that the accessory has, by which faults name it.
    public let adapter: AdapterID
    /// What it told since the link was made. It ends, with ``RadioModel/RadioError/rig(_:)``, when the board is lost.
    public let events = EventLog<Event>()
    private let name: String
    private let board: BoardClient
    private let recorder: ScenarioRecorder
    private let pump: Task<Void, Never>

    /// - Parameter start: Where in the board's events its own begin.
    init(_ board: BoardClient, named name: String, adapter: AdapterID, since start: Int, recorder: ScenarioRecorder) {
        self.board = board
        self.name = name
        self.adapter = adapter
        self.recorder = recorder
        pump = Task { [events] in
            var place = start
            do {
                while true {
                    // The log ends with an error when the agent is lost; a wait of a day is "for ever" here.
                    let (told, next) = try await board.events.first(
                        from: place, within: .seconds(86_400), waitingFor: "an event of the accessory board")
                    place = next
                    // What cannot be read is recorded where the story is told.
                    guard case .accessory(let data, adapter) = told,
                        let event = try? JSONDecoder().decode(Event.self, from: data)
                    else { continue }
                    events.append(event)
                }
            } catch { events.finish(throwing: error) }
        }
    }

    deinit { pump.cancel() }

    /// Has the accessory do something, and gives its answer.
    ///
    /// - Parameter limit: How long it may take.
    /// - Throws: ``RadioModel/RadioError``: what the accessory refused it with, or ``RadioModel/RadioError/rig(_:)`` when its board
    ///   is lost or does not answer.
    @discardableResult
    public func ask(
        _ command: Command, within limit: Duration = .seconds(30), fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> Answer {
        try await call(fileID: fileID, filePath: filePath, line: line) {
            let result = try await board.ask(.accessory(JSONEncoder().encode(command), on: adapter), within: limit)
            guard case .value(let data) = result, let answer = try? JSONDecoder().decode(Answer.self, from: data) else {
                throw RigFailure(
                    "asking the \(name)", on: "the accessory board", "its answer cannot be read",
                    remedy: "build agent and handle anew, by `make build`")
            }
            return answer
        }
    }

    /// Waits for something that the accessory tells of itself, since the link was made.
    ///
    /// - Parameters:
    ///   - place: From which event on; by default from the first.
    ///   - what: What is awaited, for the error: `the lamp to shine`.
    /// - Throws: ``Timing/TimedOut``, or ``RadioModel/RadioError/rig(_:)`` when the board is lost.
    @discardableResult
    public func event(
        from place: Int = 0, within limit: Duration, waitingFor what: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, where matches: @escaping @Sendable (Event) -> Bool
    ) async throws -> Event {
        try await call(fileID: fileID, filePath: filePath, line: line) {
            try await events.first(from: place, within: limit, waitingFor: what, where: matches).event
        }
    }

    /// Does something at the wish of a scenario's line: an error is told with that line.
    public func call<Value>(
        fileID: String, filePath: String, line: Int, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line), body)
    }

    /// Tells the story that an address of the air is this accessory's.
    ///
    /// - Parameter name: What the accessory is called: `Lamp 7`.
    public func isOnAir(at address: DeviceAddress, as name: String) {
        recorder.record(.onAir(address, "the accessory board's adapter \(adapter) (\(name))"))
    }
}
