import HILPOSIX
import RigModel

/// A bench that a run has taken, as the pool needs it.
protocol TakenBench: Sendable {
    var name: String { get }
    /// Whether all its boards are connected.
    var isConnected: Bool { get async }

    /// Gives back the boards and the bench.
    ///
    /// - Returns: The differences of the boards from their earlier state, a sentence each.
    func giveBack() async -> [String]
}

/// The benches of a run. Each is taken once, used for many scenarios, and left out if it does not work.
actor BenchPool<Taken: TakenBench> {
    /// A bench is left out after this many errors in a row.
    static var patience: Int { 3 }

    private struct Entry {
        let bench: Taken
        /// How many scenarios in a row ended in an error of this bench.
        var errors = 0
    }

    private let source: any BenchSource
    private let take: @Sendable (LentBench) async throws -> Taken
    private let report: @Sendable (String) -> Void
    private var idle: [Entry] = []
    private var busy: [String: Entry] = [:]
    private var excluded: Set<String> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isAsking = false
    private var failures: [String: Int] = [:]
    /// The last bench that could not be taken, and why.
    private var lastFailure: UnreadyRig?
    private var isClosed = false

    /// - Parameters:
    ///   - take: Takes the boards of a bench.
    ///   - report: Called with a line when a bench is left out or has changed.
    init(
        _ source: any BenchSource, report: @escaping @Sendable (String) -> Void,
        take: @escaping @Sendable (LentBench) async throws -> Taken
    ) {
        (self.source, self.report, self.take) = (source, report, take)
    }

    /// Takes a bench for one scenario, and waits until one is free.
    ///
    /// - Parameter avoided: The bench on which the scenario met an error; another one is taken if possible.
    /// - Returns: The bench, and whether it needs a check because the previous scenario met an error.
    func lend(avoiding avoided: String? = nil) async throws -> (bench: Taken, isSuspect: Bool) {
        while true {
            try Task.checkCancellation()
            if isClosed { throw RigFailure("taking a bench", "the run is over") }
            let other = idle.firstIndex { $0.bench.name != avoided }
            // While another one is busy, the avoided one is left to scenarios without an error on it.
            let isOtherBusy = avoided != nil && busy.keys.contains { $0 != avoided }
            if let index = other ?? (isOtherBusy ? nil : idle.indices.first) {
                let entry = idle.remove(at: index)
                busy[entry.bench.name] = entry
                guard await entry.bench.isConnected else {
                    await drop(entry, "the connection is lost")
                    continue
                }
                return (entry.bench, entry.errors > 0)
            }
            if !isAsking, let entry = try await ask() { return (entry.bench, false) }
            if busy.isEmpty, !isAsking {
                if let lastFailure { throw lastFailure }
                throw
                    RigFailure(
                        "taking a bench", "none is left", remedy: "see `hil bench list` and `hil doctor --rig`")
            }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Takes another bench from the source, which is busy from then on. Returns nil if there is none.
    private func ask() async throws -> Entry? {
        isAsking = true
        defer {
            isAsking = false
            wake()
        }
        while let lent = try await source.take(excluding: excluded.union(busy.keys).union(idle.map(\.bench.name))) {
            let name = lent.address.name
            do {
                let entry = Entry(bench: try await take(lent), errors: failures[name] ?? 0)
                busy[name] = entry
                return entry
            } catch {
                await lent.giveBack()
                // The run is ending: the bench is fine.
                try Task.checkCancellation()
                let failure = RigFailure.wrapping(error, while: "taking bench \(name)")
                lastFailure = UnreadyRig(name: name, failure: failure)
                failures[name, default: 0] += 1
                report("bench \(name) is left out: \(failure)")
                excluded.insert(name)
            }
        }
        return nil
    }

    /// Takes a bench back after a scenario.
    ///
    /// - Parameter isError: Whether the scenario ended in an error, perhaps because of the bench.
    func takeBack(_ bench: Taken, isError: Bool) async {
        // It stays among the busy ones until its future is known, so that the last one does not seem gone.
        let isConnected = await bench.isConnected
        guard var entry = busy[bench.name] else { return }
        entry.errors = isError ? entry.errors + 1 : 0
        if entry.errors >= BenchPool.patience {
            excluded.insert(bench.name)
            await drop(entry, "\(BenchPool.patience) errors in a row")
        } else if !isConnected {
            // It may come back: the source can lend it again.
            failures[bench.name] = entry.errors
            await drop(entry, "one of its boards is lost")
        } else {
            busy[bench.name] = nil
            idle.append(entry)
        }
        wake()
    }

    private func drop(_ entry: Entry, _ why: String) async {
        let name = entry.bench.name
        report("bench \(name) is \(excluded.contains(name) ? "left out" : "given back"): \(why)")
        for problem in await entry.bench.giveBack() { report("bench \(name) has changed: \(problem)") }
        busy[name] = nil
        wake()
    }

    private func wake() {
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Whether a scenario could get a bench other than this one. If the run has none, another one is taken.
    func hasOther(than name: String) async -> Bool {
        if idle.contains(where: { $0.bench.name != name }) || busy.keys.contains(where: { $0 != name }) { return true }
        guard !isAsking, !isClosed, let entry = try? await ask() else { return false }
        busy[entry.bench.name] = nil
        idle.append(entry)
        wake()
        return true
    }

    /// Gives everything back.
    func close() async {
        isClosed = true
        wake()
        let entries = idle + busy.values
        (idle, busy) = ([], [:])
        await withTaskGroup(of: Void.self) { group in
            for entry in entries {
                group.addTask { [report] in
                    for problem in await entry.bench.giveBack() {
                        report("bench \(entry.bench.name) has changed: \(problem)")
                    }
                }
            }
        }
        await source.close()
    }
}

/// Benches that were named on the command line. Each is lent once at a time.
package actor NamedBenches: BenchSource {
    private var free: [BenchAddress]

    package init(_ benches: [BenchAddress]) { free = benches }

    package func take(excluding excluded: Set<String>) -> LentBench? {
        guard let index = free.firstIndex(where: { !excluded.contains($0.name) }) else { return nil }
        let address = free.remove(at: index)
        return LentBench(
            address,
            lost: {
                try await Task.sleep(for: .seconds(1_000_000))
                throw CancellationError()
            }, giveBack: { [self] in await giveBack(address) })
    }

    private func giveBack(_ address: BenchAddress) { free.append(address) }

    package func close() { free = [] }
}
