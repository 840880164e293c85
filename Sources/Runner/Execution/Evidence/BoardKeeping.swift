import RigModel
import Synchronization

/// How many failures of a run keep both boards: some tens of MB each, and the first ones tell most.
final class KeepingAllowance: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Nobody is to keep any.
    var isNothing: Bool { limit == 0 }

    /// Why there is no more room; nil when this one may be kept.
    func take() -> String? {
        used.withLock { used in
            guard used < limit else { return "the first \(limit) of this run that failed keep theirs" }
            used += 1
            return nil
        }
    }
}

/// Keeps both boards of one attempt as they are when it fails, once.
actor BoardKeeper {
    private let folder: String
    private let allowance: KeepingAllowance
    private var work: Task<Void, Never>?
    /// The name of what was kept, in the attempt's folder.
    private(set) var kept: String?
    /// What kept it from that, for people.
    private(set) var problem: String?

    /// - Parameter folder: The attempt's.
    init(in folder: String, _ allowance: KeepingAllowance) {
        self.folder = folder
        self.allowance = allowance
    }

    /// Keeps them, unless that was done or tried before; returns when it is through.
    func keep(_ rig: any RunningRig) async {
        if work == nil, !allowance.isNothing { work = Task { await keepNow(rig) } }
        await work?.value
    }

    private func keepNow(_ rig: any RunningRig) async {
        // A rig that cannot keep them uses up nothing of what others may.
        if let lack = rig.endpoint.description.lack(of: [.snapshot]) { return problem = lack.description }
        if let full = allowance.take() { return problem = full }
        do {
            try await rig.keepBoards(in: "\(folder)/\(Evidence.boards)")
            kept = Evidence.boards
        } catch { problem = "\(error)" }
    }
}
