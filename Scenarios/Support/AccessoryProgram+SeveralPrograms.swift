import AccessorySetupKit
import HIL

extension AccessoryProgram {
    /// The unchanged firmware of a lock.
    static let lock = AccessoryProgram(
        named: "lock", files: "Fixtures/Lock", command: ["./lock.sh"], ready: .line(containing: " is on"),
        within: .seconds(60))
}
