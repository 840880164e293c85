import BoardProtocol
import RigModel

/// What lies between the boards: the air, and how far they are apart.
///
/// Not every rig can do all of this. What this one lacks ends the scenario as skipped, with the reason.
public final class AirHandle: Sendable {
    let rig: RigConnection
    let recorder: ScenarioRecorder

    /// - Parameter recorder: Hears of faults that did not fire.
    init(_ rig: RigConnection, recorder: ScenarioRecorder) {
        self.rig = rig
        self.recorder = recorder
    }

    /// Puts the boards this many metres apart, which sets the signal of Bluetooth and of Wi-Fi.
    public func setDistance(
        _ metres: Double, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await setDistance(to: metres, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Puts the boards out of each other's range.
    public func separate(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await setDistance(to: nil, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    private func setDistance(to metres: Double?, at location: SourceLocation) async throws {
        try await recorder.call(at: location) {
            try await rig.facet(rig.distance, .distance, recorder).set(metres: metres)
        }
    }

    /// Whether any packet so far, of either board and of any radio, holds these bytes, as they are or as UTF-16.
    ///
    /// Bytes that a protocol cut into several packets are found as well. HCI is captured above the link's encryption,
    /// Wi-Fi below it. To trust a `false`, look for something that must be there, too.
    ///
    /// - Throws: ``RigFailure`` when the capture is gone; ``RigLacks`` where there is none.
    public func captured(
        containing bytes: some Collection<UInt8>, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws -> Bool {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            CaptureSearch.file(try await captureSoFar(), contains: Array(bytes))
        }
    }

    /// The HCI packets of a board's Bluetooth so far, in order; of several adapters, those of one.
    ///
    /// - Throws: ``RigFailure`` when the capture is gone; ``RigLacks`` where there is none.
    public func capturedHCI(of board: BoardRole, adapter: AdapterID = .first) async throws -> [HCIPacket] {
        let file = try await captureSoFar()
        // An adapter that said nothing has no interface.
        let interface = PcapNGPackets.interfaces(in: file).firstIndex(of: "\(board.rawValue)-hci\(adapter)")
        return PcapNGPackets(file).compactMap { packet in
            interface.map { packet.interface == UInt32($0) } == true ? HCIPacket(captured: Array(packet.bytes)) : nil
        }
    }

    private func captureSoFar() async throws -> [UInt8] {
        try await rig.facet(rig.capture, .capture, recorder).soFar()
    }

    /// Whether any packet so far holds this text, in UTF-8 or UTF-16; see ``captured(containing:)-(Collection)``.
    public func captured(
        containing text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Bool {
        try await captured(containing: Array(text.utf8), fileID: fileID, filePath: filePath, line: line)
    }
}
