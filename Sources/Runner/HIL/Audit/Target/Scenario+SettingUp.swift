import HILRecord
import HILTiming

/// An accessory that an audit attacks without a scenario of its team.
enum AuditTarget: Sendable {
    case program(AccessoryProgram)
    case peripheral(Peripheral)
    case hostStack(HostStack)
}

extension Scenario {
    /// The set-up of a program by an app of the harness: a picker that shows what it advertises, pairing if something of it
    /// asks for it, and all that can be read. `hil audit .latch` attacks this.
    ///
    /// - Parameters:
    ///   - name: The program's name in Swift: `.latch`.
    ///   - expectations: What it means to allow an attacker; nil for nothing.
    public static func settingUp(
        _ program: AccessoryProgram, named name: String, expecting expectations: AuditExpectations? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> Scenario {
        settingUp(
            .program(program), named: name, expecting: expectations,
            at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// The set-up of an accessory as data by an app of the harness. The parameters are those of a program's.
    public static func settingUp(
        _ peripheral: Peripheral, named name: String, expecting expectations: AuditExpectations? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> Scenario {
        settingUp(
            .peripheral(peripheral), named: name, expecting: expectations,
            at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// The set-up of a host stack on the air by an app of the harness. The parameters are those of a program's.
    public static func settingUp(
        _ stack: HostStack, named name: String, expecting expectations: AuditExpectations? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) -> Scenario {
        settingUp(
            .hostStack(stack), named: name, expecting: expectations,
            at: SourceLocation(file: fileID, path: filePath, line: line))
    }

    static func settingUp(
        _ target: AuditTarget, named name: String, expecting expectations: AuditExpectations?,
        at location: SourceLocation
    ) -> Scenario {
        let traits =
            target.traits + [ScenarioTrait(kind: .ownersJourney)] + (expectations.map { [.audits($0)] } ?? [])
        return Scenario(
            title: "\(name) is set up by an app of the harness", traits: ScenarioTraits(traits),
            cases: [
                ScenarioCase(settings: []) { lab in
                    try await OwnersJourney(lab, target, named: name, at: location).run()
                }
            ], location: location)
    }
}

extension AuditTarget {
    /// The name of a host stack in logs.
    static let stackName = "accessory"
    /// How long the journey may take when the accessory is ready.
    private static let journey = Duration.seconds(90)

    fileprivate var traits: [ScenarioTrait] {
        switch self {
        case .program(let program):
            [.accessory(program, startsWithBoard: true), .budget(AuditTarget.journey + program.readyLimit)]
        case .peripheral: [.budget(AuditTarget.journey)]
        case .hostStack(let stack):
            [.attaches(stack, named: AuditTarget.stackName), .withoutAccessoryBoard, .budget(AuditTarget.journey)]
        }
    }
}
