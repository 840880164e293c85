import Glibc
import HILPOSIX

/// The way to where programs of an adapter run: into its ``Compartment``, or to the board itself beside compartments.
struct CompartmentEntrance: Sendable {
    /// A process in the compartment, which lives as long as it; nil for the board itself.
    var process: pid_t?
    /// What programs there may bind to.
    var scope: BindSupervisor.Scope

    /// The root of its files, as seen from outside.
    var root: String { process.map { "/proc/\($0)/root" } ?? "" }

    /// A command line that runs a command there.
    func command(_ command: [String], in folder: String = "/") -> [String] {
        // Whoever enters begins at the root.
        (process.map { ["nsenter", "--mount=/proc/\($0)/ns/mnt", "--"] } ?? []) + ["env", "-C", folder, "--"] + command
    }

    /// The same for a program under a supervisor: ``makeSupervisor()`` gives its descriptor 3.
    func supervised(_ command: [String], in folder: String = "/") throws(SystemError) -> [String] {
        self.command(try BindSupervisor.supervised(command), in: folder)
    }

    func makeSupervisor() throws(SystemError) -> BindSupervisor { try BindSupervisor(scope) }
}
