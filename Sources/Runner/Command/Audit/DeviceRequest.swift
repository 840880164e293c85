import Foundation
import HIL
import HILAudit
import HILBench
import HILExecution
import HILPOSIX
import HILRules
import HILTiming
import RadioModel

/// The device on the desk that `hil audit --device` names, and the consent to attack it.
struct DeviceRequest: Equatable {
    var target: RecordedAccessory.Target
    /// Whether nobody is asked before the attack.
    var isConfirmed = false

    init(_ text: String) { target = DeviceAddress(text).map { .address($0) } ?? .named(text) }

    /// - Throws: ``UsageError`` if the rig is no bench without an accessory board.
    static func check(_ rig: RigRequest?) throws(UsageError) {
        if case .boards(let bench)? = rig, bench.accessory == nil { return }
        throw UsageError(
            description:
                "--device attacks a device on the desk beside a host board: `hil audit --rig HOST,none --device NAME`")
    }

    /// - Throws: ``UsageError`` if nobody could be asked.
    func check(hasTerminal: Bool) throws(UsageError) {
        guard !isConfirmed, !hasTerminal else { return }
        throw UsageError(
            description: "`hil audit --device` asks before it attacks, and there is no terminal: "
                + "with --yes it attacks the only device of that name without a question")
    }

    /// The only device that is meant.
    ///
    /// - Throws: ``UsageError`` if several have the name.
    func choose(among found: [(device: AuditedDevice, signal: Int)]) throws(UsageError) -> AuditedDevice? {
        guard found.count > 1 else { return found.first?.device }
        let list = found.map { "\($0.device.address.address) (\($0.signal) dBm)" }.joined(separator: ", ")
        throw UsageError(
            description:
                "\(found.count) devices are heard as \(target), the nearest first: \(list): name one by its address")
    }

    /// Whether the answer to the question is yes.
    static func isYes(_ answer: String?) -> Bool {
        ["y", "yes"].contains(answer?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// What is asked, without a line's end.
    static func question(_ device: AuditedDevice) -> String {
        let changes = device.address.isResolvablePrivate ? " (a private address, until it changes)" : ""
        return "attack \(device)\(changes)? [y/N] "
    }
}

extension Command {
    /// Finds a device on the desk, asks whether to attack it, and checks controls on it.
    ///
    /// - Returns: The exit code: 1 after a breach.
    static func audit(
        _ request: DeviceRequest, _ choice: Request.Choice, _ settings: Request.RunSettings, _ only: [String],
        _ rules: [Rule], on rig: RigKind
    ) async throws -> Int32 {
        try request.check(hasTerminal: isatty(STDIN_FILENO) == 1)
        let found: [(device: AuditedDevice, signal: Int)]
        do {
            let interruption = Interruption()
            interruption.takeSignals()
            complain("listening for \(request.target)")
            let lab = RigLab(rig: rig, root: Project.find(), note: { complain($0) })
            found = try await lab.use(until: interruption) { [target = request.target] in
                try await $0.search(for: target)
            }
        } catch is TimedOut {
            complain("\(request.target) is not heard; is it switched on, near, and connected to nobody?")
            return ExitCode.rig
        }
        guard let device = try request.choose(among: found) else { return ExitCode.rig }
        if !request.isConfirmed {
            try? standardError.write(Array(PlainText.lines(DeviceRequest.question(device)).utf8))
            guard DeviceRequest.isYes(readLine()) else {
                complain("nothing was attacked")
                return ExitCode.usage
            }
        }
        complain("attacking \(device)")
        var settings = settings
        settings.attack.device = device
        let plan = PlannedScenario.onTheDesk("\(device), on the desk")
        return try await audit(plan, choice, settings, only, rules, on: rig)
    }
}
