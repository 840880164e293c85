import RigModel
import Synchronization

/// Limits how many failures of a run save both boards. Each needs some tens of MB, and the first failures matter most.
final class SavingAllowance: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Whether no boards are saved in this run.
    var isNothing: Bool { limit == 0 }

    /// Counts one more failure. Returns why its boards are not saved, or nil if they may be.
    func take() -> String? {
        used.withLock { used in
            guard used < limit else { return "only the first \(limit) of this run's failures keep theirs" }
            used += 1
            return nil
        }
    }
}

/// Saves both boards of one attempt when it fails, once.
actor BoardSaver {
    private let folder: String
    private let allowance: SavingAllowance
    private var work: Task<Void, Never>?
    /// The name of the saved boards' folder in the attempt's folder; nil if none were saved.
    private(set) var kept: String?
    /// Why the boards could not be saved, for people.
    private(set) var problem: String?

    /// - Parameter folder: The attempt's folder.
    init(in folder: String, _ allowance: SavingAllowance) {
        self.folder = folder
        self.allowance = allowance
    }

    /// Saves the boards, unless that was tried before. Returns when that is finished.
    func keep(_ rig: any RunningRig) async {
        if work == nil, !allowance.isNothing { work = Task { await keepNow(rig) } }
        await work?.value
    }

    private func keepNow(_ rig: any RunningRig) async {
        // If a rig cannot save boards, nothing is missing.
        guard rig.endpoint.description.has(.snapshot) else { return }
        if let full = allowance.take() { return problem = full }
        do {
            try await rig.saveBoards(in: "\(folder)/\(Evidence.boards)")
            kept = Evidence.boards
        } catch { problem = "\(error)" }
    }
}
