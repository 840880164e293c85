import BoardProtocol
import HILPOSIX
import HILRecord
import RadioModel
import RigModel
import Synchronization

/// The air between the two boards: faults, distance, neighbours, host stacks, and the capture of all packets.
///
/// Not every rig can do all of this. A call that this rig cannot do throws `RigLacks`, and the scenario is *skipped*,
/// with the reason.
public final class AirHandle: Sendable {
    let rig: RigConnection
    let recorder: ScenarioRecorder
    /// The program that ends the programs of host stacks in every case.
    let guardProgram: String
    /// The host stacks whose programs run.
    let stacks = Mutex<[AdapterID: HostStackHandle]>([:])
    /// The starts of the host stacks that the scenario declares, by name.
    let declared = Mutex<[String: Task<HostStackHandle, any Error>]>([:])

    /// The addresses of the stations that the scenario has added.
    let neighbours = Mutex<Set<DeviceAddress>>([])

    /// - Parameters:
    ///   - recorder: Records faults that did not fire, and what host stacks do.
    ///   - guardProgram: A program that can be a ``HILPOSIX/ProcessGuard``.
    init(_ rig: RigConnection, recorder: ScenarioRecorder, guardProgram: String = GuardedProcess.ownProgram) {
        self.rig = rig
        self.recorder = recorder
        self.guardProgram = guardProgram
    }

    /// Sets the distance of the boards, in metres. The signals of Bluetooth and Wi-Fi follow from it.
    ///
    /// - Throws: `RigLacks` if this rig cannot set the distance.
    public func setDistance(
        _ metres: Double, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await setDistance(to: metres, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Moves the boards out of each other's range, for Bluetooth and Wi-Fi.
    ///
    /// - Throws: `RigLacks` if this rig cannot set the distance.
    public func separate(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await setDistance(to: nil, at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    private func setDistance(to metres: Double?, at location: SourceLocation) async throws {
        try await recorder.call(at: location) {
            try await rig.facet(rig.distance, .distance, recorder).set(metres: metres)
        }
    }

    /// Whether the capture so far contains these bytes, in a packet of any board and any radio.
    ///
    /// Bytes that are UTF-8 text are also found as UTF-16. Bytes are found even if a protocol cut them into several
    /// packets. The capture has Bluetooth as HCI, before the link's encryption, and Wi-Fi as it is sent, after its
    /// encryption. A result of `false` proves something only if a search for bytes that must be there gives `true`.
    ///
    /// - Throws: `RigFailure` if the capture cannot be read; `RigLacks` if this rig captures nothing.
    public func captured(
        containing bytes: some Collection<UInt8>, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws -> Bool {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            CaptureSearch.file(try await captureSoFar(), contains: Array(bytes))
        }
    }

    /// The HCI packets of one of a board's Bluetooth adapters so far, oldest first.
    ///
    /// - Throws: `RigFailure` if the capture cannot be read; `RigLacks` if this rig captures nothing.
    public func capturedHCI(of board: BoardRole, adapter: AdapterID = .first) async throws -> [HCIPacket] {
        let file = try await captureSoFar()
        // An adapter that has sent nothing has no interface in the capture.
        let interface = PcapNGPackets.interfaces(in: file).firstIndex(of: "\(board.rawValue)-hci\(adapter)")
        return PcapNGPackets(file).compactMap { packet in
            interface.map { packet.interface == UInt32($0) } == true ? HCIPacket(captured: Array(packet.bytes)) : nil
        }
    }

    private func captureSoFar() async throws -> [UInt8] {
        try await rig.facet(rig.capture, .capture, recorder).soFar()
    }

    /// Whether the capture so far contains this text, in UTF-8 or UTF-16.
    ///
    /// The method for bytes says more about what is found.
    ///
    /// - Throws: `RigFailure` if the capture cannot be read; `RigLacks` if this rig captures nothing.
    public func captured(
        containing text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Bool {
        try await captured(containing: Array(text.utf8), fileID: fileID, filePath: filePath, line: line)
    }
}
