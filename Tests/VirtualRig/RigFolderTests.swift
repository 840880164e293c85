import Foundation
import RigModel
import Testing

@testable import VirtualRig

@Suite("Folders of rigs")
struct RigFolderTests {
    @Test("The folder of a rig that has ended is removed at the next start; that of a running rig stays")
    func sweep() throws {
        try withTemporaryFolder { folder in
            let base = "\(folder)/base"
            let live = try RigFolder(base: base)
            try FileManager.default.createDirectory(
                atPath: "\(base)/4711-dead/host", withIntermediateDirectories: true)
            try write("", to: "\(base)/4711-dead/host/qmp.sock")
            let next = try RigFolder(base: base)
            #expect(
                names(in: base) == [
                    "lock", URL(fileURLWithPath: live.path).lastPathComponent,
                    URL(fileURLWithPath: next.path).lastPathComponent,
                ])
            #expect(names(in: next.path) == ["lock", "host", "accessory"])
            live.remove()
            next.remove()
            #expect(names(in: base) == ["lock"])
        }
    }

    @Test("Other users cannot read the folder")
    func isPrivate() throws {
        try withTemporaryFolder { folder in
            let rig = try RigFolder(base: "\(folder)/base")
            defer { rig.remove() }
            for path in ["\(folder)/base", rig.path, "\(rig.path)/host"] {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o700)
            }
        }
    }

    @Test("A base folder that others can write to, or that is a link, is refused")
    func foreignBase() throws {
        try withTemporaryFolder { folder in
            let open = "\(folder)/open"
            try FileManager.default.createDirectory(
                atPath: open, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
            #expect(throws: RigFailure.self) { try RigFolder(base: open) }
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: folder)
            #expect(throws: RigFailure.self) { try RigFolder(base: "\(folder)/link") }
        }
    }

    @Test("The longest path of a socket fits into a socket's address")
    func pathLength() {
        let longest = "\(RigFolder.standardBase)/4194304-ffff/accessory/bluetooth.sock"
        #expect(longest.utf8.count < 100)
    }
}
