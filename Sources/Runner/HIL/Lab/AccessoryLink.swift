import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel

/// A typed connection to an accessory that the accessory board's agent hosts. A handle for a kind of accessory uses it.
///
/// Calls, with their answers, and events are types of that kind of accessory, sent as JSON. The harness passes them on
/// unread.
/// The methods of a handle pass on `#fileID`, `#filePath` and `#line` of their caller, so that an error points at the
/// line of the scenario.
package final class AccessoryLink<Call: Encodable & Sendable, Event: Decodable & Sendable>: Sendable {
    /// The accessory's Bluetooth adapter. Faults name an accessory by it.
    package let adapter: AdapterID
    /// The accessory's events since the link was made. The log ends with `RadioError.rig` if the board
    /// is lost.
    package let events = EventLog<Event>()
    private let name: String
    private let board: BoardClient
    private let recorder: ScenarioRecorder
    private let pump: Task<Void, Never>

    /// - Parameter mark: The moment from which this link takes its events out of the board's.
    init(
        _ board: BoardClient, named name: String, adapter: AdapterID, since mark: EventLog<BoardEvent>.Mark,
        recorder: ScenarioRecorder
    ) {
        self.board = board
        self.name = name
        self.adapter = adapter
        self.recorder = recorder
        pump = Task { [events, name] in
            do {
                // The log ends with an error when the agent is lost.
                for try await event in board.events.events(since: mark) {
                    // The lab records an event that cannot be read.
                    guard case .accessory(let data, name, adapter) = event,
                        let event = try? JSONDecoder().decode(Event.self, from: data)
                    else { continue }
                    events.append(event)
                }
            } catch { events.finish(throwing: error) }
        }
    }

    deinit { pump.cancel() }

    /// Asks something of the accessory, and returns its answer.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for the answer.
    ///   - call: Makes the call from its reply: `{ .roll(face: 6, $0) }`.
    /// - Throws: The `RadioError` with which the accessory refused; `RadioError.rig` if
    ///   the board is lost or does not answer in time; `RigFailure` if the answer cannot be read.
    @discardableResult
    package func ask<Value>(
        within limit: Duration = .seconds(30), fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, isolation: isolated (any Actor)? = #isolation, _ call: (Reply<Value>) -> Call
    ) async throws -> Value {
        let message = try JSONEncoder().encode(call(Reply()))
        let words = PlainText.words(ofCall: message)
        recorder.noteCommand("\(name): \(words)") { [name, adapter] in
            try await $0.accessory.repeatCall(message, of: name, on: adapter)
        }
        return try await self.call(fileID: fileID, filePath: filePath, line: line) {
            let answer = try await board.ask(within: limit, waitingFor: "the \(name)'s answer to “\(words)”") {
                .accessory(.ask(message, of: name, on: adapter, $0))
            }
            do { return try JSONDecoder().decode(Value.self, from: answer) } catch {
                throw RigFailure(
                    "asking the \(name)", on: "the accessory board", "its answer cannot be read",
                    remedy: "rebuild agent and handle with `make build`")
            }
        }
    }

    /// Runs `body` for a line of a scenario. If an error of `body` ends the scenario, the report names that line.
    package func call<Value>(
        fileID: String, filePath: String, line: Int, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line), body)
    }

    /// Notes in the record that a Bluetooth address belongs to this accessory. Timelines show the name beside the
    /// address.
    ///
    /// - Parameter name: The accessory's name: `Lamp 7`.
    package func isOnAir(at address: DeviceAddress, as name: String) {
        recorder.record(.onAir(address, "the accessory board's adapter \(adapter) (\(name))"))
    }
}
