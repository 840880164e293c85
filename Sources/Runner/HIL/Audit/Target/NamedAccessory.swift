import HILRecord

/// An accessory with the name that it has in Swift, which `hil audit .latch` attacks. The plugin `ScenarioList` generates an
/// array of these.
public struct NamedAccessory: Sendable {
    /// Its name without its type: `.latch`.
    package var constant: String { ".\(fullName.split(separator: ".").last ?? "")" }

    /// What sort of accessory it is.
    package enum Sort: String, Sendable, CaseIterable {
        case program = "program"
        case peripheral = "accessory as data"
        case hostStack = "host stack"
    }

    /// `.latch`, or `Peripheral.latch` if constants of several types are called so.
    package fileprivate(set) var name: String
    /// Its name with its type: `Peripheral.latch`.
    package let fullName: String
    package let sort: Sort
    /// Its file, relative to the folder `Scenarios`.
    package let file: String
    /// The line of its declaration.
    package let location: SourceLocation
    /// Says what it means to allow; nil if no constant of `AuditExpectations` has its name.
    package fileprivate(set) var expectations: (@MainActor @Sendable () -> AuditExpectations)?
    private let target: @MainActor @Sendable () -> AuditTarget

    fileprivate init(
        _ constant: String, of type: String, _ sort: Sort, file: String, at location: SourceLocation,
        _ target: @escaping @MainActor @Sendable () -> AuditTarget
    ) {
        (name, fullName) = (".\(constant)", "\(type).\(constant)")
        (self.sort, self.file, self.location, self.target) = (sort, file, location, target)
    }

    /// The scenario that audits attack: an app of the harness sets the accessory up.
    @MainActor package var scenario: NamedScenario {
        NamedScenario(
            name, file: file,
            Scenario.settingUp(target(), named: name, expecting: expectations?(), at: location), accessory: self)
    }
}

/// Collects the accessories of a package. The list that the plugin `ScenarioList` generates fills it.
///
/// No constant is read before an audit attacks it.
public struct AccessoryList {
    private let folder: String
    private var all: [NamedAccessory] = []
    private var expectations: [String: @MainActor @Sendable () -> AuditExpectations] = [:]

    /// - Parameter folder: The path of the folder of the files.
    public init(in folder: String) { self.folder = folder }

    /// The accessories in the order in which they were added, each with the expectations of its name.
    public var accessories: [NamedAccessory] {
        let counts = Dictionary(all.map { ($0.name, 1) }, uniquingKeysWith: +)
        return all.map { accessory in
            var copy = accessory
            copy.expectations = expectations[accessory.name]
            if counts[accessory.name, default: 0] > 1 { copy.name = accessory.fullName }
            return copy
        }
    }

    /// Adds a program.
    ///
    /// - Parameters:
    ///   - name: The constant's name.
    ///   - type: The type that it is in.
    ///   - file: Its file, relative to the folder.
    ///   - line: The line of its declaration.
    public mutating func add(
        _ program: @autoclosure @escaping @MainActor @Sendable () -> AccessoryProgram, _ name: String, of type: String,
        file: String, line: Int
    ) { add(name, of: type, .program, file, line) { .program(program()) } }

    /// Adds an accessory as data. The other parameters are those of a program.
    public mutating func add(
        _ peripheral: @autoclosure @escaping @MainActor @Sendable () -> Peripheral, _ name: String, of type: String,
        file: String, line: Int
    ) { add(name, of: type, .peripheral, file, line) { .peripheral(peripheral()) } }

    /// Adds a host stack. The other parameters are those of a program.
    public mutating func add(
        _ stack: @autoclosure @escaping @MainActor @Sendable () -> HostStack, _ name: String, of type: String,
        file: String, line: Int
    ) { add(name, of: type, .hostStack, file, line) { .hostStack(stack()) } }

    /// Adds what the accessories of this name mean to allow.
    public mutating func add(
        _ expected: @autoclosure @escaping @MainActor @Sendable () -> AuditExpectations, _ name: String,
        of type: String, file: String, line: Int
    ) { expectations[".\(name)"] = expected }

    /// Leaves out a constant that is no accessory.
    @_disfavoredOverload
    public mutating func add<Other>(
        _ other: @autoclosure @MainActor () -> Other, _ name: String, of type: String, file: String, line: Int
    ) {}

    private mutating func add(
        _ name: String, of type: String, _ sort: NamedAccessory.Sort, _ file: String, _ line: Int,
        _ target: @escaping @MainActor @Sendable () -> AuditTarget
    ) {
        let module = folder.split(separator: "/").last.map { "\($0)/" } ?? ""
        let location = SourceLocation(file: module + file, path: "\(folder)/\(file)", line: line)
        all.append(NamedAccessory(name, of: type, sort, file: file, at: location, target))
    }
}
