import Foundation
import HILBench
import HILTiming
import RigModel
import Synchronization

/// Benches that a labgrid coordinator lends: its places.
///
/// A separate process takes, holds and releases them; see ``LeaseProcess``. If it is killed, its places are lost, and
/// another process releases them.
package final class LabgridBenches: BenchSource {
    private struct State {
        var process: LeaseProcess?
        var isClosed = false
        /// Whether a process was killed and its places were not released yet.
        var hasLeftovers = false
    }

    private let request: LabgridRequest
    private let unwanted: Set<String>
    private let engine: LabgridEngine
    private let job: String
    private let patience: Duration
    private let grace: Duration
    private let powerOff: Duration
    private let note: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - request: The requested places.
    ///   - unwanted: The names of places among them that are not taken.
    ///   - job: The name of the job, which everybody sees as part of the holder: `nightly`.
    ///   - patience: How long to wait for an occupied place. By default a run does not wait.
    ///   - grace: How long the places are kept after this process was killed, so that the boards can restore
    ///     themselves.
    ///   - powerOff: How long a board is without power when it is switched off and on.
    ///   - note: Called with lines for people, for example about places that a killed job had left.
    package init(
        _ request: LabgridRequest, except unwanted: Set<String> = [], engine: LabgridEngine, job: String,
        patience: Duration = .zero,
        grace: Duration = .seconds(3), powerOff: Duration = .seconds(10),
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.request, self.unwanted, self.engine, self.job) = (request, unwanted, engine, job)
        (self.patience, self.grace, self.powerOff, self.note) = (patience, grace, powerOff, note)
    }

    package func take(excluding excluded: Set<String>) async throws -> LentBench? {
        let process = try running()
        let mark = process.losses.count
        guard let taken = try await wish(excluding: excluded, of: process) else {
            try Task.checkCancellation()
            return nil
        }
        guard let host = BoardAddress(taken.host), taken.accessory.map({ BoardAddress($0) != nil }) ?? true else {
            throw RigFailure("taking a bench", on: "\(request)", "labgrid's client sent the answer \(taken)")
        }
        let accessory = taken.accessory.flatMap(BoardAddress.init)
        guard !Task.isCancelled else {
            await giveBack(taken.place, to: process)
            throw CancellationError()
        }
        let address = BenchAddress(name: taken.place, host: host, accessory: accessory)
        let name = taken.place
        let switched = taken.power
        let lost: @Sendable () async throws -> String = {
            let loss = try await process.losses.first(from: mark) { $0.place == nil || $0.place == name }
            return loss.event.why
        }
        let giveBack: @Sendable () async -> Void = { [self] in await self.giveBack(name, to: process) }
        var bench = LentBench(address, lost: lost, giveBack: giveBack)
        if !switched.isEmpty {
            bench.cyclePower = { [self] board in
                try await cyclePower(of: board, at: address, switched, through: process)
            }
        }
        return bench
    }

    package func close() async {
        let (process, hasLeftovers) = state.withLock { state in
            state.isClosed = true
            let dead = state.hasLeftovers || state.process?.hasDied == true
            defer { state.process = nil }
            return (state.process, dead)
        }
        await process?.close()
        // Another process releases the places of a killed one.
        guard hasLeftovers, let mender = try? started() else { return }
        _ = try? await mender.ask { .list($0) }
        await mender.close()
    }

    /// The names of places whose accessory is a device without a login, and of all others.
    package static func split(_ places: [LabgridPlace]) -> (black: [String], boards: [String]) {
        (places.filter(\.isWithoutAccessory).map(\.name), places.filter { !$0.isWithoutAccessory }.map(\.name))
    }

    /// Kills the process that holds the places, for tests.
    func killLease() { state.withLock { $0.process?.kill() } }

    /// The process; starts one if none runs.
    private func running() throws -> LeaseProcess {
        try state.withLock { state in
            if let process = state.process, process.isRunning { return process }
            guard !state.isClosed else {
                throw RigFailure("taking a bench", on: "\(request)", "the run has already given its benches back")
            }
            let process = try started()
            // It releases at once the places of an earlier one.
            (state.process, state.hasLeftovers) = (process, false)
            return process
        }
    }

    private func started() throws(RigFailure) -> LeaseProcess {
        try LeaseProcess(engine, job: job, mends: true, grace: grace, note: note)
    }

    private func wish(excluding excluded: Set<String>, of process: LeaseProcess) async throws -> TakenPlace? {
        var wish = LeaseWish(excluding: excluded.union(unwanted).sorted(), patience: patience.seconds)
        switch request.wanted {
        case .place(let name): wish.place = name
        case .tags(let tags): wish.tags = tags
        }
        do { return try await process.ask { [wish] in .take(wish, $0) } } catch let failure as RigFailure {
            try Task.checkCancellation()
            throw RigFailure("taking a bench", on: "\(request)", failure.reason, remedy: failure.remedy)
        }
    }

    private func giveBack(_ place: String, to process: LeaseProcess) async {
        // Also if the caller was cancelled. The end of the process releases places that remain.
        await Task.detached { _ = try? await process.ask { .giveBack(place: place, $0) } }.value
    }

    private func cyclePower(
        of board: BoardAddress, at address: BenchAddress, _ switched: [String], through process: LeaseProcess
    ) async throws {
        let role = board == address.host ? "host" : "accessory"
        guard switched.contains(role) else {
            throw RigFailure(
                "switching the power off and on", on: address.name, "nothing switches its \(role) board",
                remedy: "give the place a power resource of the name \(role)-power")
        }
        let seconds = powerOff.seconds
        do {
            try await process.ask { .cyclePower(place: address.name, board: role, seconds: seconds, $0) }
        } catch let failure as RigFailure {
            throw RigFailure(
                "switching the power off and on", on: "\(board) of \(address.name)", failure.reason,
                remedy: failure.remedy)
        }
    }
}
