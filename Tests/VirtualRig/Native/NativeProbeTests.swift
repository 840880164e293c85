import Foundation
import RigModel
import Testing

@testable import VirtualRig

@Suite("What native boards need of this machine")
struct NativeProbeTests {
    @Test("A container that forbids more is tried anew, though it has the same cache")
    func rights() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/self/ns", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: "\(folder)/sys/user", withIntermediateDirectories: true)
            func rights(
                seccomp: Int = 0, caps: String = "0", users: Int = 1, limit: Int = 9, pid: Int = 7
            ) throws -> String {
                let status = "Name:\thil\nPid:\t\(pid)\nUid:\t1000\nSeccomp:\t\(seccomp)\nCapEff:\t\(caps)\n"
                try write(status, to: "\(folder)/self/status")
                let link = "\(folder)/self/ns/user"
                try? FileManager.default.removeItem(atPath: link)
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "user:[\(users)]")
                try write("\(limit)\n", to: "\(folder)/sys/user/max_user_namespaces")
                return NativeProbe.rights(process: "\(folder)/self", settings: "\(folder)/sys")
            }
            let usual = try rights()
            #expect(try rights(pid: 8) == usual)
            #expect(try rights(seccomp: 2) != usual)
            #expect(try rights(caps: "1") != usual)
            #expect(try rights(users: 2) != usual)
            #expect(try rights(limit: 0) != usual)
        }
    }
}
