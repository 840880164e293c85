import Glibc
import HILPOSIX

/// Starts programs where those of an adapter run: in its ``Compartment``, or on the board itself, outside compartments.
struct CompartmentEntrance: Sendable {
    /// A process in the compartment that lives as long as the compartment; nil for the board itself.
    var process: pid_t?
    /// What programs there may bind to.
    var scope: BindSupervisor.Scope

    /// The root of its files, as seen from outside.
    var root: String { process.map { "/proc/\($0)/root" } ?? "" }

    /// A command line that runs a command in that place.
    func command(_ command: [String], in folder: String = "/") -> [String] {
        // A process that enters begins at the root.
        (process.map { ["nsenter", "--mount=/proc/\($0)/ns/mnt", "--"] } ?? []) + ["env", "-C", folder, "--"] + command
    }

    /// The same for a program under a supervisor: ``makeSupervisor()`` gives its descriptor 3.
    func supervised(_ command: [String], in folder: String = "/") throws(SystemError) -> [String] {
        self.command(try BindSupervisor.supervised(command), in: folder)
    }

    func makeSupervisor() throws(SystemError) -> BindSupervisor { try BindSupervisor(scope) }
}
