import Air
import BoardProtocol
import Foundation
import Timing

/// What lies between the boards: the virtual radio medium.
public final class AirHandle: Sendable {
    let ask: @Sendable (AirRequest) async throws -> AirReply
    let power: @Sendable (BoardRole, AdapterID) async throws -> Void
    let recorder: ScenarioRecorder
    /// What the air tells of its own accord.
    let events: EventLog<AirEvent>
    private let capture: String

    /// - Parameters:
    ///   - capture: The path of the capture that is being written.
    ///   - recorder: Hears of faults that did not fire.
    ///   - power: Powers the radios of a board that has them back; of a further Bluetooth adapter, that one.
    ///   - ask: Asks the air and gives its answer; throws what it refuses.
    init(
        capture: String, events: EventLog<AirEvent> = EventLog(),
        recorder: ScenarioRecorder = ScenarioRecorder { _ in },
        power: @escaping @Sendable (BoardRole, AdapterID) async throws -> Void = { _, _ in },
        ask: @escaping @Sendable (AirRequest) async throws -> AirReply
    ) {
        self.capture = capture
        self.events = events
        self.recorder = recorder
        self.power = power
        self.ask = ask
    }

    /// Puts the boards this many metres apart, which sets the signal of Bluetooth and of Wi-Fi.
    public func setDistance(
        _ metres: Double, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await done(.setDistance(metres: metres), at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Puts the boards out of each other's range.
    public func separate(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await done(.setDistance(metres: nil), at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Whether any packet so far, of either board and of any radio, holds these bytes, as they are or as UTF-16.
    ///
    /// Bytes that a protocol cut into several packets are found as well. HCI is captured above the link's encryption,
    /// Wi-Fi below it. To trust a `false`, look for something that must be there, too.
    ///
    /// - Throws: ``RigFault`` when the air or its capture is gone.
    public func captured(
        containing bytes: some Collection<UInt8>, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws -> Bool {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            CaptureSearch.file(try await captureSoFar(), contains: Array(bytes))
        }
    }

    /// Plugs a Bluetooth adapter into a board, and powers it; one that is plugged in stays so.
    func plugIn(_ adapter: AdapterID, of board: BoardRole) async throws {
        try await done(.attach(board, .bluetooth, adapter: adapter))
        try await power(board, adapter)
    }

    /// The HCI packets of a board's Bluetooth so far, in order; of several adapters, those of one.
    ///
    /// - Throws: ``RigFault`` when the air or its capture is gone.
    public func capturedHCI(of board: BoardRole, adapter: AdapterID = .first) async throws -> [HCIPacket] {
        let file = try await captureSoFar()
        // An adapter that said nothing has no interface.
        let interface = PcapNGPackets.interfaces(in: file).firstIndex(of: "\(board.rawValue)-hci\(adapter)")
        return PcapNGPackets(file).compactMap { packet in
            interface.map { packet.interface == UInt32($0) } == true ? HCIPacket(captured: Array(packet.bytes)) : nil
        }
    }

    private func captureSoFar() async throws -> [UInt8] {
        // The air writes its packets out right after it answers: once it answers again, the first answer's are there.
        _ = try await ask(.status)
        guard case .status(let status) = try await ask(.status) else { throw RigFault("the air tells no status") }
        guard status.capturePath == capture else { throw RigFault("the air no longer captures into \(capture)") }
        guard let file = FileManager.default.contents(atPath: capture) else {
            throw RigFault("the capture \(capture) is gone")
        }
        return [UInt8](file)
    }

    /// Whether any packet so far holds this text, in UTF-8 or UTF-16; see ``captured(containing:)-(Collection)``.
    public func captured(
        containing text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Bool {
        try await captured(containing: Array(text.utf8), fileID: fileID, filePath: filePath, line: line)
    }

    /// Ends the capture.
    ///
    /// - Throws: ``RigFault`` when it holds nothing although a board spoke to its Bluetooth radio.
    func stopCapture() async throws {
        guard case .captured(let packets) = try await ask(.stopCapture) else {
            throw RigFault("the air does not tell what it captured")
        }
        guard packets == 0 else { return }
        guard case .status(let status) = try await ask(.status) else { throw RigFault("the air tells no status") }
        let count = status.links.reduce(0) { $0 + ($1.radio == .bluetooth ? $1.framesFromBoard : 0) }
        if count > 0 { throw RigFault("no packet is in it, and the boards sent \(count) frames") }
    }

    func done(_ request: AirRequest) async throws { _ = try await ask(request) }

    /// Asks, at the wish of a scenario's line.
    func done(_ request: AirRequest, at location: SourceLocation) async throws {
        try await recorder.call(at: location) { try await done(request) }
    }
}
