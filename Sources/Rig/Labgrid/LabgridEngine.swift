import Foundation

/// The location of labgrid on this machine, and how it is started.
package struct LabgridEngine: Sendable, Hashable {
    /// The version of labgrid that `Fixtures/Labgrid/requirements.txt` pins.
    package static let version = "26.0.1"

    /// The folder of its Python packages.
    package var packages: String
    /// Our program on top of labgrid's client, `Fixtures/Labgrid/places.py`.
    package var program: String
    /// The address of the coordinator, `HOST:PORT`.
    package var coordinator: String
    /// The user's environment: `LG_USERNAME`, `LG_HOSTNAME`, `LG_PROXY`, and all other variables.
    package var variables: [String: String]

    package init(
        packages: String, program: String, coordinator: String,
        variables: [String: String] = ProcessInfo.processInfo.environment
    ) {
        (self.packages, self.program, self.coordinator) = (packages, program, coordinator)
        self.variables = variables
    }

    /// The environment of Python, `NAME=value`.
    var environment: [String] {
        let own = ["PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1", "GRPC_VERBOSITY": "NONE"]
        return variables.merging(own) { $1 }.map { "\($0)=\($1)" }
    }
}
