import BoardProtocol
import HILRecord
import HILTiming
import RigModel

/// A daemon of a board that ended by itself, and whose fault that is.
struct DaemonLoss {
    let name: String
    /// How it ended: a sentence's rest, and perhaps lines of a crash report.
    let how: String
    /// What the accessory had answered just before about a phone that was gone, or had still to answer; nil for nothing.
    let after: LateAnswer?
    let board: BoardRole
    /// The version of the daemon's package; nil if it is not known.
    let version: String?

    /// The failure.
    ///
    /// - Parameter isInUse: Whether the scenario had switched an accessory on or started a program: then the daemon
    ///   worked for them, and not for the rig alone.
    func failure(isInUse: Bool) -> Failure {
        let lines = how.trimmingPrefix("it ").split(separator: "\n", maxSplits: 1)
        var text = "\(name) on the \(board) board \(lines.first ?? "ended")"
        let isOfAccessory = board == .accessory && isInUse
        if isOfAccessory { text += provocation }
        if lines.count > 1 { text += "\n\(lines[1])" }
        let finding = Finding(.daemon, of: board, program: name)
        return Failure(isOfAccessory ? .product : .rig, text, basis: isCrash ? .certain : .seen, finding: finding)
    }

    /// Whether a signal of its own doing ended it: a machine that is late causes none. Others send SIGKILL, when memory
    /// is short, and SIGTERM.
    private var isCrash: Bool {
        guard let match = how.firstMatch(of: /was ended by signal ([0-9]+)/) else { return false }
        return !["9", "15"].contains(match.1)
    }

    /// What the accessory did, and the public report about it.
    private var provocation: String {
        guard let after else { return ", while it worked for the accessory" }
        let object = after.object.split(separator: "/").suffix(2).joined(separator: "/")
        let phone = after.phone.map { " with \($0)" } ?? ""
        let defect = KnownDefect.all.first { $0.explains(self) }
        let report = defect.map { ", as in \($0.report), in BlueZ since \($0.since)" } ?? ""
        let before = ": \(Duration.seconds(after.before).short) before, "
        let what =
            if let late = after.late {
                "the accessory answered \(after.call) of \(object), \(Duration.seconds(late).short) after the "
                    + "link\(phone) had ended"
            } else {
                "the link\(phone) ended, and the accessory had not answered \(after.call) of \(object)"
            }
        return report + before + what + (defect.map { "; \($0.remedy)" } ?? "")
    }
}

/// A crash of a daemon that others have reported.
struct KnownDefect {
    /// The report: owner, repository and number.
    let report: String
    let daemon: String
    /// The calls that cause it if the link ends before their answer.
    let calls: Set<String>
    /// The first version that has it.
    let since: String
    let remedy: String

    static let all = [
        KnownDefect(
            report: "bluez/bluez#525", daemon: "bluetoothd", calls: ["AcquireNotify", "AcquireWrite"], since: "5.66",
            remedy: "answer while the phone is connected, or leave NotifyAcquired out"),
        KnownDefect(
            report: "bluez/bluez#2447", daemon: "bluetoothd", calls: ["ReadValue", "WriteValue", "PrepareValue"],
            since: "5.64",
            remedy: "answer at once, and notify later what takes time: each link may end before a slow answer"),
    ]

    /// Whether it is what ended a daemon. A version that is not known may have it.
    func explains(_ loss: DaemonLoss) -> Bool {
        guard loss.name == daemon, let after = loss.after, calls.contains(after.call) else { return false }
        return loss.version.map { KnownDefect.numbers($0).lexicographicallyPrecedes(KnownDefect.numbers(since)) }
            != true
    }

    private static func numbers(_ version: String) -> [Int] {
        version.split { !$0.isNumber }.prefix(3).map { Int($0) ?? 0 }
    }
}
