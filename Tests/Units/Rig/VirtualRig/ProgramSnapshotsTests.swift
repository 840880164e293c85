import BoardProtocol
import Foundation
import RigModel
import Testing

@testable import VirtualRig

@Suite("Snapshots with a program")
struct ProgramSnapshotsTests {
    private static func program(_ change: (inout ProgramStart) -> Void = { _ in }) -> ProgramStart {
        var program = ProgramStart(
            ProgramRequest(
                payload: PayloadID(digest: "0a", size: 7), command: ["lamp", "on"], environment: ["A": "b"],
                folder: "/", owns: [.bluetoothd]), .advertisement, milliseconds: 1000)
        change(&program)
        return program
    }

    private static func key(_ program: ProgramStart, base: String = "/base", disk: String? = "/disk") -> String {
        ProgramSnapshots.key(of: program, on: Snapshot(folder: base), payloadDisk: disk)
    }

    @Test("Everything that a running program depends on is in its snapshot's name")
    func keys() {
        let changed = [
            Self.program { $0.request.payload?.digest = "0b" }, Self.program { $0.request.command = ["lamp on"] },
            Self.program { $0.request.environment = ["A": "c"] }, Self.program { $0.request.folder = nil },
            Self.program { ($0.request.folder, $0.request.user) = (nil, "/") }, Self.program { $0.request.owns = [] },
            Self.program { $0.readiness = .line(containing: "on") },
            Self.program { ($0.request.command, $0.request.environment) = (["lamp"], ["on": "A", "b": ""]) },
        ].map { Self.key($0) }
        let same = Self.key(Self.program())
        let others = changed + [Self.key(Self.program(), base: "/other"), Self.key(Self.program(), disk: nil)]
        #expect(Set(others + [same]).count == others.count + 1)
        #expect(Self.key(Self.program { $0.milliseconds = 5 }) == same, "the limit changes nothing of what is saved")
    }

    @Test("The first use saves nothing; the second tries, and says why it cannot; the third does not try again")
    func uses() async throws {
        try await withTemporaryFolder { folder in
            let programs = RigPrograms(rig: "\(folder)/no-such-rig", air: "", board: "")
            let snapshots = ProgramSnapshots(programs: programs, cache: Cache(folder: folder))
            let parts = RigParts.sample(snapshot: Snapshot(folder: "\(folder)/base"))
            let first = await snapshots.snapshot(of: parts, with: Self.program())
            #expect(first.snapshot == nil && first.note == nil)
            let second = await snapshots.snapshot(of: parts, with: Self.program())
            #expect(second.snapshot == nil)
            #expect(second.note?.contains("cannot be saved with the program running") == true, "\(second)")
            #expect(second.note?.contains("no-such-rig") == true, "\(second)")
            let third = await snapshots.snapshot(of: parts, with: Self.program())
            #expect(third.snapshot == nil && third.note == nil)
            #expect(!names(in: folder).contains { $0.hasSuffix(".partial") })
            // After a change of the program it is the first use again, and after a day it is tried again.
            let changed = await snapshots.snapshot(of: parts, with: Self.program { $0.request.command = ["lamp"] })
            #expect(changed.note == nil)
            // Boards that could be saved, but not restored, are not saved again and again.
            let other = Self.program { $0.request.command = ["other"] }
            let failure = RigFailure("restoring the boards", "QEMU was ended")
            await snapshots.giveUp(other, on: Snapshot(folder: "\(folder)/base"), payloadDisk: nil, because: failure)
            #expect(await snapshots.snapshot(of: parts, with: other).note == nil)
            let marker =
                "\(folder)/started-\(ProgramSnapshots.key(of: Self.program(), on: Snapshot(folder: "\(folder)/base"), payloadDisk: nil))"
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: marker)
            #expect(await snapshots.snapshot(of: parts, with: Self.program()).note != nil)
        }
    }

    @Test("A program that keeps the air busy, and boards that boot, are never saved")
    func isRefused() async throws {
        try await withTemporaryFolder { folder in
            let programs = RigPrograms(rig: "/no-such-rig", air: "", board: "")
            let snapshots = ProgramSnapshots(programs: programs, cache: Cache(folder: folder))
            let busy = Self.program { $0.request.owns = [.hostapd] }
            for (parts, program) in [
                (RigParts.sample(snapshot: Snapshot(folder: folder)), busy), (RigParts.sample(), Self.program()),
            ] {
                for _ in 0..<3 {
                    let answer = await snapshots.snapshot(of: parts, with: program)
                    #expect(answer.snapshot == nil && answer.note == nil)
                }
            }
            #expect(names(in: folder).isEmpty)
        }
    }
}
