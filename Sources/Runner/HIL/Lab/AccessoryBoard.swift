import BoardProtocol
import Foundation
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// The accessory board. A scenario switches its accessories on, and handles them as a person does.
///
/// The accessory may be a program of its maker, which ``run(_:adapter:fileID:filePath:line:)`` starts, or a device on the desk:
/// ``blackBox(named:hooks:)``. Or the board's agent hosts it: an accessory as data,
/// ``powerOn(_:adapter:fileID:filePath:line:)``. Each kind of accessory has its own handle.
public final class AccessoryBoard: Sendable {
    /// The program and the hooks of a scenario.
    struct Programs: Sendable {
        /// The program that was started last on each adapter.
        var running: [AdapterID: RunningProgram] = [:]
        /// The adapters that share the board's bluetoothd with the first.
        var shared: Set<AdapterID> = []
        /// The program that starts with the board, until the scenario asks for it.
        var ahead: ProgramAhead?
        /// Whether a program that runs, or has run, is taken as it is: a person tries again.
        var isAsItIs = false
        /// The hooks of all accessories so far.
        var hooks: [HookRunner] = []
        /// Whether the first adapter has, or has had, a program.
        var hasFirst: Bool { ahead != nil || running[.first] != nil }
        /// What switches the accessories that the agent hosts on again, when the board has power again. That of an accessory as
        /// data keeps it: it answers phones although no scenario holds it.
        var restarts: [AdapterID: @Sendable () async throws -> Void] = [:]
    }

    let board: BoardClient
    let air: AirHandle
    let recorder: ScenarioRecorder
    /// The folder of the package of the scenarios.
    let package: String
    /// The folder for logs of accessories; nil to keep none.
    let logs: String?
    /// The Debian packages that the board got for the programs that the scenario declares; nil if it got none because
    /// its rig cannot.
    let packages: [String]?
    let programs = Mutex(Programs())
    /// An accessory of one kind on one adapter.
    private struct Place: Hashable {
        let kind: String
        let adapter: AdapterID
    }

    /// For each place, the function of its latest link that turns an encoded event into a note for the record.
    private let readers = Mutex<[Place: @Sendable (Data) throws -> AccessoryNote?]>([:])

    init(
        _ board: BoardClient, air: AirHandle, recorder: ScenarioRecorder, package: String = ".", logs: String? = nil,
        packages: [String]? = nil
    ) {
        self.packages = packages
        self.package = package
        self.logs = logs
        self.board = board
        self.air = air
        self.recorder = recorder
    }

    /// Makes a link to the accessory on an adapter. The handle of an accessory is built on it.
    ///
    /// Each accessory has its own Bluetooth adapter, and so its own address, bonds and GATT server. Adapter 0 is always
    /// there. Adapters 1 to 7 are plugged in at the first call that names them. The board has only one Wi-Fi radio; it
    /// belongs to the accessory on adapter 0. Beside a program, each further adapter also has a separate bluetoothd.
    ///
    /// - Parameters:
    ///   - name: The kind of accessory, in one word: `lamp`, as `AgentAccessory.kind` gives it. Logs and timelines use it.
    ///   - story: Returns the line that the log shows for an event; nil to show nothing. It is called once for each
    ///     event, on any thread. Only the latest link of an adapter is asked.
    /// - Returns: A link that has the accessory's events from now on.
    /// - Throws: `RadioError.invalid` if no board can have this adapter; `RigFailure` if the adapter
    ///   cannot be plugged in; `RigLacks` if this rig cannot plug adapters in.
    package func link<Call, Event>(
        named name: String, adapter: AdapterID = .first, story: @escaping @Sendable (Event) -> AccessoryLine?,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> AccessoryLink<Call, Event> {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            guard adapter.exists else {
                throw RadioError.invalid(
                    "a rig has \(AdapterID.limit) accessories at most, on the adapters 0 to \(AdapterID.limit - 1): "
                        + "there is no adapter \(adapter)")
            }
            try air.rig.require(.accessoryBoard, recorder)
            if adapter != .first {
                try await plugIn(adapter, forProgram: false)
            }
            let reader: @Sendable (Data) throws -> AccessoryNote? = { data in
                let event = try JSONDecoder().decode(Event.self, from: data)
                return story(event).map { AccessoryNote(accessory: name, adapter: adapter, $0) }
            }
            recorder.noteCommand("") {
                try await $0.accessory.repeatLink(named: name, on: adapter, reader)
            }
            readers.withLock { $0[Place(kind: name, adapter: adapter)] = reader }
            return AccessoryLink(board, named: name, adapter: adapter, since: board.events.mark, recorder: recorder)
        }
    }

    /// Declares how the accessory on an adapter is switched on again when the board has power again; nil if it is switched off.
    package func onPowerReturn(of adapter: AdapterID, _ restart: (@Sendable () async throws -> Void)?) {
        programs.withLock { $0.restarts[adapter] = restart }
    }

    /// Makes a link that was made to another board, for its events alone.
    func repeatLink(
        named name: String, on adapter: AdapterID, _ reader: @escaping @Sendable (Data) throws -> AccessoryNote?
    ) async throws {
        if adapter != .first { try await plugIn(adapter, forProgram: false) }
        readers.withLock { $0[Place(kind: name, adapter: adapter)] = reader }
    }

    /// Asks what was asked of another board. The answer is that of another accessory, so it does not matter.
    func repeatCall(_ message: Data, of name: String, on adapter: AdapterID) async throws {
        _ = try await board.ask { .accessory(.ask(message, of: name, on: adapter, $0)) }
    }

    /// Whether the scenario has switched an accessory on, or started a program.
    var isInUse: Bool {
        !readers.withLock { $0.isEmpty } || programs.withLock { $0.hasFirst || !$0.running.isEmpty }
    }

    /// Plugs a further adapter in.
    ///
    /// - Parameter forProgram: Whether a program is to use it. With a program on the board, each further adapter has a
    ///   separate bluetoothd.
    func plugIn(_ adapter: AdapterID, forProgram: Bool) async throws {
        let isOwn = programs.withLock { programs in
            let isOwn = forProgram || programs.hasFirst || programs.running[adapter] != nil
            if !isOwn { programs.shared.insert(adapter) }
            return isOwn
        }
        try await RigFailure.doing("plugging in Bluetooth adapter \(adapter)", on: "the accessory board") {
            if isOwn {
                // A rig without adapters to plug in says so.
                _ = try air.rig.facet(air.rig.adapters, .adapters, recorder)
                try await board.ask { .accessory(.prepareCompartment(adapter, $0)) }
            }
            let address = try await air.rig.plugIn(.bluetooth, of: .accessory, adapter: adapter, recorder)
            // Accessories as data and dice report their own names.
            if forProgram { recorder.record(.onAir(address, "the accessory board's adapter \(adapter)")) }
        }
    }

    /// The record of an encoded event of the accessory on an adapter; nil if the log should not show it.
    func story(of data: Data, by kind: String, on adapter: AdapterID) -> ScenarioEvent? {
        guard let read = readers.withLock({ $0[Place(kind: kind, adapter: adapter)] }) else {
            return .note(text: "the accessory of adapter \(adapter) sent \(data.count) bytes that nothing waits for")
        }
        do { return try read(data).map { .accessory($0) } } catch {
            let what = "the accessory of adapter \(adapter) sent \(data.count) bytes that cannot be read"
            return .failure(Failure(.rig, "\(what); rebuild agent and handle with `make build`"))
        }
    }
}

/// A line about an accessory in a scenario's log and timeline.
public struct AccessoryLine: Sendable, Hashable {
    /// The kind of event, in one fixed word: `rolled`. The timeline groups events by it.
    public var kind: String
    /// The text for people.
    public var text: String
    /// The address of the phone, if a link to it came up or was lost; else nil. The log adds whose address it is.
    public var link: DeviceAddress?

    /// Makes a line; the properties say what each value means.
    public init(_ text: String, kind: String = "told", link: DeviceAddress? = nil) {
        self.text = text
        self.kind = kind
        self.link = link
    }
}
