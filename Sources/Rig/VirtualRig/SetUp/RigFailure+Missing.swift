import RigModel

extension RigFailure {
    /// The failure that a program of the system is not installed.
    static func missing(_ program: String, package: String, for action: String) -> RigFailure {
        RigFailure(
            action, "\(program) is not installed",
            remedy: "run `make setup`, or `apt-get install \(package)` as root")
    }
}
