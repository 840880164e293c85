import HILPOSIX
import HILRecord

/// The host stacks that a scenario declares. Their programs are started before there is a rig, so that they load while its
/// boards are made ready, and are put on its air when it is there.
package struct HostStacksAhead: Sendable {
    let programs: [(DeclaredHostStack, Task<StartedHostStack, any Error>)]
    /// The scenario's line, for failures.
    let location: SourceLocation

    /// Begins to start the programs. Each ends with this process at the latest.
    package init(of scenario: Scenario) {
        self.init(scenario.traits.hostStacks, at: scenario.location, guardProgram: GuardedProcess.ownProgram)
    }

    /// - Parameter guardProgram: A program that can be a ``HILPOSIX/ProcessGuard``.
    init(_ stacks: [DeclaredHostStack], at location: SourceLocation, guardProgram: String) {
        self.location = location
        programs = stacks.map { one in
            (
                one,
                Task { try await HostStackLaunch(one.stack, named: one.name, guardProgram: guardProgram).startAhead() }
            )
        }
    }
}
