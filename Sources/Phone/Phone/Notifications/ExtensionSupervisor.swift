import Synchronization

/// The processes of the extensions on this phone, and the ends that a scenario asks for.
///
/// iOS runs each extension in a process of its own, which can end at any moment: its code crashes, it exceeds its
/// memory limit, or the system needs the memory. No code of the extension is told. The phone launches it again, with the
/// pauses of ``HostPolicy/extensionRelaunch``, and the session continues with the keys that it has.
public final class ExtensionSupervisor: PhoneComponent {
    private struct Plan {
        let number: Int
        let which: ForwardingExtension
        let moment: ExtensionMoment
        let reason: ExtensionEnd
        /// How often it may still fire, and how many more writes it waits for.
        var (firings, writes): (Int, Int)
        var fired = 0
    }

    private struct State {
        var runs: [ExtensionRun] = []
        var plans: [Plan] = []
        var lastPlan = 0
        /// Why each run that has ended did, until its session has taken the reason.
        var reasons: [ObjectIdentifier: ExtensionEnd] = [:]
    }

    private let link: PhoneLink
    private let state = Mutex(State())

    package init(phone: Phone) { link = PhoneLink(phone) }

    // MARK: For scenarios

    /// The extensions whose processes run now, in the order of their launches.
    package var running: [ForwardingExtension] { state.withLock { $0.runs.map(\.which) } }

    /// Ends the processes of an extension now.
    ///
    /// - Returns: Whether any ran.
    @discardableResult
    public func end(_ which: ForwardingExtension, because reason: ExtensionEnd = .crash) -> Bool {
        let runs = state.withLock { $0.runs.filter { $0.which == which } }
        for run in runs { end(run, because: reason) }
        return !runs.isEmpty
    }

    /// Ends the process of an extension at a moment.
    ///
    /// - Parameter count: At how many such moments, one after the other.
    /// - Returns: A number for ``cancelEnd(_:)``.
    package func willEnd(
        _ which: ForwardingExtension, at moment: ExtensionMoment, because reason: ExtensionEnd = .crash,
        firing count: Int = 1
    ) -> Int {
        state.withLock { state in
            state.lastPlan += 1
            state.plans.append(
                Plan(
                    number: state.lastPlan, which: which, moment: moment, reason: reason, firings: count,
                    writes: moment.writeCount))
            return state.lastPlan
        }
    }

    /// Takes back an end that was asked for.
    ///
    /// - Parameter number: What ``willEnd(_:at:because:firing:)`` returned.
    /// - Returns: How often it has ended a process.
    @discardableResult
    package func cancelEnd(_ number: Int) -> Int {
        state.withLock { state in
            guard let index = state.plans.firstIndex(where: { $0.number == number }) else { return 0 }
            return state.plans.remove(at: index).fired
        }
    }

    // MARK: For sessions

    /// A new process.
    func add(_ run: ExtensionRun) { state.withLock { $0.runs.append(run) } }

    /// Its session is over: nothing more is known of its process.
    func forget(_ run: ExtensionRun) {
        state.withLock { state in
            state.runs.removeAll { $0 === run }
            state.reasons[ObjectIdentifier(run)] = nil
        }
    }

    /// Why a process has ended.
    func reason(of run: ExtensionRun) -> ExtensionEnd {
        state.withLock { $0.reasons.removeValue(forKey: ObjectIdentifier(run)) } ?? .crash
    }

    func end(_ run: ExtensionRun, because reason: ExtensionEnd, _ detail: String? = nil) {
        let isHere = state.withLock { state in
            guard state.runs.contains(where: { $0 === run }) else { return false }
            state.runs.removeAll { $0 === run }
            state.reasons[ObjectIdentifier(run)] = reason
            return true
        }
        guard isHere else { return }
        let more = detail.map { " (\($0))" } ?? ""
        link.phone?.record(.note("extensions", "the process of \(run.which) ended: \(reason)\(more)"))
        _ = run.end()
    }

    func reached(_ moment: ExtensionMoment, by run: ExtensionRun) {
        let plan: Plan? = state.withLock { state in
            guard state.runs.contains(where: { $0 === run }),
                let index = state.plans.firstIndex(where: {
                    $0.which == run.which && $0.moment.isSameKind(as: moment) && $0.firings > 0
                })
            else { return nil }
            state.plans[index].writes -= 1
            guard state.plans[index].writes <= 0 else { return nil }
            state.plans[index].firings -= 1
            state.plans[index].fired += 1
            state.plans[index].writes = state.plans[index].moment.writeCount
            return state.plans[index]
        }
        if let plan { end(run, because: plan.reason, "\(plan.moment)") }
    }
}

extension ExtensionMoment {
    /// How many events of this kind it takes.
    fileprivate var writeCount: Int { if case .write(let count) = self { max(1, count) } else { 1 } }

    fileprivate func isSameKind(as other: ExtensionMoment) -> Bool {
        switch (self, other) {
        case (.write, .write): true
        default: self == other
        }
    }
}

extension Phone {
    /// The processes of the extensions on this phone.
    public var extensions: ExtensionSupervisor { part() }
}
