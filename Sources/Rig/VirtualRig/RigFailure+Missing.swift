import RigModel

extension RigFailure {
    /// A program of the system is not there.
    static func missing(_ program: String, package: String, for action: String) -> RigFailure {
        RigFailure(
            action, "\(program) is not installed",
            remedy: "run `make setup`, or `apt-get install \(package)` as root")
    }
}
