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
                seccomp: Int = 0, caps: String = "0", limit: Int = 9, pid: Int = 7
            ) throws -> String {
                let status = "Name:\thil\nPid:\t\(pid)\nUid:\t1000\nSeccomp:\t\(seccomp)\nCapEff:\t\(caps)\n"
                try write(status, to: "\(folder)/self/status")
                try write("\(limit)\n", to: "\(folder)/sys/user/max_user_namespaces")
                return NativeProbe.rights(process: "\(folder)/self", settings: "\(folder)/sys")
            }
            let usual = try rights()
            #expect(try rights(pid: 8) == usual)
            #expect(try rights(seccomp: 2) != usual)
            #expect(try rights(caps: "1") != usual)
            #expect(try rights(limit: 0) != usual)
        }
    }

    @Test("Of name spaces only the machine's own is known again: another's number is used anew once it has ended")
    func nameSpaces() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/ns", withIntermediateDirectories: true)
            for (users, isInitial) in [("user:[4026531837]", true), ("user:[4026532500]", false)] {
                try? FileManager.default.removeItem(atPath: "\(folder)/ns/user")
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/ns/user", withDestinationPath: users)
                #expect(NativeProbe.isInitial(process: folder) == isInitial)
            }
            #expect(!NativeProbe.isInitial(process: "\(folder)/none"))
        }
    }
}
