import BoardProtocol
import Foundation
import RigModel

/// Rigs with a phone in a person's hand: an accessory board, and beside it a virtual rig.
///
/// The virtual rig is for the simulated phone, which does the journey first. What it did is what the person is asked to
/// do.
package struct HandRigs: RigProvider {
    package static let kind = "hand"

    /// The capabilities of a rig with a real accessory board: what both the simulated phone and a person can do.
    package static let description = RigDescription(
        kind, has: [.bluetooth, .wifi, .accessoryBoard],
        reasons: reasons.merging([
            .hostStacks: "its air is real", .homeNetwork: "its router needs a host board",
            .homeRouter: "its router needs a host board", .homeControl: "its router needs a host board",
        ]) { $1 })

    /// The capabilities of a rig with a virtual accessory board. Host stacks can be on its air, and its host board can be
    /// the home's router.
    package static let virtualDescription = RigDescription(
        kind, has: [.bluetooth, .wifi, .accessoryBoard, .hostStacks, .homeNetwork, .homeControl],
        reasons: reasons.merging([.homeRouter: "no phone in a hand reaches a simulated Wi-Fi"]) { $1 })

    private static let reasons: [Capability: String] = [
        .air: "nobody can ask a real air to lose packets", .distance: "the boards stay where they are",
        .capture: "scenarios cannot search it; the file has the packets of the accessory board's radios",
        .adapters: "the radios stay plugged in", .power: "scenarios do not switch it",
        .snapshot: "its board is real", .boardSystem: "the board keeps its system",
        .ownBoards: "its board belongs to somebody", .processorTimes: "it is not measured",
        .wifiAware: "wpa_supplicant 2.10 does not have it",
        .realAir: "the simulated phone goes first, and its air is a program",
    ]

    package let description: RigDescription
    package let label: String
    package var choice: String { "a phone in a person's hand, by --rig \(label)" }
    package var footprint: RigFootprint { .remote }
    package var nextRig: NextRig { .afterLast }
    private let simulated: any RigProvider
    private let real: any RigProvider

    /// - Parameters:
    ///   - simulated: Starts the rig of the simulated phone.
    ///   - real: Starts the rig with the accessory board that the phone meets.
    ///   - description: What both can do.
    package init(
        _ simulated: any RigProvider, beside real: any RigProvider, description: RigDescription, label: String
    ) {
        (self.simulated, self.real, self.description, self.label) = (simulated, real, description, label)
    }

    package func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
        let folder = "\(evidence)/\(RigEndpoint.simulatedFolder)"
        for path in [folder, "\(folder)/host", "\(folder)/accessory"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        // The accessory of the other rig starts when the scenario starts it.
        var plain = needs
        plain.startsHost = false
        plain.program = nil
        let real = try await real.start(for: plain, evidence: evidence)
        var started = [real]
        do {
            let simulated = try await simulated.start(for: needs, evidence: folder)
            started.append(simulated)
            return try RunningHand(real, simulated: simulated, description: description)
        } catch {
            for rig in started {
                await rig.stop()
                await rig.release(isError: true)
            }
            throw error
        }
    }

    package func close() async {
        await simulated.close()
        await real.close()
    }
}

/// Both rigs in one scenario. Its board is the real accessory board.
private struct RunningHand: RunningRig {
    let endpoint: RigEndpoint
    private let real: any RunningRig
    private let simulated: any RunningRig

    init(_ real: any RunningRig, simulated: any RunningRig, description: RigDescription) throws {
        (self.real, self.simulated) = (real, simulated)
        endpoint = try RigEndpoint(description, simulated: simulated.endpoint, real: real.endpoint)
    }

    var name: String? { real.name }

    var notes: [String] {
        ["the phone is in a person's hand; the simulated phone goes first, to show the way"] + real.notes
            + simulated.notes
    }

    var answerTimes: [BoardRole: AnswerTimes] { real.answerTimes }

    var findings: [String] { real.findings + simulated.findings }

    func has(_ board: BoardRole) -> Bool { board == .accessory && real.has(board) }

    func lost() async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { [real] in try await real.lost() }
            group.addTask { [simulated] in "of the simulated phone's rig: \(try await simulated.lost())" }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }

    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
        try await real.agent(of: board, within: limit)
    }

    func stop() async {
        async let first: Void = real.stop()
        async let second: Void = simulated.stop()
        _ = await (first, second)
    }

    func release(isError: Bool) async {
        await real.release(isError: isError)
        await simulated.release(isError: isError)
    }
}
