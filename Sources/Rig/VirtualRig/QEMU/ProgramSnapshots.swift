import BoardProtocol
import Foundation
import HILTiming
import RigModel

/// Snapshots of boards on which an accessory's program already runs, so that a scenario need not wait for its start.
///
/// One is taken when a second rig needs the same program with the same files. So the next run of a changed program only
/// pays for the program's own start. A program that cannot be saved is started anew for each scenario.
actor ProgramSnapshots {
    /// How long a failed attempt to save a program is not repeated. Seconds.
    private static let retryTime: TimeInterval = 86_400

    private let programs: RigPrograms
    private let cache: Cache
    /// The names of snapshots that are being taken for a rig. Further rigs do not wait for them.
    private var inWork: Set<String> = []

    init(programs: RigPrograms, cache: Cache) {
        self.programs = programs
        self.cache = cache
    }

    /// The snapshot to restore boards from; nil if there is none yet. The note is for the scenario's log.
    ///
    /// - Parameter parts: The parts of the rig, with the snapshot of boards without the program.
    func snapshot(of parts: RigParts, with program: ProgramStart) async -> (snapshot: Snapshot?, note: String?) {
        // A board with its own network would never be silent on the air.
        guard let base = parts.snapshot, !program.request.owns.contains(.hostapd) else { return (nil, nil) }
        let key = ProgramSnapshots.key(of: program, on: base, payloadDisk: parts.payloadDisk)
        let name = "program-\(key)"
        guard isKept(name) || !inWork.contains(name) && isUsedAgain(key) else { return (nil, nil) }
        inWork.insert(name)
        defer { inWork.remove(name) }
        let began = ContinuousClock.now
        do {
            let (snapshot, isNew) = try await keep(name, of: parts, with: program)
            let time = (ContinuousClock.now - began).short
            let note = "the boards were saved with the program running, once for these files: \(time)"
            return (snapshot, isNew ? note : nil)
        } catch {
            // An interrupted run shows nothing about the program.
            if !Task.isCancelled { giveUp(key, because: error) }
            return (nil, "the boards cannot be saved with the program running, so it starts anew each time: \(error)")
        }
    }

    /// Notes that boards could not be restored with a program, although they were saved.
    func giveUp(_ program: ProgramStart, on base: Snapshot, payloadDisk: String?, because error: RigFailure) {
        giveUp(ProgramSnapshots.key(of: program, on: base, payloadDisk: payloadDisk), because: error)
    }

    private func giveUp(_ key: String, because error: RigFailure) {
        try? Data("\(error)\n".utf8).write(to: URL(fileURLWithPath: marker(key)))
    }

    private nonisolated func keep(
        _ name: String, of parts: RigParts, with program: ProgramStart
    ) async throws(RigFailure) -> (Snapshot, isNew: Bool) {
        var isNew = false
        let folder = try await cache.keep(
            name, action: "saving the boards with the program running", megabytes: DiskNeed.snapshot,
            damage: { Snapshot(folder: $0).damage() }
        ) { partial in
            isNew = true
            try await Snapshot.take(
                into: partial, of: parts, with: program, programs: programs, logs: cache.path("program.logs"),
                within: .milliseconds(program.milliseconds) + .seconds(120))
        }
        return (Snapshot(folder: folder), isNew)
    }

    private func isKept(_ name: String) -> Bool { FileManager.default.fileExists(atPath: cache.path(name)) }

    /// A file that exists from the first use on. It is empty, or contains the reason why the program could not be
    /// saved.
    private func marker(_ key: String) -> String { cache.path("started-\(key)") }

    /// Notes a use. Returns whether the program was used before and may be saved.
    private func isUsedAgain(_ key: String) -> Bool {
        let path = marker(key)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            return false
        }
        guard attributes[.size] as? Int ?? 0 > 0, let date = attributes[.modificationDate] as? Date else { return true }
        return -date.timeIntervalSinceNow > ProgramSnapshots.retryTime
    }

    /// A fingerprint of everything that the snapshot depends on.
    static func key(of program: ProgramStart, on base: Snapshot, payloadDisk: String?) -> String {
        let request = program.request
        let lists = [
            [base.folder, payloadDisk ?? "", request.payload?.digest ?? "", "\(program.readiness)"], request.command,
            request.environment.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] },
            [request.folder, request.user].map { $0.map { "=\($0)" } ?? "" }, request.owns.map(\.rawValue).sorted(),
        ]
        var fingerprint = Fingerprint()
        for list in lists {
            fingerprint.add("\(list.count)")
            list.forEach { fingerprint.add($0) }
        }
        return fingerprint.name
    }
}
