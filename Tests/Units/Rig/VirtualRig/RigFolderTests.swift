import Foundation
import HILPOSIX
import RigModel
import TestSupport
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

    @Test("What a killed rig has left running ends at the next start; what belongs to a running rig goes on")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            let input = try Descriptor.pipe()
            defer { input.write.close() }
            /// It says a word and waits: the kernel shows a new program's environment a moment after the program is there.
            func program(of rig: String) throws -> ChildProcess {
                let output = try Descriptor.pipe()
                let process = try ChildProcess.spawn(
                    ["sh", "-c", "echo; read -r _"], environment: ["PATH=/usr/bin:/bin", RigFolder.mark(rig)],
                    streams: [.descriptor(input.read), .descriptor(output.write), .null])
                output.write.close()
                _ = try output.read.read()
                return process
            }
            let base = "\(folder)/base"
            let live = try RigFolder(base: base)
            defer { live.remove() }
            try FileManager.default.createDirectory(atPath: "\(base)/4711-dead", withIntermediateDirectories: true)
            let mine = try program(of: live.path)
            let left = [try program(of: "\(base)/4711-dead"), try program(of: "\(base)/4711-dead/host/linux")]
            let other = try program(of: "\(base)/4711-dead2")
            defer { for process in [mine, other] { process.signal(SIGKILL) } }
            try RigFolder(base: base).remove()
            for process in left { #expect(await process.wait() == .signalled(SIGKILL)) }
            #expect(mine.status == nil && other.status == nil)
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
