import BoardProtocol
import Foundation
import RadioModel
import RigModel
import Synchronization
import Timing

/// The accessory board, as a person with the accessories in the hand has it.
///
/// What is on it depends on what its agent hosts: the kind of accessory brings a handle of its own, which a scenario switches on
/// by `lab.accessory.powerOn(…)`. Such a handle is made with ``link(named:adapter:story:fileID:filePath:line:)``.
public final class AccessoryBoard: Sendable {
    private let board: BoardClient
    private let air: AirHandle
    private let recorder: ScenarioRecorder
    /// What makes a line of the story of what an adapter's accessory tells; of the latest link.
    private let tellers = Mutex<[AdapterID: @Sendable (Data) throws -> AccessoryNote?]>([:])

    init(_ board: BoardClient, air: AirHandle, recorder: ScenarioRecorder) {
        self.board = board
        self.air = air
        self.recorder = recorder
    }

    /// Makes a link to the accessory that the agent hosts on an adapter, for a handle of that kind of accessory.
    ///
    /// Each accessory has a Bluetooth adapter of its own, and with it an address, bonds and a GATT server. Adapter 0 is there
    /// from the start, 1 to 7 are made when they are asked for first. The board has one radio for Wi-Fi, which is that of 0.
    ///
    /// - Parameters:
    ///   - name: The kind of accessory in a word, by which stories and timelines call it: `lamp`.
    ///   - story: What the story tells of an event; nil for what is not worth a line. Called on any thread, for each event once,
    ///     by the latest link of the adapter.
    /// - Returns: A link whose events begin here.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for an adapter that no board has, ``RigFailure`` where it cannot be made.
    public func link<Command, Answer, Event>(
        named name: String, adapter: AdapterID = .first, story: @escaping @Sendable (Event) -> AccessoryLine?,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> AccessoryLink<Command, Answer, Event> {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            guard adapter.exists else {
                throw RadioError.invalid(
                    "a rig has \(AdapterID.limit) accessories at most, on the adapters 0 to \(AdapterID.limit - 1): "
                        + "there is no adapter \(adapter)")
            }
            if adapter != .first {
                try await RigFailure.doing("plugging in Bluetooth adapter \(adapter)", on: "the accessory board") {
                    try await air.rig.plugIn(.bluetooth, of: .accessory, adapter: adapter, recorder)
                }
            }
            tellers.withLock { tellers in
                tellers[adapter] = { data in
                    let event = try JSONDecoder().decode(Event.self, from: data)
                    return story(event).map { AccessoryNote(accessory: name, adapter: adapter, $0) }
                }
            }
            return AccessoryLink(board, named: name, adapter: adapter, since: board.events.count, recorder: recorder)
        }
    }

    /// What the story tells of something that an adapter's accessory told; nil for nothing.
    func story(of data: Data, on adapter: AdapterID) -> ScenarioEvent? {
        guard let tell = tellers.withLock({ $0[adapter] }) else {
            return .note(text: "the accessory of adapter \(adapter) told \(data.count) bytes, which nobody waits for")
        }
        do { return try tell(data).map { .accessory($0) } } catch {
            let what = "the accessory of adapter \(adapter) told \(data.count) bytes that cannot be read"
            return .failure(Failure(.rig, "\(what); build agent and handle anew, by `make build`"))
        }
    }
}

/// A line of the story about an accessory.
public struct AccessoryLine: Sendable, Hashable {
    /// What sort of event it is, in a word that stays the same; for the timeline.
    public var kind: String
    /// For people.
    public var text: String
    /// The phone to which a link came up or was lost: the story says whose the address is.
    public var link: DeviceAddress?

    public init(_ text: String, kind: String = "told", link: DeviceAddress? = nil) {
        self.text = text
        self.kind = kind
        self.link = link
    }
}

/// Something that an accessory told, as a run's record has it.
package struct AccessoryNote: Sendable, Hashable, Codable {
    /// The kind of accessory, in a word: `lamp`.
    package var accessory: String
    /// The Bluetooth adapter that it has.
    package var adapter: AdapterID
    /// What sort of event it is, in a word that stays the same.
    package var kind: String
    /// For people.
    package var text: String
    /// The phone to which a link came up or was lost.
    package var link: DeviceAddress?

    package init(accessory: String, adapter: AdapterID, _ line: AccessoryLine) {
        self.accessory = accessory
        self.adapter = adapter
        kind = line.kind
        text = line.text
        link = line.link
    }
}
