import BoardProtocol
import Foundation
import HILAir
import Testing

@testable import VirtualRig

@Suite("Snapshots")
struct SnapshotTests {
    /// Calls `body` with a sealed snapshot of six files of 1 MB.
    private func withSnapshot(_ body: (Snapshot) throws -> Void) throws {
        try withTemporaryFolder { folder in
            let snapshot = Snapshot(folder: folder)
            for role in BoardRole.allCases {
                for path in [snapshot.memory(of: role), snapshot.state(of: role), snapshot.disk(of: role)] {
                    let content = Data(repeating: UInt8(path.utf8.count), count: 1_000_000)
                    try content.write(to: URL(fileURLWithPath: path))
                }
            }
            for name in AirConfiguration.recordingFiles { try write(name, to: "\(folder)/\(name)") }
            try snapshot.seal()
            try body(snapshot)
        }
    }

    private func edit(_ path: String, _ change: (FileHandle) throws -> Void) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try change(file)
        try file.close()
    }

    @Test("An unchanged snapshot is accepted")
    func intact() throws {
        try withSnapshot { #expect($0.damage() == nil) }
    }

    @Test("A file that was cut, or changed at its start or end, is detected", arguments: BoardRole.allCases)
    func damaged(role: BoardRole) throws {
        try withSnapshot { snapshot in
            try edit(snapshot.state(of: role)) { try $0.truncate(atOffset: 999_999) }
            #expect(snapshot.damage()?.contains("\(role.rawValue).state has changed since it was made") == true)
        }
        for offset: UInt64 in [0, 999_999] {
            try withSnapshot { snapshot in
                try edit(snapshot.memory(of: role)) {
                    try $0.seek(toOffset: offset)
                    try $0.write(contentsOf: Data([0xEE]))
                }
                #expect(snapshot.damage() != nil)
            }
        }
    }

    @Test("A missing file, a missing manifest, or an invalid manifest is detected")
    func incomplete() throws {
        for name in [
            "host.state", "accessory.memory", "host.disk", "host.bluetooth", "accessory.wifi", "manifest.json",
        ] {
            try withSnapshot { snapshot in
                try FileManager.default.removeItem(atPath: "\(snapshot.folder)/\(name)")
                #expect(snapshot.damage() != nil)
            }
        }
        try withSnapshot { snapshot in
            for text in ["{\"host.state\":7}", "{}"] {
                try write(text, to: "\(snapshot.folder)/manifest.json")
                #expect(snapshot.damage() != nil)
            }
        }
    }
}
