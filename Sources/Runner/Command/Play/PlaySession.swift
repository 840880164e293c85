import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILRecord
import HILTiming
import RigModel
import Synchronization

/// One scenario in the hands of a person: boards, a worker that plays it, and the page's news, until the command ends.
final class PlaySession: Sendable {
    private struct Controls {
        var worker: (any RunningWorker)?
        var isBody = false
    }

    let planned: PlannedScenario
    let state: PlayState
    private let rigs: any RigProvider
    private let workers: any WorkerLauncher
    private let interruption: Interruption
    /// The folder of the package.
    private let root: String
    private let controls = Mutex(Controls())
    /// An event for each request to begin again.
    private let restarts = EventLog<Void>(keepingAtMost: 4)

    init(
        _ planned: PlannedScenario, on rigs: any RigProvider, workers: any WorkerLauncher = WorkerProcesses(),
        state: PlayState, root: String, interruption: Interruption
    ) {
        self.planned = planned
        self.rigs = rigs
        self.workers = workers
        self.state = state
        self.root = root
        self.interruption = interruption
    }

    /// Hands a command to the scenario.
    ///
    /// - Returns: False while it is not being played.
    func perform(_ command: PlayCommand) -> Bool {
        guard let worker = controls.withLock({ $0.isBody ? $0.worker : nil }) else { return false }
        worker.play(command)
        return true
    }

    /// Ends the attempt, and begins another one with new boards.
    func again() { restarts.append(()) }

    /// Plays, again and again, until the interruption comes. Every rig is stopped then.
    ///
    /// - Parameter folder: A folder for the evidence, which the caller removes.
    func run(in folder: String) async {
        var number = 0
        while interruption.cause == nil {
            number += 1
            let restart = restarts.count
            state.beginAgain()
            await attempt(in: "\(folder)/\(number)", until: restart)
        }
        await rigs.close()
    }

    private func attempt(in folder: String, until restart: Int) async {
        for path in [folder, "\(folder)/host", "\(folder)/accessory"] { mkdir(path, 0o700) }
        let rig: any RunningRig
        do { rig = try await start(in: folder) } catch is CancellationError { return } catch {
            state.end("lost", "The boards cannot be made ready: \(Failure(error).message)")
            return await wait(for: restart)
        }
        do {
            try await play(on: rig, in: folder, until: restart)
        } catch { state.end("lost", "The scenario cannot be started: \(error)") }
        await rig.stop()
        await rig.release(isError: false)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts a rig. Throws `CancellationError` if the interruption comes first, and then leaves nothing behind.
    private func start(in folder: String) async throws -> any RunningRig {
        let work = Task { [rigs, planned, root] in
            try await rigs.start(for: planned.accessoryNeeds(in: root), evidence: folder)
        }
        let watch = Task { [interruption] in
            try await interruption.wait()
            work.cancel()
        }
        defer { watch.cancel() }
        let rig = try await work.value
        guard interruption.cause == nil else {
            await rig.stop()
            await rig.release(isError: false)
            throw CancellationError()
        }
        return rig
    }

    private func play(on rig: any RunningRig, in folder: String, until restart: Int) async throws {
        var options = LabOptions()
        options.isPlayed = true
        options.capture = "\(folder)/\(Evidence.capture)"
        options.logs = "\(folder)/accessory"
        options.package = root
        options.uuidNames = TeamNames.find(in: root)
        if rigs.description.has(.boardSystem) { options.packages = planned.accessoryNeeds.packages }
        let log = "\(folder)/worker.log"
        let worker = try workers.launch(planned.caseIdentifier, log: log)
        worker.begin(on: rig.endpoint, options: options)
        controls.withLock { $0 = Controls(worker: worker) }
        let tail = PlayTail(path: "\(folder)/\(Evidence.capture)", feed: state.feed)
        tail.start()
        let events = Task { await listen(to: worker, log: log) }
        let loss = Task { [state] in
            if let why = try? await rig.lost() { state.end("lost", "A part of the rig is gone: \(why)") }
        }
        await wait(for: restart)
        controls.withLock { $0 = Controls() }
        loss.cancel()
        tail.stop()
        worker.kill()
        await events.value
    }

    private func listen(to worker: any RunningWorker, log: String) async {
        for await line in worker.events {
            switch line {
            case .event(let told):
                if case .bodyBegan = told.stamped.event { controls.withLock { $0.isBody = true } }
                state.take(told)
            case .unreadable(let why): state.end("lost", "The scenario's output cannot be read: \(why)")
            }
        }
        let status = await worker.wait()
        // It was not ended by us: the app or the scenario crashed.
        guard controls.withLock({ $0.worker != nil }) else { return }
        controls.withLock { $0 = Controls() }
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        state.end(
            "lost", "The scenario's process has ended: \(Crash(status, log: String(text.suffix(100_000))).reason)")
    }

    /// Waits for a request to begin again, or for the interruption.
    private func wait(for restart: Int) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [restarts] in _ = try? await restarts.first(from: restart) { true } }
            group.addTask { [interruption] in try? await interruption.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Sends the page the packets of a capture as it grows.
final class PlayTail: Sendable {
    /// The longest wait for news, in milliseconds, so that an end is noticed.
    private static let pause: Int32 = 200

    private let path: String
    private let feed: PlayFeed
    private let isStopped = Atomic(false)

    init(path: String, feed: PlayFeed) {
        self.path = path
        self.feed = feed
    }

    func start() {
        startThread(named: "play-capture") { [self] in
            var packets = PlayedPackets()
            guard let file = open() else { return }
            guard let news = try? FileNews(of: path) else { return }
            while !isStopped.load(ordering: .relaxed) {
                while let bytes = try? file.read(upTo: 1 << 16), !bytes.isEmpty { feed.add(packets.json(of: bytes)) }
                _ = news.wait(milliseconds: PlayTail.pause)
            }
        }
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Opens the file as soon as it is there; nil if it does not appear before ``stop()``.
    private func open() -> Descriptor? {
        guard let arrivals = try? FileNews(inFolder: (path as NSString).deletingLastPathComponent) else { return nil }
        while !isStopped.load(ordering: .relaxed) {
            if let file = try? Descriptor.open(path, O_RDONLY) { return file }
            _ = arrivals.wait(milliseconds: PlayTail.pause)
        }
        return nil
    }
}
