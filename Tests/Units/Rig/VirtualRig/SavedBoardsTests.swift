import BoardProtocol
import Foundation
import RigModel
import Testing

@testable import VirtualRig

@Suite("Saved boards of a failed scenario")
struct KeptBoardsTests {
    private struct Full: Error {}

    /// Writes states and disks, as a rig would.
    private func fill(_ folder: String, of roles: [BoardRole] = BoardRole.allCases) throws {
        for role in roles {
            try write("state", to: SavedBoards.state(of: role, in: folder))
            try write("disk", to: SavedBoards.disk(of: role, in: folder))
        }
    }

    @Test("If one state is incomplete, nothing is left behind")
    func partial() async throws {
        try await withTemporaryFolder { folder in
            await #expect(throws: Full.self) {
                try await SavedBoards.make("\(folder)/kept", of: .sample()) { partial in
                    try write("state", to: SavedBoards.state(of: .host, in: partial))
                    throw Full()
                }
            }
            #expect(names(in: folder) == [])
            try await SavedBoards.make("\(folder)/kept", of: .sample()) { try fill($0) }
            #expect(names(in: folder) == ["kept"])
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/kept")[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test("Of a rig without an accessory board, the host board alone is saved")
    func hostAlone() async throws {
        try await withTemporaryFolder { folder in
            var parts = RigParts.sample()
            parts.boards = [.host]
            try await SavedBoards.make("\(folder)/kept", of: parts) { partial in
                try fill(partial, of: [.host])
            }
            #expect(
                names(in: "\(folder)/kept").sorted() == ["host.disk", "host.state", "manifest.json", "parts.json"])
            try write("stats", to: SavedBoards.state(of: .host, in: "\(folder)/kept"))
            let error = await #expect(throws: RigFailure.self) { try await SavedBoards(opening: "\(folder)/kept") }
            #expect(error?.reason == "\(folder)/kept/host.state has changed since it was made")
        }
    }

    @Test("A changed state is refused before anything else is checked")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            let kept = "\(folder)/kept"
            try await SavedBoards.make(kept, of: .sample()) { try fill($0) }
            try write("stats", to: SavedBoards.state(of: .host, in: kept))
            let error = await #expect(throws: RigFailure.self) { try await SavedBoards(opening: kept) }
            #expect(error?.reason == "\(kept)/host.state has changed since it was made")
            try write("state", to: SavedBoards.state(of: .host, in: kept))
            try write("dusk", to: SavedBoards.disk(of: .accessory, in: kept))
            let second = await #expect(throws: RigFailure.self) { try await SavedBoards(opening: kept) }
            #expect(second?.reason == "\(kept)/accessory.disk has changed since it was made")
        }
    }

    @Test("Boards are restored only if all their parts still exist")
    func obstacles() throws {
        try withTemporaryFolder { folder in
            var parts = RigParts.sample(image: folder, agentDisk: "\(folder)/agent.erofs")
            let key = parts.snapshotKey
            func why(_ key: String, qemu: String = "QEMU 7.2") -> String? {
                SavedBoards.obstacle(to: parts, key: key, qemuVersion: qemu)
            }
            #expect(why(key) == "the image of its boards is gone: \(folder)/root.erofs")
            try write("", to: "\(folder)/root.erofs")
            #expect(why(key) == "the agent of its boards is gone: \(folder)/agent.erofs")
            try write("", to: "\(folder)/agent.erofs")
            #expect(why(key) == nil)
            parts.accessoryImage = BoardImage(folder: "\(folder)/older")
            #expect(why(key) == "the image of its boards is gone: \(folder)/older/root.erofs")
            parts.accessoryImage = parts.image
            #expect(why(key, qemu: "QEMU 10") == "it was taken with QEMU 7.2, but this machine has QEMU 10")
            #expect(why("another")?.hasPrefix("it was taken by another version of hil") == true)
            try write("packages of tomorrow", to: "\(folder)/manifest.json")
            #expect(why(key) != nil, "an image that was built again under the same name")
            parts.accelerator = .kvm
            if access("/dev/kvm", R_OK | W_OK) != 0 { #expect(why(parts.snapshotKey)?.contains("KVM") == true) }
        }
    }

    @Test("A shell goes to the named rig or the only one of its checkout; if several run, the error asks which")
    func choice() throws {
        let rigs = [
            RunningRigInfo(folder: "/r/17-a", label: "pairs", places: ["/work/lamp/results/latest/pairs", "/home"]),
            RunningRigInfo(folder: "/r/18-b", label: "joins", places: ["/tmp/hil-1", "/work/lamp"]),
        ]
        let other = RunningRigInfo(
            folder: "/r/19-c", label: "leaves", places: ["/work/lamp2/results/x", "/work/lamp2"])
        func choose(_ name: String?, _ rigs: [RunningRigInfo]) throws -> RunningRigInfo? {
            try RunningRigInfo.choose(name, of: rigs, in: "/work/lamp")
        }
        #expect(try choose(nil, []) == nil)
        #expect(try choose(nil, [rigs[0], other]) == rigs[0])
        #expect(try choose(nil, [other]) == nil, "another checkout's")
        #expect(try choose("leaves", rigs + [other]) == other, "by its name it can be had")
        #expect(try choose("18-b", rigs) == rigs[1])
        #expect(try choose("pairs", rigs) == rigs[0])
        #expect(try choose("PAIR", rigs) == rigs[0], "a part of the scenario's name will do")
        let several = #expect(throws: RigFailure.self) { try choose(nil, rigs + [other]) }
        #expect(several?.reason == "several run: 17-a (pairs), 18-b (joins)")
        #expect(throws: RigFailure.self) { try choose("19-d", rigs) }
        #expect(throws: RigFailure.self) { try choose("19-d", []) }
    }
}
