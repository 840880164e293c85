import Foundation
import HILExecution
import HILPOSIX
import StubRig
import Testing

extension RealRigTests {
    /// Runs in a container that this test makes: name spaces of users, processes, files and network, no capabilities,
    /// and no way to any.
    @Suite(.serialized, .enabled(if: RealRig.boards.contains("native") && RealRig.canContain))
    struct ContainerTests {
        /// Words in front of a command that shut it in.
        ///
        /// - Parameter nested: Whether it may make further name spaces, as a board's sandbox does.
        private func container(nested: Bool) -> [String] {
            // The limit counts the name space of the plain user as well.
            let makes = """
                echo \(nested ? 1000 : 1) >/proc/sys/user/max_user_namespaces
                exec unshare --user --map-user=1000 --map-group=1000 \
                    setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- sh -ec '
                        grep -q "^CapEff:[[:space:]]*0*$" /proc/self/status
                        exec "$@"' sh "$@"
                """
            return [
                "unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--net", "--ipc", "--uts",
                "sh", "-ec", makes, "sh",
            ]
        }

        @Test(
            "As a plain user without privileges a run takes native boards, with a sandbox where that is allowed",
            arguments: [true, false])
        func plainUser(nested: Bool) async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let hil = [RunnerProcess.path(of: "hil"), "run", "newDieIsOnboarded", "--out", results]
            let run = try await ProgramOutput(
                of: container(nested: nested) + hil, environment: RunnerProcess.environment, withErrors: true)
            #expect(run.status == .exited(0), "\(run.text)")
            #expect(run.text.contains("native, \(nested ? "in" : "without") a sandbox: "), "\(run.text)")
        }
    }
}
